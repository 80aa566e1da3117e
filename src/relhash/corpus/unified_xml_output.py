"""Writing unified XML: the ``<pair>`` dialect with inclusive ends, tokens and dependencies as one parse.

The format is sentence-wise and binary. It holds sentences, tokens, parses, mentions (also discontinuous ones and triggers, with
database ids), candidate pairs, relations between two mentions of one sentence, passages and metadata. Relations with a trigger
or with other than two mentions as arguments, relations across sentences, attributes, equivalences and mentions outside of
sentences are refused: ``jsonl`` holds all of them.

What the original format has no place for is written as elements and attributes that its other readers ignore (``candidates``,
``dbIds``, ``e1Role``, ``scheme``, ``<passage>``, ``<infon>``). A document without a list of candidates gets all pairs of a
sentence listed, since those readers expect them, and is marked ``candidates="unlisted"``.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from pathlib import Path

from lxml import etree

from relhash.corpus.document import CandidatePair, Document, Mention, Relation, Sentence, Span
from relhash.corpus.source import writing
from relhash.corpus.unified_xml import (
    DEFAULT_RELATION,
    DEFAULT_SCHEME,
    FILE_PARSER,
    ID_SEPARATOR,
    LISTED,
    OWN_PARSE,
    RESERVED_ATTRIBUTES,
    UNLISTED,
    type_and_ids,
)
from relhash.errors import CorpusError

_ATTRIBUTE_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_TOKENIZER = "tokens"
_REMEDY = "write jsonl, which holds everything, or brat"


def write_unified_xml(documents: Iterable[Document], path: Path) -> None:
    """Write documents as unified XML; raises :class:`CorpusError`, and leaves no file, for what the format cannot hold."""
    with writing(path) as handle:
        handle.write('<?xml version="1.0" encoding="UTF-8"?>\n<corpus source="relhash">\n')
        for document in documents:
            try:
                element = _Writer(document, path).element()
            except ValueError as error:  # lxml's word for control characters and lone surrogates
                raise CorpusError(f"a text that XML cannot hold ({error})", path, document.id, remedy=_REMEDY) from error
            etree.indent(element, "  ", level=1)
            handle.write(f"  {etree.tostring(element, encoding='unicode')}\n")
        handle.write("</corpus>\n")


class _Writer:
    """One document on its way into XML."""

    def __init__(self, document: Document, path: Path) -> None:
        self.document, self.path = document, path

    def element(self) -> etree._Element:
        document = self.document
        self._refuse_what_has_no_place()
        root = etree.Element("document", id=document.id)
        for key, value in document.metadata.items():
            if _ATTRIBUTE_NAME.fullmatch(key) and key not in RESERVED_ATTRIBUTES:
                root.set(key, value)
            else:
                etree.SubElement(root, "infon", key=key).text = value
        is_placed = self._needs_places()
        if is_placed:
            root.set("text", document.text)
        sentences = []
        for sentence in document.sentences:
            child = etree.SubElement(root, "sentence", id=sentence.id, text=document.text[sentence.start : sentence.end])
            if is_placed:
                child.set("charOffset", _offsets(((sentence.start, sentence.end),)))
            sentences.append(child)
        self._write_mentions_and_pairs(root, sentences)
        for sentence, child in zip(document.sentences, sentences, strict=True):
            self._write_parse(sentence, child)
        for passage in document.passages:
            etree.SubElement(root, "passage", type=passage.type, charOffset=_offsets(((passage.start, passage.end),)))
        return root

    def _refuse_what_has_no_place(self) -> None:
        document = self.document
        if document.attributes:
            raise self._refusal("attributes such as negation have no place in unified XML", document.attributes[0].id)
        if document.equivalences:
            raise self._refusal("equivalences have no place in unified XML", document.id)
        known = document.mention_by_id
        for relation in document.relations:
            if relation.trigger is not None or len(relation.arguments) != 2:
                raise self._refusal("unified XML holds relations between two mentions, none with a trigger", relation.id)
            if any(target not in known for target in relation.targets):
                raise self._refusal("unified XML holds relations between mentions, not between relations", relation.id)
        position = 0
        for sentence in document.sentences:
            if sentence.start < position:
                raise self._refusal("sentences overlap or are not in order", sentence.id)
            position = sentence.end

    def _needs_places(self) -> bool:
        """Whether the text is more than the sentences joined by newlines."""
        text, position = self.document.text, 0
        for sentence in self.document.sentences:
            if sentence.start != position or (position and text[position - 1] != "\n"):
                return True
            position = sentence.end + 1
        return len(text) != max(position - 1, 0)

    def _write_mentions_and_pairs(self, root: etree._Element, sentences: list[etree._Element]) -> None:
        document = self.document
        home = {mention.id: self._sentence_of(mention) for mention in document.mentions}
        for mention in document.mentions:
            self._write_mention(mention, document.sentences[home[mention.id]].start, sentences[home[mention.id]])
        pairs = document.candidates
        if not pairs:
            root.set("candidates", UNLISTED if pairs is None else LISTED)
        if pairs is None:
            pairs = self._all_pairs(home)
        waiting: dict[frozenset[str], list[Relation]] = {}
        for relation in document.relations:
            waiting.setdefault(frozenset(relation.targets), []).append(relation)

        def write(tag: str, identifier: str, first: str, second: str) -> etree._Element:
            if home[first] != home[second]:
                raise self._refusal("unified XML holds pairs inside one sentence only", identifier)
            return etree.SubElement(sentences[home[first]], tag, id=identifier, e1=first, e2=second)

        for pair in pairs:
            matching = waiting.get(frozenset((pair.first, pair.second)))
            child = write("pair", pair.id, pair.first, pair.second)
            child.set("interaction", "True" if matching else "False")
            if matching:
                _describe_relation(child, matching.pop(0))
        left = {relation.id for relations in waiting.values() for relation in relations}
        for relation in document.relations:
            if relation.id in left:
                _describe_relation(write("interaction", relation.id, *relation.targets), relation)

    def _write_mention(self, mention: Mention, base: int, sentence: etree._Element) -> None:
        offsets = _offsets([(start - base, end - base) for start, end in mention.spans])
        child = etree.SubElement(sentence, "entity", id=mention.id, charOffset=offsets, text=mention.text, type=mention.type)
        if any(not identifier or ID_SEPARATOR in identifier for identifier in mention.ids):
            raise self._refusal(f"database ids must not be empty or contain {ID_SEPARATOR!r}", mention.id)
        if mention.ids or type_and_ids(mention.type)[1]:
            child.set("dbIds", ID_SEPARATOR.join(mention.ids))
        if mention.is_trigger:
            child.set("event", "True")

    def _sentence_of(self, mention: Mention) -> int:
        for number, sentence in enumerate(self.document.sentences):
            if sentence.start <= mention.start and mention.end <= sentence.end:
                return number
        if not self.document.sentences:
            raise self._refusal("unified XML needs sentences, and the document has none", self.document.id)
        raise self._refusal(f"the mention {mention.text!r} is not inside one sentence", mention.id)

    def _all_pairs(self, home: dict[str, int]) -> tuple[CandidatePair, ...]:
        mentions = sorted((m for m in self.document.mentions if not m.is_trigger), key=lambda mention: home[mention.id])
        pairs = []
        for number, group in itertools.groupby(mentions, key=lambda mention: home[mention.id]):
            for count, (first, second) in enumerate(itertools.combinations(group, 2)):
                pairs.append(CandidatePair(f"{self.document.sentences[number].id}.p{count}", first.id, second.id))
        return tuple(pairs)

    def _write_parse(self, sentence: Sentence, element: etree._Element) -> None:
        if not sentence.tokens and not sentence.parser:
            return
        analyses = etree.SubElement(element, "sentenceanalyses")
        if sentence.is_parsed or sentence.parser:
            schemes = {arc.scheme for arc in sentence.dependencies} or {DEFAULT_SCHEME}
            if len(schemes) > 1:
                raise self._refusal("dependencies of several label schemes in one sentence", sentence.id)
            parse = etree.SubElement(etree.SubElement(analyses, "parses"), "parse", tokenizer=_TOKENIZER)
            parse.set("parser", sentence.parser.removeprefix(FILE_PARSER))
            if not sentence.parser.startswith(FILE_PARSER):
                parse.set("source", OWN_PARSE)
            if schemes != {DEFAULT_SCHEME}:
                parse.set("scheme", schemes.pop())
            for number, arc in enumerate(sentence.dependencies, 1):
                child = etree.SubElement(parse, "dependency", id=f"d{number}", type=arc.label)
                child.set("t1", f"t{arc.head + 1}")
                child.set("t2", f"t{arc.dependent + 1}")
        group = etree.SubElement(analyses, "tokenizations")
        tokenization = etree.SubElement(group, "tokenization", tokenizer=_TOKENIZER)
        for number, token in enumerate(sentence.tokens, 1):
            offsets = _offsets(((token.start - sentence.start, token.end - sentence.start),))
            child = etree.SubElement(tokenization, "token", id=f"t{number}", charOffset=offsets, text=token.text)
            if token.pos:
                child.set("POS", token.pos)
            if token.lemma:
                child.set("lemma", token.lemma)

    def _refusal(self, message: str, where: str) -> CorpusError:
        return CorpusError(message, self.path, where, remedy=_REMEDY)


def _offsets(spans: Iterable[Span]) -> str:
    """Spans as ``charOffset`` says them, with inclusive ends."""
    return ",".join(f"{start}-{end - 1}" for start, end in spans)


def _describe_relation(element: etree._Element, relation: Relation) -> None:
    """Add to a ``<pair>`` or ``<interaction>`` what its ends and id do not say."""
    if relation.id != element.get("id"):
        element.set("relationId", relation.id)
    if relation.type != DEFAULT_RELATION:
        element.set("type", relation.type)
    arguments = relation.arguments if relation.arguments[0].target == element.get("e1") else relation.arguments[::-1]
    for attribute, default, argument in zip(("e1Role", "e2Role"), ("e1", "e2"), arguments, strict=True):
        if argument.role != default:
            element.set(attribute, argument.role)
