"""BioC, as XML and as JSON: passages, sentences, annotations with several locations, relations with roles.

The library ``bioc`` knows the two encodings; this module hands it one document at a time and turns its objects into ours and
ours into its. XML goes through :mod:`relhash.corpus.xml_safety` first: the library parses with entities on and keeps the whole
file in memory.

- Offsets of BioC are offsets of the document. Text between passages that the file does not hold becomes a newline and blanks.
- A passage with a ``type`` becomes a :class:`Passage`; one without is only text.
- ``type`` is the type of a mention or relation. ``identifier`` and database names (``NCBI GENE``) are its ids.
- Relations between concepts (BC5CDR, BioRED, PubTator 3) name two ids in their infons: see :mod:`relhash.corpus.concepts`.
- Besides JSON collections: lists of them (PMC), single documents, and what PubTator 3 answers.
- Triggers, attributes, equivalences and the list of candidate pairs are written as infons and relations that are understood
  when they are read again, and that other programs pass over. Tokens and parses are left out: BioC has no agreed way to write
  them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bioc import (
    BioCAnnotation,
    BioCDocument,
    BioCLocation,
    BioCNode,
    BioCPassage,
    BioCRelation,
    BioCSentence,
    biocjson,
    biocxml,
)
from bioc.biocxml.encoder import encode_document
from lxml import etree

from relhash.corpus.concepts import Concepts, not_of_concepts, with_mentions_related
from relhash.corpus.document import (
    Argument,
    Attribute,
    CandidatePair,
    Document,
    Mention,
    Passage,
    Relation,
    Sentence,
    spanned_text,
)
from relhash.corpus.remarks import OnError, Remarks, formed_as, json_of, settled, without_broken
from relhash.corpus.source import content_name, read_text, writing
from relhash.corpus.xml_safety import stream_elements
from relhash.errors import CorpusError

ATTRIBUTE_KEY = "attribute:"
"""An infon ``attribute:A1`` of an annotation or relation holds ``Negation`` or ``Confidence=L1``."""
CANDIDATES_KEY = "relhash:candidates"
"""Infon of a document: its list of candidate pairs, as JSON."""
EQUIVALENCE = "Equiv"
"""Type of a relation, all of whose roles are ``member``, that says that its annotations name the same thing."""
NOVELTY = "Novelty"
"""Attribute of a relation between concepts, BioRED's infon ``novel``."""

_STATED = {"novel": NOVELTY, "score": "score"}
"""Infons of a relation between concepts that are attributes of it."""
_IDENTIFIER = re.compile(r"identifiers?\d*", re.IGNORECASE)
_DATABASES = frozenset(
    ["cellosaurus", "chebi", "cui", "dbsnp", "doid", "entrez", "go", "hgnc", "hp", "mesh", "mondo", "ncbigene", "ncbitaxonomy"]
    + ["omim", "taxonomy", "umls", "uniprot"]
)
_LARGEST_GAP = 1_000_000  # characters between passages; a wrong offset must not fill the memory with blanks
_TYPES = ("type", "relation type", "relation")
_REMEDY = "write jsonl, which holds everything"


def read_bioc_xml(path: Path, *, on_error: OnError = None, remarks: Remarks | None = None) -> Iterator[Document]:
    """Documents of a BioC XML collection, one at a time."""

    def decode(element: etree._Element) -> BioCDocument:
        # written again and alone, a document cannot bring anything that was not looked at
        xml = etree.tostring(element, encoding="unicode", with_tail=False)
        return biocxml.loads(f"<collection>{xml}</collection>").documents[0]

    elements = stream_elements(path, "document", root="collection")
    return _documents(elements, decode, lambda element: element.findtext("id"), path, on_error, remarks)


def read_bioc_json(path: Path, *, on_error: OnError = None, remarks: Remarks | None = None) -> Iterator[Document]:
    """Documents of a BioC JSON file. The file is read as a whole, its documents are then made one at a time."""

    def decode(record: dict[str, Any]) -> BioCDocument:
        found = biocjson.fromJSON(_with_empty_lists(record), "BioCDocument")
        json.dumps(record, ensure_ascii=False).encode()  # half of a surrogate pair is an error of this document
        return found

    def name(record: Any) -> str | None:
        return str(record["id"]) if isinstance(record, dict) and record.get("id") else None

    content = json_of(read_text(path), path, check=False)
    yield from _documents(_json_documents(content, path), decode, name, path, on_error, remarks)


def _documents(
    items: Iterable[Any], decode: Callable[[Any], BioCDocument], name: Callable[[Any], str | None],
    path: Path, on_error: OnError, remarks: Remarks | None,
) -> Iterator[Document]:  # fmt: skip
    noted = remarks or Remarks()

    def convert(numbered: tuple[int, Any]) -> Document:
        number, item = numbered
        where = name(item) or f"document {number}"
        with formed_as("BioC", path, where):
            document = settled(
                _Reader(decode(item), path, where, number, noted).document(),
                noted,
                lambda identifier: (path, f"{where}, {identifier}"),
                counted="offsets count characters from the start of the document",
            )
            document.text.encode()
        return with_mentions_related(document, noted, path, where)

    return without_broken(enumerate(items, 1), convert, on_error)


def _json_documents(content: Any, path: Path) -> list[Any]:
    """The documents of a collection, of a list of collections, of PubTator 3's answer, or a single document."""
    documents: list[Any] = []
    for part in content if isinstance(content, list) else [content]:
        if not isinstance(part, dict):
            part = {}
        lists = [part[key] for key in ("documents", "PubTator3") if isinstance(part.get(key), list)]
        if "passages" in part:
            documents.append(part)
        elif lists:
            documents += lists[0]
        else:
            raise CorpusError(
                "JSON, but no BioC collection (an object with a list of documents)", path, remedy="name the right format"
            )
    return documents


def _with_empty_lists(record: dict[str, Any]) -> dict[str, Any]:
    """Add what many programs leave out when it is empty, and the library insists on."""
    for part in (record, *record.get("passages", ()), *(s for p in record.get("passages", ()) for s in p.get("sentences", ()))):
        for key in ("annotations", "relations", "sentences"):
            part.setdefault(key, [])
        part.setdefault("infons", {})
        for child in (*part["annotations"], *part["relations"]):
            child.setdefault("infons", {})
        for relation in part["relations"]:
            relation.setdefault("nodes", [])
    return record


def gap_between(length: int, *, is_first: bool) -> str:
    """What a reader puts where a collection has no text, so that the offsets after it stay right."""
    return " " * length if is_first or not length else "\n" + " " * (length - 1)


class _Reader:
    """One document of the library on its way to ours."""

    def __init__(self, source: BioCDocument, path: Path, where: str, number: int, remarks: Remarks) -> None:
        self.source, self.path, self.where, self.remarks = source, path, where, remarks
        self.id = str(source.id or f"{Path(content_name(path)).stem}:{number}")
        self.attributes: list[Attribute] = []

    def document(self) -> Document:
        source = self.source
        text, passages, sentences = self._text()
        parts = [source, *source.passages, *(sentence for passage in source.passages for sentence in passage.sentences)]
        mentions = [self._mention(annotation, text) for part in parts for annotation in part.annotations]
        triggers = {mention.id for mention in mentions if mention.is_trigger}
        relations: list[Relation] = []
        of_concepts: list[Relation] = []
        equivalences: list[tuple[str, ...]] = []
        for relation in (relation for part in parts for relation in part.relations):
            identifier = str(relation.id or f"{self.id}.r{len(relations) + len(of_concepts)}")
            if not relation.nodes or isinstance(relation.infons.get("role1"), dict):
                of_concepts += self._of_concepts(relation, identifier, mentions)
            elif _infon(relation.infons, "type") == EQUIVALENCE and {node.role for node in relation.nodes} == {"member"}:
                equivalences.append(tuple(str(node.refid) for node in relation.nodes))
            else:
                relations.append(self._relation(relation, identifier, triggers))
        listed = source.infons.get(CANDIDATES_KEY)
        return Document(
            id=self.id,
            text=text,
            sentences=sentences,
            mentions=tuple(mentions),
            relations=tuple(relations),
            candidates=None if listed is None else tuple(CandidatePair(*map(str, pair)) for pair in json.loads(listed)),
            attributes=tuple(self.attributes),
            equivalences=tuple(equivalences),
            passages=passages,
            metadata={str(k): "" if v is None else str(v) for k, v in source.infons.items() if k != CANDIDATES_KEY},
            concept_relations=tuple(of_concepts),
        )

    def _text(self) -> tuple[str, tuple[Passage, ...], tuple[Sentence, ...]]:
        whole = ""
        passages: list[Passage] = []
        sentences: list[Sentence] = []
        for passage in self.source.passages:
            offset = _number(passage.offset)
            text = passage.text or ""
            for sentence in passage.sentences:
                start, words = _number(sentence.offset), sentence.text or ""
                if not passage.text:  # then the sentences hold the text
                    text += " " * self._gap(offset + len(text), start, "sentence") + words
                if words and text[start - offset : start - offset + len(words)] != words:
                    raise self._error(f"the sentence at {start} is not at this place of its passage")
                identifier = _infon(sentence.infons, "id") or f"{self.id}.s{len(sentences)}"
                sentences.append(Sentence(identifier, start, start + len(words)))
            whole += gap_between(self._gap(len(whole), offset, "passage"), is_first=not whole) + text
            if kind := _infon(passage.infons, "type") or _infon(passage.infons, "section_type"):
                passages.append(Passage(kind, offset, len(whole)))
        return whole, tuple(passages), tuple(sentences)

    def _gap(self, position: int, start: int, what: str) -> int:
        if not position <= start <= position + _LARGEST_GAP:
            raise self._error(
                f"a {what} begins at {start}, but the text before it ends at {position}", "offsets must count characters"
            )
        return start - position

    def _mention(self, annotation: BioCAnnotation, text: str) -> Mention:
        identifier, infons = str(annotation.id or ""), annotation.infons
        if not identifier:
            raise self._error("annotation without an id")
        places = [(_number(one.offset), _number(one.length)) for one in annotation.locations]
        spans = tuple(sorted((start, start + length) for start, length in places))
        if not spans:
            raise self._error(f"the annotation {identifier!r} has no location")
        self._read_attributes(infons, identifier)
        is_trigger, is_answer = (_infon(infons, key) == "true" for key in ("trigger", "answer"))
        given = annotation.text or spanned_text(text, spans)
        return Mention(identifier, _infon(infons, "type"), spans, given, _database_ids(infons), is_trigger, is_answer=is_answer)

    def _of_concepts(self, relation: BioCRelation, identifier: str, mentions: list[Mention]) -> list[Relation]:
        """A relation whose infons name two ids: ``entity1`` and ``entity2``, or ``Chemical`` and ``Disease``, or ``role1`` …"""
        said = {key: value.get("identifier") if isinstance(value, dict) else value for key, value in relation.infons.items()}
        ends = {key: str(said[key]) for key in said if key not in (*_TYPES, *_STATED, "note") and said[key]}
        ends = {key: value for key, value in ends.items() if not key.startswith(ATTRIBUTE_KEY)}
        if len(ends) > 2:
            known = Concepts(mentions)
            ends = {key: value for key, value in ends.items() if known.mentions(value)}
        if len(ends) != 2:
            what = "relations without nodes that do not name two ids (left out)"
            self.remarks.add(what, self.path, self.where, identifier)
            return []
        roles = list(ends)
        if len({role.rstrip("0123456789") for role in roles}) == 1:
            roles = ["e1", "e2"]
        for key, kind in _STATED.items():
            if said.get(key):
                self.attributes.append(Attribute(f"{identifier}.{key}", kind, identifier, str(said[key])))
        self._read_attributes(relation.infons, identifier)
        arguments = tuple(Argument(role, concept) for role, concept in zip(roles, ends.values()))
        return [Relation(identifier, _type(relation.infons), arguments)]

    def _relation(self, relation: BioCRelation, identifier: str, triggers: set[str]) -> Relation:
        self._read_attributes(relation.infons, identifier)
        arguments: list[Argument] = []
        trigger = None
        for node in relation.nodes:
            if trigger is None and node.role == "trigger" and node.refid in triggers:
                trigger = str(node.refid)
            else:
                arguments.append(Argument(str(node.role or ""), str(node.refid)))
        return Relation(identifier, _type(relation.infons), tuple(arguments), trigger)

    def _read_attributes(self, infons: Mapping[str, Any], target: str) -> None:
        for key, content in infons.items():
            if str(key).startswith(ATTRIBUTE_KEY):
                kind, _, value = str(content).partition("=")
                self.attributes.append(Attribute(key.removeprefix(ATTRIBUTE_KEY), kind, target, value))

    def _error(self, message: str, remedy: str | None = None) -> CorpusError:
        return CorpusError(message, self.path, self.where, remedy=remedy)


def _infon(infons: Mapping[str, Any], key: str) -> str:
    value = infons.get(key)
    return "" if value is None else str(value)


def _type(infons: Mapping[str, Any]) -> str:
    return next((kind for kind in (_infon(infons, key) for key in _TYPES) if kind), "relation")


def _database_ids(infons: Mapping[str, Any]) -> tuple[str, ...]:
    """Infons that name an entry of a database: ``identifier`` as it stands, others with the name of the database."""
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


def write_bioc_json(documents: Iterable[Document], path: Path) -> None:
    """Write a BioC JSON collection; raises :class:`CorpusError`, and leaves no file, for what BioC cannot hold."""
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
    with writing(path) as handle:
        handle.write('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE collection SYSTEM "BioC.dtd">\n')
        handle.write("<collection><source>relhash</source><date/><key/>\n")
        for document in documents:
            try:
                xml = etree.tostring(encode_document(_Writer(document, path).document()), encoding="unicode")
            except ValueError as error:  # lxml's word for control characters and lone surrogates
                raise CorpusError(f"a text that XML cannot hold ({error})", path, document.id, remedy=_REMEDY) from error
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
        source = self.source
        document = BioCDocument()
        document.id, document.infons = source.id, dict(source.metadata)
        if source.candidates is not None:
            listed = [[pair.id, pair.first, pair.second] for pair in source.candidates]
            document.infons[CANDIDATES_KEY] = json.dumps(listed, ensure_ascii=False)
        for passage in self._passages():
            document.add_passage(passage)
        for sentence in source.sentences:
            found = self._passage_of(document, sentence)
            if found is None:
                raise self._refusal("BioC has no place for a sentence that is not inside one passage", sentence.id)
            made = BioCSentence.of_text(source.text[sentence.start : sentence.end], sentence.start)
            made.infons["id"] = sentence.id
            found.add_sentence(made)
        for mention in source.mentions:
            (self._passage_of(document, mention) or document).add_annotation(self._annotation(mention))
        for relation in not_of_concepts(source):
            document.add_relation(self._relation(relation))
        for relation in source.concept_relations:
            document.add_relation(self._of_concepts(relation))
        for number, group in enumerate(source.equivalences, 1):
            document.add_relation(_relation(f"*{number}", EQUIVALENCE, [(member, "member") for member in group]))
        return document

    def _passages(self) -> Iterator[BioCPassage]:
        """The passages, and the text between them wherever a reader would not guess it."""
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

    def _passage_of(self, document: BioCDocument, part: Sentence | Mention) -> BioCPassage | None:
        inside = (one for one in document.passages if one.offset <= part.start and part.end <= one.offset + len(one.text))
        return next(inside, None)

    def _annotation(self, mention: Mention) -> BioCAnnotation:
        annotation = BioCAnnotation()
        annotation.id, annotation.text = mention.id, mention.text
        annotation.infons["type"] = mention.type
        for number, identifier in enumerate(mention.ids, 1):
            annotation.infons["identifier" if number == 1 else f"identifier{number}"] = identifier
        for key, holds in (("trigger", mention.is_trigger), ("answer", mention.is_answer)):
            if holds:
                annotation.infons[key] = "true"
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

    def _of_concepts(self, relation: Relation) -> BioCRelation:
        found = _relation(relation.id, relation.type, [])
        for argument in relation.arguments:
            found.infons[{"e1": "entity1", "e2": "entity2"}.get(argument.role, argument.role)] = argument.target
        self._add_attributes(found.infons, relation.id, {kind: key for key, kind in _STATED.items()})
        return found

    def _add_attributes(self, infons: dict[str, str], target: str, stated: Mapping[str, str] = {}) -> None:
        for attribute in self.attributes.get(target, ()):
            if attribute.type in stated:
                infons[stated[attribute.type]] = attribute.value
            else:
                value = f"{attribute.type}={attribute.value}" if attribute.value else attribute.type
                infons[ATTRIBUTE_KEY + attribute.id] = value

    def _refusal(self, message: str, where: str) -> CorpusError:
        return CorpusError(message, self.path, where, remedy=_REMEDY)


def _relation(identifier: str, kind: str, nodes: list[tuple[str, str]]) -> BioCRelation:
    relation = BioCRelation()
    relation.id = identifier
    relation.infons["type"] = kind
    for target, role in nodes:
        relation.add_node(BioCNode(target, role))
    return relation
