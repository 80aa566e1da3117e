"""Writing BioC, as XML and as JSON.

Texts, passages, sentences, mentions, relations and interactions have their place in BioC. Triggers, attributes, equivalences
and the list of candidate pairs are written as infons and relations that :mod:`relhash.corpus.bioc` understands and other
programs pass over. Tokens and parses are left out: BioC has no agreed way to write them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from relhash.corpus.bioc_records import ATTRIBUTE_KEY, CANDIDATES_KEY, EQUIVALENCE, gap_between
from relhash.corpus.document import Attribute, Document, Mention, Passage, Relation
from relhash.corpus.source import writing
from relhash.errors import CorpusError

if TYPE_CHECKING:
    from bioc import BioCAnnotation, BioCDocument, BioCPassage, BioCRelation

_REMEDY = "write jsonl, which holds everything"


def write_bioc_json(documents: Iterable[Document], path: Path) -> None:
    """Write a BioC JSON collection; raises :class:`CorpusError`, and leaves no file, for what BioC cannot hold."""
    from bioc import biocjson

    with writing(path) as handle:
        # no date: the same corpus gives the same bytes
        head = {"bioctype": "BioCCollection", "source": "relhash", "date": "", "key": "", "version": "1.0", "infons": {}}
        handle.write(json.dumps(head)[:-1] + ', "documents": [')
        for number, document in enumerate(documents):
            record = json.dumps(biocjson.toJSON(_Writer(document, path).document()), ensure_ascii=False)
            handle.write(f"{',' if number else ''}\n{record}")
        handle.write("\n]}\n")


def write_bioc_xml(documents: Iterable[Document], path: Path) -> None:
    """Write a BioC XML collection; raises :class:`CorpusError`, and leaves no file, for what BioC cannot hold."""
    from bioc.biocxml.encoder import encode_document

    with writing(path) as handle:
        handle.write('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE collection SYSTEM "BioC.dtd">\n')
        handle.write("<collection><source>relhash</source><date/><key/>\n")
        for document in documents:
            try:
                xml = etree.tostring(encode_document(_Writer(document, path).document()), encoding="unicode")
            except ValueError as error:  # lxml's word for control characters and lone surrogates
                raise CorpusError(
                    f"a text that XML cannot hold ({error})", path=path, where=document.id, remedy=_REMEDY
                ) from error
            handle.write(f"{xml}\n")
        handle.write("</collection>\n")


class _Writer:
    """One of our documents on its way to the library's."""

    def __init__(self, document: Document, path: Path) -> None:
        self.source, self.path = document, path
        self.attributes: dict[str, list[Attribute]] = {}
        for attribute in document.attributes:
            if "=" in attribute.type:
                raise self._refusal("BioC has no place for an attribute type with '='", attribute.id)
            self.attributes.setdefault(attribute.target, []).append(attribute)

    def document(self) -> BioCDocument:
        from bioc import BioCDocument

        source = self.source
        document = BioCDocument()
        document.id = source.id
        document.infons = dict(source.metadata)
        if source.candidates is not None:
            listed = [[pair.id, pair.first, pair.second] for pair in source.candidates]
            document.infons[CANDIDATES_KEY] = json.dumps(listed, ensure_ascii=False)
        for passage in self._passages():
            document.add_passage(passage)
        self._place_sentences(document)
        for mention in source.mentions:
            (self._passage_of(document, mention) or document).add_annotation(self._annotation(mention))
        for relation in source.relations:
            document.add_relation(self._relation(relation))
        for number, group in enumerate(source.equivalences, 1):
            document.add_relation(_relation(f"*{number}", EQUIVALENCE, [(member, "member") for member in group]))
        return document

    def _passages(self) -> Iterator[BioCPassage]:
        """The passages, and the text between them wherever a reader would not guess it."""
        from bioc import BioCPassage

        text, position = self.source.text, 0
        whole = () if self.source.passages else (Passage("", 0, len(text)),)
        end = (Passage("", len(text), len(text)),) if self.source.passages else ()
        for passage in (*self.source.passages, *whole, *end):
            if passage.start < position:
                raise self._refusal("BioC has no place for passages that overlap or are not in order", self.source.id)
            between = text[position : passage.start]
            is_guessed = between == gap_between(len(between), is_first=not position) and passage.type
            if between and not is_guessed:
                yield BioCPassage.of_text(between, position)
            position = passage.end
            if passage.start == passage.end and not passage.type:
                continue
            found = BioCPassage.of_text(text[passage.start : passage.end], passage.start)
            if passage.type:
                found.infons["type"] = passage.type
            yield found

    def _place_sentences(self, document: BioCDocument) -> None:
        from bioc import BioCSentence

        for sentence in self.source.sentences:
            for passage in document.passages:
                if passage.offset <= sentence.start and sentence.end <= passage.offset + len(passage.text):
                    found = BioCSentence.of_text(self.source.text[sentence.start : sentence.end], sentence.start)
                    found.infons["id"] = sentence.id
                    passage.add_sentence(found)
                    break
            else:
                raise self._refusal("BioC has no place for a sentence that is not inside one passage", sentence.id)

    def _passage_of(self, document: BioCDocument, mention: Mention) -> BioCPassage | None:
        for passage in document.passages:
            if passage.offset <= mention.start and mention.end <= passage.offset + len(passage.text):
                return passage
        return None

    def _annotation(self, mention: Mention) -> BioCAnnotation:
        from bioc import BioCAnnotation, BioCLocation

        annotation = BioCAnnotation()
        annotation.id, annotation.text = mention.id, mention.text
        annotation.infons["type"] = mention.type
        for number, identifier in enumerate(mention.ids, 1):
            annotation.infons["identifier" if number == 1 else f"identifier{number}"] = identifier
        if mention.is_trigger:
            annotation.infons["trigger"] = "true"
        if mention.is_answer:
            annotation.infons["answer"] = "true"
        self._add_attributes(annotation.infons, mention.id)
        for start, end in mention.spans:
            annotation.add_location(BioCLocation(start, end - start))
        return annotation

    def _relation(self, relation: Relation) -> BioCRelation:
        nodes = [(argument.target, argument.role) for argument in relation.arguments]
        if relation.trigger is not None:
            nodes.insert(0, (relation.trigger, "trigger"))
        if not nodes:
            raise self._refusal("BioC has no place for a relation without participants", relation.id)
        found = _relation(relation.id, relation.type, nodes)
        self._add_attributes(found.infons, relation.id)
        return found

    def _add_attributes(self, infons: dict[str, str], target: str) -> None:
        for attribute in self.attributes.get(target, ()):
            value = f"{attribute.type}={attribute.value}" if attribute.value else attribute.type
            infons[ATTRIBUTE_KEY + attribute.id] = value

    def _refusal(self, message: str, where: str) -> CorpusError:
        return CorpusError(message, path=self.path, where=where, remedy=_REMEDY)


def _relation(identifier: str, kind: str, nodes: list[tuple[str, str]]) -> BioCRelation:
    from bioc import BioCNode, BioCRelation

    relation = BioCRelation()
    relation.id = identifier
    relation.infons["type"] = kind
    for target, role in nodes:
        relation.add_node(BioCNode(target, role))
    return relation
