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

Tokens and dependencies in unified XML: which of several parses to take, and how to read it.

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

    Parameters
    ----------
    base
        Where the sentence begins in the document.
    after_end
        What must be added to the end of a ``charOffset``: 1 when ends are inclusive.
    wanted
        Name of the parse to take, or ``None`` for ``split_parse`` if it is there, else the first.
    """
    parses: list[etree._Element] = []
    tokenizations: list[etree._Element] = []
    for analyses in sentence:
        if analyses.tag == "sentenceanalyses" or analyses.tag == "analyses":
            for group in analyses:
                for analysis in group if group.tag in ("parses", "tokenizations") else (group,):
                    if analysis.tag == "parse":
                        parses.append(analysis)
                    elif analysis.tag == "tokenization":
                        tokenizations.append(analysis)
    parse = _chosen_parse(parses, wanted, sentence, path)
    if parse is None:
        tokenization = _preferred(tokenizations, "tokenizer")
        return ((), (), "") if tokenization is None else (_tokens(tokenization, base, after_end, path)[0], (), "")
    tokens, index = _tokens(_tokenization_of(parse, tokenizations, sentence, path), base, after_end, path)
    name = parse.get("parser", "")
    return (
        tokens,
        _dependencies(parse, index, sentence, path),
        name if parse.get("source") == OWN_PARSE else FILE_PARSER + name,
    )


def _chosen_parse(
    parses: list[etree._Element], wanted: str | None, sentence: etree._Element, path: Path
) -> etree._Element | None:
    if wanted is None:
        return _preferred(parses, "parser")
    for parse in parses:
        if parse.get("parser") == wanted:
            return parse
    there = ", ".join(repr(parse.get("parser")) for parse in parses) or "none"
    raise CorpusError(f"there is no parse {wanted!r} (there: {there})", path=path, where=place_of(sentence))


def _preferred(elements: list[etree._Element], attribute: str) -> etree._Element | None:
    for name in _PREFERRED:
        for element in elements:
            if element.get(attribute) == name:
                return element
    return elements[0] if elements else None


def _tokenization_of(
    parse: etree._Element, tokenizations: list[etree._Element], sentence: etree._Element, path: Path
) -> etree._Element:
    name = parse.get("tokenizer")
    for tokenization in tokenizations:
        if name is None or tokenization.get("tokenizer") == name:
            return tokenization
    raise CorpusError(
        f"the parse {parse.get('parser')!r} needs the tokenization {name!r}, which is missing",
        path=path,
        where=place_of(sentence),
    )


def _tokens(tokenization: etree._Element, base: int, after_end: int, path: Path) -> tuple[tuple[Token, ...], dict[str, int]]:
    """The tokens, and the index of each by its id."""
    tokens = []
    index = {}
    to_end = base + after_end
    for number, element in enumerate(tokenization):
        get = element.get
        try:
            start, _, end = get("charOffset", "").partition("-")
            token = Token(int(start) + base, int(end) + to_end, get("text", ""), get("POS", ""), get("lemma", ""))
        except ValueError as error:
            raise CorpusError(
                f"charOffset={get('charOffset')!r} of a token is not of the form start-end",
                path=path,
                where=place_of(element),
            ) from error
        index[get("id", "")] = number
        tokens.append(token)
    return tuple(tokens), index


def _dependencies(parse: etree._Element, index: dict[str, int], sentence: etree._Element, path: Path) -> tuple[Dependency, ...]:
    dependencies = []
    scheme = parse.get("scheme", DEFAULT_SCHEME)
    for element in parse:
        get = element.get
        label = get("type", "")
        try:
            dependencies.append(Dependency(index[get("t1", "")], index[get("t2", "")], label, scheme))
        except KeyError as error:
            if label.lower() == "root":  # some parsers write an arc from nowhere to the root
                continue
            raise CorpusError(
                f"the dependency {label!r} refers to the token {error.args[0]!r}, which does not exist",
                path=path,
                where=place_of(sentence),
            ) from error
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

    Parameters
    ----------
    path
        The file, gzipped or not.
    on_error
        Given the error of each broken document, which is then skipped; otherwise the first error is raised.
    remarks
        Where what was put right is counted.
    parse
        Name of the parse to take (``parser`` attribute). By default ``split_parse`` if a sentence has it, else its first.
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
            raise CorpusError("document without an id", path=self.path, where=place_of(element))
        sentences, text, starts = self._text(element, identifier)
        mentions: list[Mention] = []
        relations: list[Relation] = []
        pairs: list[CandidatePair] = []
        built = []
        for sentence, start in zip(sentences, starts, strict=True):
            built.append(self._sentence(sentence, start, mentions, relations, pairs))
        listed = element.get("candidates", LISTED if pairs or self.lists_pairs else UNLISTED) == LISTED
        metadata = {str(key): str(value) for key, value in element.items() if key not in RESERVED_ATTRIBUTES}
        passages = []
        for child in element:
            if child.tag == "passage":
                ((start, end),) = self._spans(child, identifier)
                passages.append(Passage(child.get("type", ""), start, end))
            elif child.tag == "infon":
                metadata[child.get("key", "")] = child.text or ""
            elif child.tag in ("entity", "pair", "interaction"):
                raise CorpusError(
                    f"<{child.tag}> outside of a sentence", path=self.path, where=child.get("id", identifier),
                    remedy="move it into the <sentence> it belongs to",
                )  # fmt: skip
        return Document(
            id=identifier,
            text=text,
            sentences=tuple(built),
            mentions=tuple(mentions),
            relations=tuple(relations),
            candidates=tuple(pairs) if listed else None,
            passages=tuple(passages),
            metadata=metadata,
        )

    def _text(self, document: etree._Element, identifier: str) -> tuple[list[etree._Element], str, list[int]]:
        """The sentences of a document, its text, and where in it each sentence begins."""
        sentences = document.findall("sentence")
        texts = [sentence.get("text") for sentence in sentences]
        for sentence, sentence_text in zip(sentences, texts, strict=True):
            if sentence_text is None:
                raise CorpusError("sentence without a text attribute", path=self.path, where=place_of(sentence))
        known = document.get("text")
        placed = bool(sentences) and all("charOffset" in sentence.attrib for sentence in sentences)
        if known is None and not placed:
            starts, position = [], 0
            for sentence_text in texts:
                starts.append(position)
                position += len(sentence_text or "") + 1
            return sentences, "\n".join(map(str, texts)), starts
        starts = []
        parts: list[str] = []
        position = 0
        for sentence, sentence_text in zip(sentences, map(str, texts), strict=True):
            where = sentence.get("id", identifier)
            start = self._spans(sentence, where)[0][0] if placed else str(known).find(sentence_text, position)
            if known is not None and not (start >= 0 and known.startswith(sentence_text, start)):
                raise CorpusError("the sentence is not at this place of the document's text", path=self.path, where=where)
            if not position <= start <= position + _LARGEST_GAP:
                raise CorpusError(
                    f"the sentence begins at {start}, but the one before it ends at {position}", path=self.path, where=where
                )
            parts += " " * (start - position), sentence_text
            starts.append(start)
            position = start + len(sentence_text)
        return sentences, "".join(parts) if known is None else known, starts

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
            raise CorpusError("sentence without an id", path=self.path, where=place_of(element))
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
            raise CorpusError("entity without an id", path=self.path, where=place_of(element))
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
        siblings = element.itersiblings("entity", preceding=True), element.itersiblings("entity")
        return list(
            placed(
                text,
                sentence,
                spans,
                self.remarks,
                path=self.path,
                where=identifier,
                taken={tuple(self._spans(other, identifier)) for side in siblings for other in side},
                counted=f"charOffset={element.get('charOffset')!r} counts characters of the sentence from 0",
            )
        )

    def _pair(self, element: etree._Element, relations: list[Relation], pairs: list[CandidatePair]) -> None:
        get = element.get
        first, second = get("e1"), get("e2")
        identifier = get("id") or f"{first}-{second}"
        if first is None or second is None:
            raise CorpusError(f"<{element.tag}> without e1 and e2", path=self.path, where=place_of(element))
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
            raise CorpusError(
                f"the pair says neither true nor false (interaction or ddi is {value!r})", path=self.path, where=identifier
            )
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
                f"charOffset={element.get('charOffset')!r} of <{element.tag}> is not of the form start-end",
                path=self.path,
                where=where,
            ) from error
        if len(spans) > 1:
            spans.sort()
        return spans


@lru_cache(maxsize=4096)
def type_and_ids(type_attribute: str) -> tuple[str, tuple[str, ...]]:
    """What the ``type`` of an entity says: its type, or (HPRD50) its database ids.

    >>> type_and_ids("Gene"), type_and_ids("pm0113245||pm0120764")
    (('Gene', ()), ('protein', ('pm0113245', 'pm0120764')))
    """
    if _DATABASE_TYPE.search(type_attribute):
        return "protein", tuple(type_attribute.split(ID_SEPARATOR))
    return type_attribute, ()
