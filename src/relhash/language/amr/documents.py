"""Meaning graphs as parsed sentences, so that everything that reads dependency parses reads AMR.

The tokens of such a sentence are the concepts of its graph, the dependencies are the roles (scheme ``"amr"``): candidates,
paths and views need no second code path. A token says what its concept is (``phosphorylate``) and stands where the text
mentions it:

- each concept has at most one word to itself, of several concepts on a word (*inhibitor*: a molecule that inhibits) the named
  entity has it, or else the frame, or else whichever the graph names first;
- all others, and concepts that no word expresses, stand with no width before the word of a neighbour in the graph. No mention
  covers such a token, but paths run through it.

Numbered roles whose number means nothing (``op1``, ``snt2``) lose it, and ``:polarity -`` is the dependency ``neg`` to the word
*not*, as in a dependency parse.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from relhash.corpus.document import Dependency, Document, Mention, Sentence, Span, Token, spanned_text
from relhash.corpus.remarks import OnError
from relhash.files import exists
from relhash.language.amr.graphs import AmrGraph, AmrNode, parse_graph, read_graphs
from relhash.language.amr_format import AMR_SCHEME, FRAME_TAG
from relhash.language.words import stem

_PARTS = re.compile(r"\d+|[^\W\d_][^\W\d_A-Z]*|_")
_BETWEEN = r"(?:[\s\-()/_@.,]|<[^<>\s]{0,10}>){0,4}"
"""What may stand between parts of a name: ``Mek1/2`` is also *Mek 1/2*, ``γH2A.X`` also *<i>γ</i>H2A.X*."""
_JOINT = re.compile(r"[\s\-/]{0,3}\Z")
Places = Mapping[int, tuple[Span, ...]]


def place_entities(graph: AmrGraph) -> Places:
    """Where the text mentions the named entities of ``graph``, by the number of their node (nowhere: no spans).

    By the alignment of the name; else by looking its spelling up (case, blanks, signs and markup may differ, and a place that
    another entity has counts only if there is no other); else by the alignment of the entity's concept.
    """
    taken: set[Span] = set()
    found: dict[int, tuple[Span, ...]] = {}
    for number in graph.entities:
        node = graph.nodes[number]
        spans = _merged(graph, node.name_words)
        if len(spans) == 1 and (inside := _find_name(node.name, graph.text, taken, spans[0])):
            spans = (inside,)  # of the word "MEK1/ERK1" only the name
        if not spans:
            place = _find_name(node.name, graph.text, taken)
            spans = (place,) if place else _merged(graph, node.words)
        taken.update(spans)
        found[number] = spans
    return found


def _merged(graph: AmrGraph, words: Sequence[int]) -> tuple[Span, ...]:
    """Spans of words, neighbours joined: of ``B - Raf`` with the hyphen aligned to nothing one span."""
    spans: list[Span] = []
    for start, end in sorted(graph.words[word] for word in set(words)):
        if start == end:
            continue
        if spans and _JOINT.match(graph.text[spans[-1][1] : start]):
            spans[-1] = (spans[-1][0], end)
        elif not spans or start >= spans[-1][1]:
            spans.append((start, end))
    return tuple(spans)


def _find_name(name: str, text: str, taken: set[Span], within: Span | None = None) -> Span | None:
    parts = _PARTS.findall(name)
    if not parts:
        return None
    start, end = within or (0, len(text))
    again: Span | None = None
    spelling = _BETWEEN.join(parts)
    # inside a word (pERK, NRAS) only as it is spelled: in another case it is chance (Ras in "crash")
    for pattern, flags in ((rf"(?<!\w){spelling}(?!\w)", re.IGNORECASE), (spelling, re.NOFLAG)):
        for match in re.compile(pattern, flags).finditer(text, start, end):
            if match.span() not in taken:
                return match.span()
            again = again or match.span()
        if len(name) < 3:
            break  # nor does a short name inside a word mean anything
    return again


def on_text(graph: AmrGraph, text: str) -> AmrGraph:
    """The graph on a sentence as another source spells it; with its alignments if the two differ in blanks only."""
    if graph.text == text:
        return graph
    own, other = _places_of_letters(graph.text), _places_of_letters(text)
    if [graph.text[place] for place in own] != [text[place] for place in other]:
        nodes = tuple(replace(node, words=(), name_words=()) for node in graph.nodes)
        return replace(graph, text=text, words=(), nodes=nodes)
    moved = dict(zip(own, other, strict=True))
    words = tuple(
        (moved[start], moved[end - 1] + 1) if start < end else (moved.get(start, len(text)),) * 2 for start, end in graph.words
    )
    return replace(graph, text=text, words=words)


def _places_of_letters(text: str) -> list[int]:
    return [place for place, character in enumerate(text) if not character.isspace()]


AMR_PARSER = "AMR"
CONCEPT_TAG, CONSTANT_TAG = "NN", "CD"

_NUMBERED = re.compile(r"(op|snt)\d+\Z")


def amr_document(graph: AmrGraph | str, *, identifier: str | None = None) -> Document:
    """A document of one sentence: the graph's text, its concepts as tokens, its named entities as mentions.

    Parameters
    ----------
    graph
        A graph, or its PENMAN notation.
    identifier
        Id of the document; the graph's own if not given.

    Examples
    --------
    >>> penman = '''# ::snt Ras binds Raf
    ... (b / bind-01 :ARG0 (p / protein :name (n / name :op1 "Ras")) :ARG1 (e / enzyme :name (m / name :op1 "Raf")))'''
    >>> document = amr_document(penman, identifier="d")
    >>> [(mention.id, mention.type, mention.text) for mention in document.mentions]
    [('T1', 'protein', 'Ras'), ('T2', 'enzyme', 'Raf')]
    >>> (sentence,) = document.sentences
    >>> [token.text for token in sentence.tokens]
    ['protein', 'bind', 'enzyme']
    >>> [(arc.head, arc.label, arc.dependent) for arc in sentence.dependencies]
    [(1, 'ARG0', 0), (1, 'ARG1', 2)]
    """
    if isinstance(graph, str):
        graph = parse_graph(graph)
    name = identifier or graph.id or "amr"
    entities = place_entities(graph)
    mentions = named_mentions(graph, entities)
    return Document(
        name,
        graph.text,
        (amr_sentence(graph, name, entities=entities),),
        tuple(replace(mention, id=f"T{number}") for number, mention in enumerate(mentions, 1)),
    ).check()


def named_mentions(graph: AmrGraph, entities: Places | None = None) -> list[Mention]:
    """The named entities of a graph as mentions of its text, in order, without ids."""
    mentions = [
        Mention("", graph.nodes[number].concept, spans, spanned_text(graph.text, spans), graph.nodes[number].ids)
        for number, spans in (place_entities(graph) if entities is None else entities).items()
        if spans
    ]
    return sorted(mentions, key=lambda mention: mention.spans)


def read_amr(given: Path | str, *, on_error: OnError = None) -> Iterator[Document]:
    """A document for each graph of a PENMAN file, or of a string in PENMAN notation.

    In lenient mode a malformed graph of a file is reported and left out.

    >>> [document.id for document in read_amr("# ::id d\\n# ::snt Ras binds\\n(b / bind-01)")]
    ['d']
    """
    if isinstance(given, str) and "(" in given and "/" in given and not exists(given):
        blocks = [block for block in re.split(r"\n\s*\n", given) if "(" in block]
        graphs: Iterator[AmrGraph] = map(parse_graph, blocks)
        stem_name = "amr"
    else:
        path = Path(given)
        graphs, stem_name = read_graphs(path, on_error=on_error), path.stem
    seen: set[str] = set()
    for number, graph in enumerate(graphs, 1):
        name = graph.id or f"{stem_name}.{number}"
        if name in seen:
            name = f"{name}#{number}"
        seen.add(name)
        yield amr_document(graph, identifier=name)


def with_amr(document: Document, graphs: Mapping[str, AmrGraph] | Iterable[AmrGraph]) -> Document:
    """The document with its sentences analysed by the graphs of the same id; sentences without a graph stay as they are.

    Mentions are the document's own. Alignments of the graph count only where its text is that of the sentence, blanks aside;
    otherwise names and words are looked up.
    """
    by_id = graphs if isinstance(graphs, Mapping) else {graph.id: graph for graph in graphs}
    sentences = []
    for sentence in document.sentences:
        graph = by_id.get(sentence.id) or by_id.get(sentence.id.partition("#")[0])
        if graph is not None:
            text = document.text[sentence.start : sentence.end]
            sentence = amr_sentence(on_text(graph, text), sentence.id, start=sentence.start)
        sentences.append(sentence)
    return replace(document, sentences=tuple(sentences)).check()


def amr_sentence(
    graph: AmrGraph, identifier: str, *, start: int = 0, entities: Places | None = None
) -> Sentence:
    """The graph as a parsed sentence that begins at ``start``."""
    places = _Places(graph)
    for number, placed in (place_entities(graph) if entities is None else entities).items():
        if placed:
            places.offer(number, placed[-1])
    rest = [number for number, node in enumerate(graph.nodes) if not places.has(number) and not node.name]
    rest.sort(key=lambda number: (graph.nodes[number].is_constant, not graph.nodes[number].is_frame))
    words = _WordFinder(graph)
    for number in rest:
        span = words.of(graph.nodes[number])
        if span is not None:
            places.offer(number, span)
    spans = places.complete()
    order = sorted(range(len(graph.nodes)), key=lambda number: (spans[number], number))
    position = {number: index for index, number in enumerate(order)}
    negations = {arc.target for arc in graph.arcs if _is_negation(graph, arc.target, arc.role)}
    tokens = tuple(
        _token(graph.nodes[number], start + spans[number][0], start + spans[number][1], number in negations) for number in order
    )
    arcs = tuple(
        Dependency(
            position[arc.source],
            position[arc.target],
            "neg" if arc.target in negations else _NUMBERED.sub(r"\1", arc.role),
            AMR_SCHEME,
        )
        for arc in graph.arcs
    )
    return Sentence(identifier, start, start + len(graph.text), tokens, arcs, AMR_PARSER)


class _Places:
    """Spans of nodes: the first node to be offered a stretch of text has it, later ones stand before it without width."""

    def __init__(self, graph: AmrGraph) -> None:
        self.graph = graph
        self.spans: dict[int, Span] = {}
        self._occupied: list[Span] = []

    def has(self, node: int) -> bool:
        return node in self.spans

    def offer(self, node: int, span: Span) -> None:
        holder = min((other for other in self._occupied if other[0] < span[1] and span[0] < other[1]), default=None)
        if holder is None:
            self._occupied.append(span)
            self.spans[node] = span
        else:
            self.spans[node] = (holder[0], holder[0])

    def complete(self) -> list[Span]:
        """Spans of all nodes: what has none yet stands before the nearest neighbour in the graph that has."""
        neighbours: list[list[int]] = [[] for _ in self.graph.nodes]
        for arc in self.graph.arcs:
            neighbours[arc.source].append(arc.target)
            neighbours[arc.target].append(arc.source)
        queue = deque(sorted(self.spans, key=self.spans.__getitem__))
        while queue:
            node = queue.popleft()
            for other in neighbours[node]:
                if other not in self.spans:
                    self.spans[other] = (self.spans[node][0], self.spans[node][0])
                    queue.append(other)
        return [self.spans.get(number, (0, 0)) for number in range(len(self.graph.nodes))]


class _WordFinder:
    """The word that expresses a concept: by alignment, else the first word of the same stem that no other concept has."""

    def __init__(self, graph: AmrGraph) -> None:
        self.graph = graph
        self._by_stem: dict[str, deque[Span]] = {}
        for match in re.finditer(r"\w+", graph.text):
            self._by_stem.setdefault(stem(match.group()), deque()).append(match.span())

    def of(self, node: AmrNode) -> Span | None:
        if node.words:
            return self.graph.words[node.words[-1]]
        if any(other.words for other in self.graph.nodes):  # a graph with alignments leaves out what no word expresses
            return None
        spans = self._by_stem.get(stem(node.word.rpartition("-")[2]))
        return spans.popleft() if spans else None


def _token(node: AmrNode, start: int, end: int, is_negation: bool) -> Token:
    word = "not" if is_negation else node.word or "_"
    tag = CONSTANT_TAG if node.is_constant else FRAME_TAG if node.is_frame else CONCEPT_TAG
    return Token(start, end, word, "RB" if is_negation else tag, word)


def _is_negation(graph: AmrGraph, node: int, role: str) -> bool:
    return role == "polarity" and graph.nodes[node].is_constant and graph.nodes[node].concept == "-"
