"""The unified XML of the protein-interaction corpora ("learning format", Airola et al. 2008), and its dialects.

``<corpus>`` (left out in the DDI corpus) holds ``<document>`` holds ``<sentence text="…">`` with its entities, pairs, tokens
and parses. What differs between the files in circulation is recognised, not configured:

========================  ================================================================================================
ends of ``charOffset``    inclusive (PPI corpora, DDI corpus) or exclusive: whichever the texts of entities (or tokens) bear out
``<pair>``                lists candidates; ``interaction="True"`` (PPI) or ``ddi="true" type="effect"`` (DDI) makes a relation
``<interaction>``         lists relations only; every pair of mentions in a sentence is then a candidate
parses                    none, one or several: ``split_parse`` if there (hyphenated words are split in it), else the first
document text             the sentences joined by newlines, unless the document has a ``text`` or its sentences a ``charOffset``
========================  ================================================================================================

HPRD50 keeps database ids where others keep the type (``type="pm0125479"``): such mentions get the type ``protein`` and the ids.

A sentence may hold several tokenisations and several parses, each of which names the tokenisation it was made on.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from lxml import etree

from relhash.corpus.document import (
    Argument,
    CandidatePair,
    Dependency,
    Document,
    Mention,
    Passage,
    Relation,
    Sentence,
    Span,
    Token,
    spanned_text,
)
from relhash.corpus.remarks import OnError, Remarks, agrees, placed, without_broken
from relhash.corpus.xml_safety import place_of, stream_elements
from relhash.errors import CorpusError

FILE_PARSER = "file:"
"""Parses that come with a corpus are named ``file:split_parse``, so that no model takes them for those of a parser at hand."""
OWN_PARSE = "relhash"
"""``source`` of a parse that we wrote: its parser is known by its own name."""

DEFAULT_SCHEME = "stanford-collapsed"
"""The label scheme of all published files; ours say it when it is another."""

_PREFERRED = ("split_parse", "split")


def read_parse(
    sentence: etree._Element, *, base: int, after_end: int, wanted: str | None, path: Path
) -> tuple[tuple[Token, ...], tuple[Dependency, ...], str]:
    """Tokens, dependencies and the name of the parser; empty where the sentence has none.

    The sentence begins at ``base`` of the document; ``after_end`` is added to the end of a ``charOffset`` (1 when ends are
    inclusive); ``wanted`` is the name of the parse to take, by default ``split_parse`` if it is there, else the first.
    """
    found: dict[str, list[etree._Element]] = {"parse": [], "tokenization": []}
    for analyses in sentence:
        if analyses.tag == "sentenceanalyses" or analyses.tag == "analyses":
            for group in analyses:
                for analysis in group if group.tag in ("parses", "tokenizations") else (group,):
                    found.get(str(analysis.tag), []).append(analysis)
    parses, tokenizations = found["parse"], found["tokenization"]
    if wanted is None:
        parse = _preferred(parses, "parser")
    else:
        parse = next((one for one in parses if one.get("parser") == wanted), None)
        if parse is None:
            there = ", ".join(repr(one.get("parser")) for one in parses) or "none"
            raise CorpusError(f"there is no parse {wanted!r} (there: {there})", path, place_of(sentence))
    if parse is None:
        tokenization = _preferred(tokenizations, "tokenizer")
        return ((), (), "") if tokenization is None else (_tokens(tokenization, base, after_end, path)[0], (), "")
    name, made_on = parse.get("parser", ""), parse.get("tokenizer")
    tokenization = next((one for one in tokenizations if made_on is None or one.get("tokenizer") == made_on), None)
    if tokenization is None:
        problem = f"the parse {parse.get('parser')!r} needs the tokenization {made_on!r}, which is missing"
        raise CorpusError(problem, path, place_of(sentence))
    tokens, index = _tokens(tokenization, base, after_end, path)
    arcs = _dependencies(parse, index, sentence, path)
    return tokens, arcs, name if parse.get("source") == OWN_PARSE else FILE_PARSER + name


def _preferred(elements: list[etree._Element], attribute: str) -> etree._Element | None:
    preferred = (element for name in _PREFERRED for element in elements if element.get(attribute) == name)
    return next(preferred, elements[0] if elements else None)


def _tokens(tokenization: etree._Element, base: int, after_end: int, path: Path) -> tuple[tuple[Token, ...], dict[str, int]]:
    """The tokens, and the index of each by its id."""
    tokens, index, to_end = [], {}, base + after_end
    for number, element in enumerate(tokenization):
        get = element.get
        try:
            start, _, end = get("charOffset", "").partition("-")
            tokens.append(Token(int(start) + base, int(end) + to_end, get("text", ""), get("POS", ""), get("lemma", "")))
        except ValueError as error:
            problem = f"charOffset={get('charOffset')!r} of a token is not of the form start-end"
            raise CorpusError(problem, path, place_of(element)) from error
        index[get("id", "")] = number
    return tuple(tokens), index


def _dependencies(parse: etree._Element, index: dict[str, int], sentence: etree._Element, path: Path) -> tuple[Dependency, ...]:
    dependencies = []
    scheme = parse.get("scheme", DEFAULT_SCHEME)
    for element in parse:
        label = element.get("type", "")
        try:
            ends = index[element.get("t1", "")], index[element.get("t2", "")]
        except KeyError as error:
            if label.lower() == "root":  # some parsers write an arc from nowhere to the root
                continue
            problem = f"the dependency {label!r} refers to the token {error.args[0]!r}, which does not exist"
            raise CorpusError(problem, path, place_of(sentence)) from error
        dependencies.append(Dependency(*ends, label, scheme))
    return tuple(dependencies)


DEFAULT_RELATION = "interaction"
"""Type of a relation whose ``<pair>`` names none."""
ID_SEPARATOR = "||"
"""Between the database ids of an entity (attribute ``dbIds``, and HPRD50's types)."""
LISTED, UNLISTED = "listed", "unlisted"
"""Values of ``candidates``, an attribute of ``<document>`` that our writer adds where pairs alone would not tell."""
RESERVED_ATTRIBUTES = frozenset({"id", "text", "candidates"})
"""Attributes of ``<document>`` with a meaning; all others are its metadata."""

_ROOTS = ("corpus", "document")  # the DDI corpus has one file per document
_DATABASE_TYPE = re.compile(r"pm\d{7}")
_ENOUGH_VOTES = 20
_LOOK_AHEAD = 100
_LARGEST_GAP = 1_000_000  # characters between sentences; a wrong offset must not fill the memory with blanks


def read_unified_xml(
    path: Path, *, on_error: OnError = None, remarks: Remarks | None = None, parse: str | None = None
) -> Iterator[Document]:
    """Documents of a unified XML file, one at a time.

    ``parse`` names the parse to take (``parser`` attribute). By default ``split_parse`` if a sentence has it, else its first.
    """
    reader = _Reader(path, parse, remarks or Remarks())
    return without_broken(reader.elements(), lambda element: reader.document(element).check(str(path)), on_error)


class _Reader:
    """What is known about the dialect of one file, and how to make documents with it."""

    def __init__(self, path: Path, parse: str | None, remarks: Remarks) -> None:
        self.path, self.parse, self.remarks = path, parse, remarks
        self.votes = {0: 0, 1: 0}  # what must be added to the end of a charOffset → entities that say so
        self.lists_pairs = self.lists_interactions = False

    @property
    def is_certain(self) -> bool:
        return max(self.votes.values()) >= _ENOUGH_VOTES and (self.lists_pairs or self.lists_interactions)

    @property
    def after_end(self) -> int:
        """1 when ends are inclusive."""
        return 1 if self.votes[1] >= self.votes[0] else 0

    def elements(self) -> Iterator[etree._Element]:
        """The documents of the file, the first ones only when enough of them were looked at to be certain of the dialect."""
        pending: list[etree._Element] = []
        try:
            for element in stream_elements(self.path, "document", root=_ROOTS):
                if not self.is_certain:
                    self.look_at(element)
                    if not self.is_certain and len(pending) < _LOOK_AHEAD:
                        pending.append(copy.deepcopy(element))
                        continue
                yield from pending
                pending.clear()
                yield element
        except CorpusError:
            yield from pending
            raise
        yield from pending

    def look_at(self, document: etree._Element) -> None:
        """Learn from a document which dialect the file is in."""
        self.lists_pairs |= document.find("sentence/pair") is not None
        self.lists_interactions |= document.find("sentence/interaction") is not None
        for sentence in document.iterfind("sentence"):
            text = sentence.get("text", "")
            elements = sentence.findall("entity") or list(sentence.iter("token"))
            for element in elements:
                start, _, end = element.get("charOffset", "").partition("-")
                if start.isdecimal() and end.isdecimal():
                    for after_end in self.votes:
                        self.votes[after_end] += text[int(start) : int(end) + after_end] == element.get("text")

    def document(self, element: etree._Element) -> Document:
        identifier = element.get("id")
        if not identifier:
            raise CorpusError("document without an id", self.path, place_of(element))
        sentences = element.findall("sentence")
        text, starts = self._text(element, sentences, identifier)
        mentions: list[Mention] = []
        relations: list[Relation] = []
        pairs: list[CandidatePair] = []
        built = [self._sentence(*one, mentions, relations, pairs) for one in zip(sentences, starts, strict=True)]
        listed = element.get("candidates", LISTED if pairs or self.lists_pairs else UNLISTED) == LISTED
        metadata = {str(key): str(value) for key, value in element.items() if key not in RESERVED_ATTRIBUTES}
        passages = []
        for child in element:
            if child.tag == "passage":
                passages.append(Passage(child.get("type", ""), *self._spans(child, identifier)[0]))
            elif child.tag == "infon":
                metadata[child.get("key", "")] = child.text or ""
            elif child.tag in ("entity", "pair", "interaction"):
                remedy = "move it into the <sentence> it belongs to"
                raise CorpusError(f"<{child.tag}> outside of a sentence", self.path, child.get("id", identifier), remedy=remedy)
        return Document(
            identifier, text, tuple(built), tuple(mentions), tuple(relations), tuple(pairs) if listed else None,
            passages=tuple(passages), metadata=metadata,
        )  # fmt: skip

    def _text(self, document: etree._Element, sentences: list[etree._Element], identifier: str) -> tuple[str, list[int]]:
        """The text of a document, and where in it each sentence begins."""
        for sentence in sentences:
            if "text" not in sentence.attrib:
                raise CorpusError("sentence without a text attribute", self.path, place_of(sentence))
        known = document.get("text")
        is_placed = bool(sentences) and all("charOffset" in sentence.attrib for sentence in sentences)
        starts: list[int] = []
        parts: list[str] = []
        position = 0
        for sentence in sentences:
            text, where = sentence.get("text", ""), sentence.get("id", identifier)
            if is_placed:
                start = self._spans(sentence, where)[0][0]
            else:
                start = position + bool(starts) if known is None else known.find(text, position)
            if known is not None and not (start >= 0 and known.startswith(text, start)):
                raise CorpusError("the sentence is not at this place of the document's text", self.path, where)
            if not position <= start <= position + _LARGEST_GAP:
                problem = f"the sentence begins at {start}, but the one before it ends at {position}"
                raise CorpusError(problem, self.path, where)
            parts += (" " if is_placed else "\n") * (start - position), text
            starts.append(start)
            position = start + len(text)
        return "".join(parts) if known is None else known, starts

    def _sentence(
        self,
        element: etree._Element,
        start: int,
        mentions: list[Mention],
        relations: list[Relation],
        pairs: list[CandidatePair],
    ) -> Sentence:
        identifier = element.get("id")
        if not identifier:
            raise CorpusError("sentence without an id", self.path, place_of(element))
        text = element.get("text", "")
        for child in element:
            tag = child.tag
            if tag == "entity":
                mentions.append(self._mention(child, text, start))
            elif tag == "pair" or tag == "interaction":
                self._pair(child, relations, pairs)
        parse = read_parse(element, base=start, after_end=self.after_end, wanted=self.parse, path=self.path)
        return Sentence(identifier, start, start + len(text), *parse)

    def _mention(self, element: etree._Element, sentence: str, base: int) -> Mention:
        identifier = element.get("id")
        if not identifier:
            raise CorpusError("entity without an id", self.path, place_of(element))
        spans = self._spans(element, identifier)
        found = spanned_text(sentence, spans)
        text = element.get("text", found)
        if spans[-1][1] > len(sentence) or (text != found and not agrees(text, sentence, spans)):
            spans = self._moved(element, spans, text, sentence, identifier)
            text = text if agrees(text, sentence, spans) else spanned_text(sentence, spans)
        kind, ids = type_and_ids(element.get("type", ""))
        if "dbIds" in element.attrib:
            kind, ids = element.get("type", ""), tuple(filter(None, element.get("dbIds", "").split(ID_SEPARATOR)))
        shifted = tuple([(start + base, end + base) for start, end in spans])
        return Mention(identifier, kind, shifted, text, ids, element.get("event", "").lower() == "true")

    def _moved(self, element: etree._Element, spans: list[Span], text: str, sentence: str, identifier: str) -> list[Span]:
        """The spans of an entity whose text stands a little beside them, in its own sentence."""
        siblings = (one for side in (True, False) for one in element.itersiblings("entity", preceding=side))
        taken = {tuple(self._spans(other, identifier)) for other in siblings}
        counted = f"charOffset={element.get('charOffset')!r} counts characters of the sentence from 0"
        place = self.path, identifier
        return list(placed(text, sentence, spans, self.remarks, *place, taken=taken, counted=counted))

    def _pair(self, element: etree._Element, relations: list[Relation], pairs: list[CandidatePair]) -> None:
        get = element.get
        first, second = get("e1"), get("e2")
        identifier = get("id") or f"{first}-{second}"
        if first is None or second is None:
            raise CorpusError(f"<{element.tag}> without e1 and e2", self.path, place_of(element))
        if element.tag == "pair":
            pairs.append(CandidatePair(identifier, first, second))
            if not self._is_positive(element, identifier):
                return
        roles = ("Arg1", "Arg2") if get("directed", "").lower() == "true" else ("e1", "e2")
        arguments = (Argument(get("e1Role", roles[0]), first), Argument(get("e2Role", roles[1]), second))
        relations.append(Relation(get("relationId", identifier), get("type", DEFAULT_RELATION), arguments))

    def _is_positive(self, pair: etree._Element, identifier: str) -> bool:
        value = pair.get("interaction", pair.get("ddi"))
        answer = {"true": True, "1": True, "false": False, "0": False}.get((value or "").lower())
        if answer is None:
            raise CorpusError(f"the pair says neither true nor false (interaction or ddi is {value!r})", self.path, identifier)
        return answer

    def _spans(self, element: etree._Element, where: str) -> list[Span]:
        after_end = self.after_end
        spans = []
        try:
            for part in element.get("charOffset", "").replace(";", ",").split(","):
                start, _, end = part.partition("-")
                spans.append((int(start), int(end) + after_end))
        except ValueError as error:
            raise CorpusError(
                f"charOffset={element.get('charOffset')!r} of <{element.tag}> is not of the form start-end", self.path, where
            ) from error
        if len(spans) > 1:
            spans.sort()
        return spans


@lru_cache(maxsize=4096)
def type_and_ids(type_attribute: str) -> tuple[str, tuple[str, ...]]:
    """What the ``type`` of an entity says: its type, or (HPRD50) its database ids."""
    if _DATABASE_TYPE.search(type_attribute):
        return "protein", tuple(type_attribute.split(ID_SEPARATOR))
    return type_attribute, ()
