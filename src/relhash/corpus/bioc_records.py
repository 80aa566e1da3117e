"""From the objects of the library ``bioc`` to our records: texts at their offsets, annotations, relations, infons."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relhash.corpus.document import (
    Argument,
    Attribute,
    CandidatePair,
    Document,
    Mention,
    Passage,
    Relation,
    Sentence,
    Span,
    spanned_text,
)
from relhash.errors import CorpusError

if TYPE_CHECKING:
    from bioc import BioCAnnotation, BioCDocument, BioCRelation

ATTRIBUTE_KEY = "attribute:"
"""An infon ``attribute:A1`` of an annotation or relation holds ``Negation`` or ``Confidence=L1``."""
CANDIDATES_KEY = "relhash:candidates"
"""Infon of a document: its list of candidate pairs, as JSON."""
EQUIVALENCE = "Equiv"
"""Type of a relation, all of whose roles are ``member``, that says that its annotations name the same thing."""

_IDENTIFIER = re.compile(r"identifiers?\d*", re.IGNORECASE)
_DATABASES = frozenset(
    ["cellosaurus", "chebi", "cui", "dbsnp", "doid", "entrez", "go", "hgnc", "hp", "mesh", "mondo", "ncbigene", "ncbitaxonomy"]
    + ["omim", "taxonomy", "umls", "uniprot"]
)
_LARGEST_GAP = 1_000_000  # characters between passages; a wrong offset must not fill the memory with blanks


def convert_document(source: BioCDocument, path: Path, where: str) -> Document:
    """The library's document as ours, not yet checked; ``where`` names it in errors."""
    return _Converter(source, path, where).document()


def gap_between(length: int, *, is_first: bool) -> str:
    """What a reader puts where a collection has no text, so that the offsets after it stay right.

    >>> gap_between(3, is_first=False), gap_between(2, is_first=True)
    ('\\n  ', '  ')
    """
    return " " * length if is_first or not length else "\n" + " " * (length - 1)


class _Converter:
    """One document of the library on its way to ours."""

    def __init__(self, source: BioCDocument, path: Path, where: str) -> None:
        self.source, self.path, self.where = source, path, where
        self.attributes: list[Attribute] = []

    def document(self) -> Document:
        source = self.source
        if not source.id:
            raise self._error("document without an id")
        text, passages, sentences = self._text()
        parts = [source, *source.passages, *(sentence for passage in source.passages for sentence in passage.sentences)]
        mentions = [self._mention(annotation, text) for part in parts for annotation in part.annotations]
        triggers = {mention.id for mention in mentions if mention.is_trigger}
        relations: list[Relation] = []
        equivalences: list[tuple[str, ...]] = []
        for relation in (relation for part in parts for relation in part.relations):
            if not relation.nodes or isinstance(relation.infons.get("role1"), dict):
                continue
            if _infon(relation.infons, "type") == EQUIVALENCE and {node.role for node in relation.nodes} == {"member"}:
                equivalences.append(tuple(str(node.refid) for node in relation.nodes))
            else:
                relations.append(self._relation(relation, len(relations), triggers))
        listed = source.infons.get(CANDIDATES_KEY)
        return Document(
            id=str(source.id),
            text=text,
            sentences=sentences,
            mentions=tuple(mentions),
            relations=tuple(relations),
            candidates=None if listed is None else tuple(CandidatePair(*map(str, pair)) for pair in json.loads(listed)),
            attributes=tuple(self.attributes),
            equivalences=tuple(equivalences),
            passages=passages,
            metadata={str(k): "" if v is None else str(v) for k, v in source.infons.items() if k != CANDIDATES_KEY},
        )

    def _text(self) -> tuple[str, tuple[Passage, ...], tuple[Sentence, ...]]:
        parts: list[str] = []
        passages: list[Passage] = []
        sentences: list[Sentence] = []
        position = 0
        for passage in self.source.passages:
            offset = _number(passage.offset)
            text = passage.text or ""
            for sentence in passage.sentences:
                start = _number(sentence.offset)
                if not passage.text:  # then the sentences hold the text
                    text += " " * self._gap(offset + len(text), start, "sentence") + (sentence.text or "")
                end = start + len(sentence.text or "")
                if sentence.text and text[start - offset : end - offset] != sentence.text:
                    raise self._error(f"the sentence at {start} is not at this place of its passage")
                identifier = _infon(sentence.infons, "id") or f"{self.source.id}.s{len(sentences)}"
                sentences.append(Sentence(identifier, start, end))
            parts += gap_between(self._gap(position, offset, "passage"), is_first=not position), text
            position = offset + len(text)
            kind = _infon(passage.infons, "type") or _infon(passage.infons, "section_type")
            if kind:
                passages.append(Passage(kind, offset, position))
        return "".join(parts), tuple(passages), tuple(sentences)

    def _gap(self, position: int, start: int, what: str) -> int:
        if not position <= start <= position + _LARGEST_GAP:
            raise self._error(
                f"a {what} begins at {start}, but the text before it ends at {position}", "offsets must count characters"
            )
        return start - position

    def _mention(self, annotation: BioCAnnotation, text: str) -> Mention:
        identifier = str(annotation.id or "")
        if not identifier:
            raise self._error("annotation without an id")
        spans: list[Span] = []
        for location in annotation.locations:
            start = _number(location.offset)
            spans.append((start, start + _number(location.length)))
        spans.sort()
        if not spans:
            raise self._error(f"the annotation {identifier!r} has no location")
        found = spanned_text(text, spans)
        given = annotation.text or found
        infons = annotation.infons
        self._read_attributes(infons, identifier)
        return Mention(
            identifier,
            _infon(infons, "type"),
            tuple(spans),
            given,
            _database_ids(infons),
            is_trigger=_infon(infons, "trigger") == "true",
            is_answer=_infon(infons, "answer") == "true",
        )

    def _relation(self, relation: BioCRelation, number: int, triggers: set[str]) -> Relation:
        identifier = str(relation.id or f"{self.source.id}.r{number}")
        kind = (
            _infon(relation.infons, "type") or _infon(relation.infons, "relation type") or _infon(relation.infons, "relation")
        )
        self._read_attributes(relation.infons, identifier)
        arguments: list[Argument] = []
        trigger = None
        for node in relation.nodes:
            if trigger is None and node.role == "trigger" and node.refid in triggers:
                trigger = str(node.refid)
            else:
                arguments.append(Argument(str(node.role or ""), str(node.refid)))
        return Relation(identifier, kind or "relation", tuple(arguments), trigger)

    def _read_attributes(self, infons: Mapping[str, Any], target: str) -> None:
        for key, content in infons.items():
            if str(key).startswith(ATTRIBUTE_KEY):
                kind, _, value = str(content).partition("=")
                self.attributes.append(Attribute(key.removeprefix(ATTRIBUTE_KEY), kind, target, value))

    def _error(self, message: str, remedy: str | None = None) -> CorpusError:
        return CorpusError(message, path=self.path, where=self.where, remedy=remedy)


def _infon(infons: Mapping[str, Any], key: str) -> str:
    value = infons.get(key)
    return "" if value is None else str(value)


def _database_ids(infons: Mapping[str, Any]) -> tuple[str, ...]:
    """Infons that name an entry of a database: ``identifier`` as it stands, others with the name of the database.

    >>> _database_ids({"type": "Gene", "identifier": "MESH:D001", "NCBI GENE": "7157", "identifier2": None})
    ('MESH:D001', 'NCBI GENE:7157')
    """
    ids = []
    for key, value in infons.items():
        if value is None or value == "" or value == "-":
            continue
        if _IDENTIFIER.fullmatch(str(key)):
            ids.append(str(value))
        elif re.sub(r"[\W_]|id$", "", str(key).lower()) in _DATABASES:
            ids.append(f"{key}:{value}")
    return tuple(ids)


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"offset or length {value!r} is not a whole number")
    return value
