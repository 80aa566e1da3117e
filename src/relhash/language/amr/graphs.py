"""Abstract meaning representations: graphs of concepts and roles, read from PENMAN notation.

A file holds graphs separated by empty lines, each under comment lines with its id and sentence (``# ::id``, ``# ::snt`` or
``# ::tok``). Inverse roles (``:ARG0-of``) are turned round, a re-entrant variable is one node with several arcs, the name of
an entity is kept at the entity instead of hanging below it. Alignments to words (``~e.7``) are kept where the file has them.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from relhash.corpus.document import Span
from relhash.corpus.remarks import OnError, without_broken
from relhash.corpus.source import iterate_lines
from relhash.errors import CorpusError

_GLUED = re.compile(r"@([^@]+)@\Z")


def sentence_of(metadata: Mapping[str, str], text: str | None) -> tuple[str, tuple[Span, ...]]:
    """The sentence and the spans of the words that alignments count: those of ``::tok``, else those between blanks.

    Tokens are looked up in the sentence as it was written; where that fails, the sentence is put together from the tokens.
    """
    sentence = text if text is not None else metadata.get("snt", "")
    tokens = [_GLUED.sub(r"\1", token) for token in metadata.get("tok", "").split()]
    if sentence and not tokens:
        return sentence, tuple(match.span() for match in re.finditer(r"\S+", sentence))
    if sentence:
        spans: list[Span] = []
        position = 0
        for token in tokens:
            start = sentence.find(token, position)
            if start < 0:
                break
            position = start + len(token)
            spans.append((start, position))
        if len(spans) == len(tokens) or text is not None:
            return sentence, tuple(spans)
    return _joined_tokens(metadata.get("tok", "").split())


def _joined_tokens(tokens: list[str]) -> tuple[str, tuple[Span, ...]]:
    """``starvation @-@ induced`` as it was before tokenisation.

    >>> _joined_tokens(["starvation", "@-@", "induced"])
    ('starvation-induced', ((0, 10), (10, 11), (11, 18)))
    """
    text, spans, glue = "", [], True
    for token in tokens:
        match = _GLUED.match(token)
        word = match[1] if match else token
        if not glue and not match:
            text += " "
        spans.append((len(text), len(text) + len(word)))
        text += word
        glue = match is not None
    return text, tuple(spans)


_SENSE = re.compile(r"-\d{2,}\Z")
_NAME_ROLE, _XREF_ROLE, _WIKI_ROLE = ":name", ":xref", ":wiki"
_REMEDY = 'expected PENMAN notation such as (b / bind-01 :ARG1 (p / protein :name (n / name :op1 "Ras")))'


@dataclass(frozen=True, slots=True)
class AmrNode:
    """A concept, or a constant such as a number.

    ``words`` and ``name_words`` are numbers of the sentence's words that the concept and its name are aligned to.
    """

    variable: str
    concept: str
    words: tuple[int, ...] = ()
    name: str = ""
    name_words: tuple[int, ...] = ()
    ids: tuple[str, ...] = ()
    is_constant: bool = False

    @property
    def is_frame(self) -> bool:
        """Whether the concept is a sense of PropBank: ``bind-01`` is, ``protein`` is not."""
        return not self.is_constant and bool(_SENSE.search(self.concept))

    @property
    def word(self) -> str:
        """The concept without its sense, to look up a vector.

        >>> AmrNode("b", "bind-01").word
        'bind'
        """
        return self.concept if self.is_constant else _SENSE.sub("", self.concept)


@dataclass(frozen=True, slots=True)
class AmrArc:
    """A role between two nodes, by their numbers; never an inverse role."""

    source: int
    target: int
    role: str


@dataclass(frozen=True)
class AmrGraph:
    """A sentence's graph.

    ``text`` is the sentence, ``words`` are the spans that alignments count; a graph that came without its sentence has its
    concepts in their order as text.
    """

    id: str
    text: str
    words: tuple[Span, ...]
    nodes: tuple[AmrNode, ...]
    arcs: tuple[AmrArc, ...]
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def entities(self) -> tuple[int, ...]:
        """Numbers of the nodes that carry a name."""
        return tuple(number for number, node in enumerate(self.nodes) if node.name)


def parse_graph(penman: str, *, text: str | None = None, identifier: str | None = None) -> AmrGraph:
    """The graph written in ``penman``, with its comment lines; ``text`` and ``identifier`` take precedence over these.

    Examples
    --------
    >>> graph = parse_graph('(b / bind-01 :ARG0 (p / protein :name (n / name :op1 "Ras") :ARG1-of (a / activate-01)))')
    >>> [node.word for node in graph.nodes], graph.nodes[1].name
    (['bind', 'protein', 'activate'], 'Ras')
    >>> [(graph.nodes[arc.source].word, arc.role, graph.nodes[arc.target].word) for arc in graph.arcs]
    [('bind', 'ARG0', 'protein'), ('activate', 'ARG1', 'protein')]
    """
    return _graph(_decode(penman), text, identifier)


def read_graphs(path: Path, *, on_error: OnError = None) -> Iterator[AmrGraph]:
    """The graphs of a file, one at a time; in lenient mode a malformed one is reported and left out."""

    def parse(placed: tuple[int, str]) -> AmrGraph:
        start, block = placed
        try:
            return parse_graph(block)
        except CorpusError as error:
            line = start + (error.where - 1 if isinstance(error.where, int) else 0)
            raise CorpusError(error.message, path=path, where=line, remedy=error.remedy) from error

    return without_broken(_blocks(path), parse, on_error)


def _blocks(path: Path) -> Iterator[tuple[int, str]]:
    """Stretches between empty lines that hold more than comments, with the number of their first line."""
    lines: list[str] = []
    start, is_graph, is_empty = 1, False, True
    for number, line in iterate_lines(path):
        if line.strip():
            if not lines:
                start = number
            lines.append(line)
            is_graph = is_graph or not line.lstrip().startswith("#")
            continue
        if is_graph:
            is_empty = False
            yield start, "\n".join(lines)
        lines, is_graph = [], False
    if is_graph:
        yield start, "\n".join(lines)
    elif is_empty:
        raise CorpusError("there is no graph in it", path=path, remedy=_REMEDY)


_QUIET = logging.NullHandler()
"""What penman would warn of is an error below. One for all graphs: each other one would make all that follow slower."""


def _decode(text: str) -> Any:
    import penman
    from penman.models.amr import model

    logging.getLogger("penman").addHandler(_QUIET)
    try:
        graphs = list(penman.iterdecode(text, model=model))
    except penman.PenmanError as error:
        message, line = getattr(error, "message", None) or str(error), getattr(error, "lineno", None)
        raise CorpusError(f"not an AMR graph: {message}", where=max(line or 1, 1), remedy=_REMEDY) from error
    except RecursionError as error:
        raise CorpusError("the graph is nested too deeply", where=1) from error
    if len(graphs) != 1:
        raise CorpusError(
            f"not an AMR graph: one is expected, {len(graphs)} found",
            where=1,
            remedy="separate graphs by an empty line" if graphs else _REMEDY,
        )
    return graphs[0]


def _graph(decoded: Any, text: str | None, identifier: str | None) -> AmrGraph:
    from penman import surface

    metadata = {str(key): str(value) for key, value in decoded.metadata.items()}
    concepts = _concepts(decoded.triples)
    aligned = {triple: tuple(mark.indices) for triple, mark in surface.alignments(decoded).items()}
    builder = _Builder(concepts, decoded.triples, aligned)
    nodes, arcs = builder.build()
    text, words = sentence_of(metadata, text)
    if not text:
        text, words, nodes = _spelled_out(nodes)
    nodes = tuple(_within(node, len(words)) for node in nodes)
    return AmrGraph(identifier or metadata.get("id", "").split(" ")[0], text, words, nodes, arcs, metadata)


def _concepts(triples: list[tuple[str, str, str | None]]) -> dict[str, str]:
    concepts: dict[str, str] = {}
    for source, role, target in triples:
        if target is None:
            what = "has no concept" if role == ":instance" else f"has the role {role} without a target"
            raise CorpusError(f"not an AMR graph: {source!r} {what}", where=1, remedy=_REMEDY)
        if role == ":instance":
            if source in concepts:
                raise CorpusError(f"not an AMR graph: the variable {source!r} is defined twice", where=1)
            concepts[source] = target
    return concepts


class _Builder:
    """Nodes and arcs of a graph whose names, cross-references and Wikipedia titles have moved to their entities."""

    def __init__(
        self,
        concepts: Mapping[str, str],
        triples: list[tuple[str, str, str]],
        aligned: Mapping[tuple[str, str, str], tuple[int, ...]],
    ) -> None:
        self.concepts, self.triples, self.aligned = concepts, triples, aligned
        self.absorbed = {
            target
            for _, role, target in triples
            if (role == _NAME_ROLE and concepts.get(target) == "name") or (role == _XREF_ROLE and target in concepts)
        }
        self.parts: dict[str, list[tuple[str, str]]] = {}
        for source, role, target in triples:
            if role != ":instance":
                self.parts.setdefault(source, []).append((role, target))

    def build(self) -> tuple[tuple[AmrNode, ...], tuple[AmrArc, ...]]:
        numbers: dict[str, int] = {}
        nodes: list[AmrNode] = []
        for variable, concept in self.concepts.items():
            if variable not in self.absorbed:
                numbers[variable] = len(nodes)
                nodes.append(self._node(variable, concept))
        arcs: list[AmrArc] = []
        for triple in self.triples:
            source, role, target = triple
            if role == ":instance" or source not in numbers or target in self.absorbed or role in (_WIKI_ROLE, _NAME_ROLE):
                continue
            if target in numbers:
                arcs.append(AmrArc(numbers[source], numbers[target], role[1:]))
                continue
            arcs.append(AmrArc(numbers[source], len(nodes), role[1:]))
            nodes.append(AmrNode("", _unquoted(target), self.aligned.get(triple, ()), is_constant=True))
        return tuple(nodes), tuple(arcs)

    def _node(self, variable: str, concept: str) -> AmrNode:
        parts: list[tuple[int, str, tuple[int, ...]]] = []
        ids: list[str] = []
        for role, target in self.parts.get(variable, ()):
            if role == _NAME_ROLE and target in self.absorbed:
                for part, value in self.parts.get(target, ()):
                    if part[1:3] == "op" and part[3:].isdecimal():
                        parts.append((int(part[3:]), _unquoted(value), self.aligned.get((target, part, value), ())))
            elif role == _NAME_ROLE:
                parts.append((0, _unquoted(target), self.aligned.get((variable, role, target), ())))
            elif role == _WIKI_ROLE and target != "-":
                ids.append(f"Wikipedia:{_unquoted(target)}")
            elif role == _XREF_ROLE and target in self.absorbed:
                ids += [_unquoted(value) for part, value in self.parts.get(target, ()) if part == ":value"]
        parts.sort(key=lambda part: part[0])
        return AmrNode(
            variable,
            concept,
            self.aligned.get((variable, ":instance", concept), ()),
            " ".join(value for _, value, _ in parts),
            tuple(sorted({word for _, _, words in parts for word in words})),
            tuple(ids),
        )


def _unquoted(value: str) -> str:
    return value[1:-1].replace('\\"', '"') if len(value) > 1 and value[0] == value[-1] == '"' else value


def _spelled_out(nodes: tuple[AmrNode, ...]) -> tuple[str, tuple[Span, ...], tuple[AmrNode, ...]]:
    """A text for a graph that came without one: names and concepts in the order of the graph, each aligned to itself."""
    text, spans, aligned = "", [], []
    for number, node in enumerate(nodes):
        word = node.name or node.word or "_"
        text += " " if text else ""
        spans.append((len(text), len(text) + len(word)))
        text += word
        word_of = (number,)
        aligned.append(replace(node, words=() if node.name else word_of, name_words=word_of if node.name else ()))
    return text, tuple(spans), tuple(aligned)


def _within(node: AmrNode, n_words: int) -> AmrNode:
    """The node without alignments to words that the sentence does not have."""
    return replace(
        node,
        words=tuple(word for word in node.words if word < n_words),
        name_words=tuple(word for word in node.name_words if word < n_words),
    )
