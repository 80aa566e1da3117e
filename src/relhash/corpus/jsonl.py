"""JSON Lines: one document per line, everything our records hold. The schema is described in ``docs/formats/jsonl.md``.

It stays close to the knowledge-base schema of BigBIO (entities with lists of offsets, arguments with ``role`` and ``ref_id``)
and adds what that leaves out: sentences with tokens and parses, candidate pairs, attributes.

Lines that others write for texts are understood: ``pmid`` is an id too, ``title`` and ``abstract`` are a text, a document
without an id is called after the file and the line. A key that is not known is a remark, not an error.
"""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from relhash.corpus.document import (
    Argument,
    Attribute,
    CandidatePair,
    Dependency,
    Document,
    Mention,
    Passage,
    Relation,
    Sentence,
    Span,
    Token,
    document_of_parts,
)
from relhash.corpus.remarks import OnError, Remarks, json_of, settled, without_broken
from relhash.corpus.source import content_name, filled_lines, writing
from relhash.errors import CorpusError

SCHEMA = "relhash/1"
"""Written into every line. The meaning of a key only ever changes together with the number; programs pass over keys that they
do not know."""

_KEYS = {
    kind: frozenset(keys.split())
    for kind, keys in {
        "document": "schema id text metadata passages sentences entities relations candidates attributes equivalences "
        "concept_relations title abstract pmid",
        "sentence": "id offsets parser tokens scheme dependencies",
        "entity": "id type text offsets normalized trigger answer certainty",
        "relation": "id type arguments trigger",
        "argument": "role ref_id",
        "candidate": "id first second",
        "attribute": "id type ref_id value",
        "passage": "type offsets",
    }.items()
}
"""What each kind of object may have."""

Record = TypeVar("Record")
OnUnknown = Callable[[str, str], None]
"""Given a key that is not known, and what might have been meant."""


def read_jsonl(path: Path, *, on_error: OnError = None, remarks: Remarks | None = None) -> Iterator[Document]:
    """Documents of a JSON Lines file, one at a time; blank lines are allowed."""
    noted = remarks or Remarks()
    return without_broken(filled_lines(path), lambda line: _read_line(line[1], path, line[0], noted), on_error)


def write_jsonl(documents: Iterable[Document], path: Path) -> None:
    """One line per document, in the order given."""
    with writing(path) as handle:
        for document in documents:
            handle.write(json.dumps(encode_document(document), ensure_ascii=False, separators=(",", ":")))
            handle.write("\n")


def encode_document(document: Document) -> dict[str, Any]:
    """The document as plain data for JSON. What is empty is left out."""
    record = {
        "metadata": dict(document.metadata),
        "passages": [{"type": p.type, "offsets": [[p.start, p.end]]} for p in document.passages],
        "sentences": [_encode_sentence(sentence) for sentence in document.sentences],
        "entities": [_encode_mention(mention) for mention in document.mentions],
        "relations": [_encode_relation(relation) for relation in document.relations],
        "concept_relations": [_encode_relation(relation) for relation in document.concept_relations],
        "candidates": [{"id": c.id, "first": c.first, "second": c.second} for c in document.candidates or ()],
        "attributes": [{"id": a.id, "type": a.type, "ref_id": a.target, **_filled(value=a.value)} for a in document.attributes],
        "equivalences": [list(group) for group in document.equivalences],
    }
    listed = {"candidates"} if document.candidates is not None else set()  # no candidates are not the same as none listed
    own = {key: value for key, value in record.items() if value or key in listed}
    return {"schema": SCHEMA, "id": document.id, "text": document.text, **own}


def _read_line(line: str, path: Path, number: int, remarks: Remarks) -> Document:
    remedy = "each line must hold one complete JSON object (is the file cut off?)"
    record = json_of(line, path, number, remedy=remedy)

    def unknown(key: str, remedy: str) -> None:
        remarks.add(f"keys that are not known and not read: {key!r} ({remedy})", path, number)

    try:
        document = decode_document(record, unknown, f"{Path(content_name(path)).stem}:{number}")
        return settled(document, remarks, lambda name: (path, name))
    except CorpusError as error:
        place = f" (in {error.where})" if error.where is not None else ""
        raise CorpusError(error.message + place, path, number, remedy=error.remedy) from error


def _filled(**fields: Any) -> dict[str, Any]:
    """What is not empty."""
    return {key: value for key, value in fields.items() if value}


def _encode_sentence(sentence: Sentence) -> dict[str, Any]:
    scheme = sentence.dependencies[0].scheme if sentence.dependencies else ""
    arcs = [
        [d.head, d.dependent, d.label] if d.scheme == scheme else [d.head, d.dependent, d.label, d.scheme]
        for d in sentence.dependencies
    ]
    tokens = [_encode_token(token) for token in sentence.tokens]
    more = _filled(parser=sentence.parser, tokens=tokens, scheme=scheme, dependencies=arcs)
    return {"id": sentence.id, "offsets": [[sentence.start, sentence.end]], **more}


def _encode_token(token: Token) -> list[Any]:
    if token.lemma:
        return [token.start, token.end, token.text, token.pos, token.lemma]
    return [token.start, token.end, token.text, token.pos] if token.pos else [token.start, token.end, token.text]


def _encode_mention(mention: Mention) -> dict[str, Any]:
    own = {"id": mention.id, "type": mention.type, "text": mention.text, "offsets": [list(span) for span in mention.spans]}
    more = _filled(normalized=list(mention.ids), trigger=mention.is_trigger, answer=mention.is_answer)
    return {**own, **more} | ({} if mention.certainty == 1.0 else {"certainty": mention.certainty})


def _encode_relation(relation: Relation) -> dict[str, Any]:
    arguments = [{"role": argument.role, "ref_id": argument.target} for argument in relation.arguments]
    return {"id": relation.id, "type": relation.type, **_filled(trigger=relation.trigger), "arguments": arguments}


def decode_document(record: Any, unknown: OnUnknown | None = None, name: str | None = None) -> Document:
    """The inverse of ``encode_document``; raises :class:`CorpusError` saying which element is wrong.

    ``unknown`` is called for each key that is not known (without it they are errors), ``name`` is the id of a document that
    has none.
    """
    fields = _Fields(record, "document", unknown)
    schema = fields.text("schema", SCHEMA)
    if schema != SCHEMA:
        raise CorpusError(
            f"schema {schema!r} is not known (this version reads {SCHEMA!r})", remedy="update relhash or convert the file"
        )
    metadata = record.get("metadata", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise CorpusError("'metadata' must be an object whose values are text", where="document")
    text = _decode_text(fields, name)
    return replace(
        text,
        sentences=fields.all("sentences", "sentence", _decode_sentence),
        mentions=fields.all("entities", "entity", _decode_mention),
        relations=fields.all("relations", "relation", _decode_relation),
        candidates=None
        if record.get("candidates") is None
        else fields.all(
            "candidates", "candidate", lambda one: CandidatePair(one.text("id"), one.text("first"), one.text("second"))
        ),
        attributes=fields.all(
            "attributes",
            "attribute",
            lambda one: Attribute(one.text("id"), one.text("type"), one.text("ref_id"), one.text("value", "")),
        ),
        equivalences=tuple(_texts(group, "equivalences") for group in fields.list("equivalences")),
        passages=text.passages or fields.all("passages", "passage", lambda one: Passage(one.text("type"), *one.span())),
        metadata={**text.metadata, **metadata},
        concept_relations=fields.all("concept_relations", "relation", _decode_relation),
    )


def _decode_text(fields: _Fields, name: str | None) -> Document:
    """Id and text, in our words or in those of PubMed: ``pmid``, ``title``, ``abstract``."""
    record = fields.record
    for key in ("id", "pmid"):
        if type(record.get(key)) is int:
            record[key] = str(record[key])
    metadata = {"pmid": fields.text("pmid")} if record.get("pmid") else {}
    if record.get("id") == "":  # as good as none: a table of such rows could not be read back
        del record["id"]
    identifier = fields.text("id", metadata.get("pmid", name))
    if "text" in record or not {"title", "abstract"} & record.keys():
        return Document(identifier, fields.text("text"), metadata=metadata)
    parts = [(kind, fields.text(kind, "") if record.get(kind) is not None else "") for kind in ("title", "abstract")]
    return document_of_parts(identifier, parts, metadata)


class _Fields:
    """A JSON object whose keys are taken out with the type they must have."""

    __slots__ = ("known", "name", "record", "unknown")

    def __init__(self, record: Any, kind: str, unknown: OnUnknown | None) -> None:
        known = _KEYS[kind]
        one = f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
        if type(record) is not dict:
            raise CorpusError(f"{one} must be a JSON object, not {_shown(record)}")
        self.record, self.known, self.unknown = record, known, unknown
        self.name = str(record.get("id", kind))
        for key in sorted(record.keys() - known):
            similar = difflib.get_close_matches(key, known, 1)
            if similar:
                remedy = f"did you mean {similar[0]!r}?"
            elif "metadata" in known:
                remedy = "fields of your own go under 'metadata'"
            else:
                remedy = f"{one} may have {', '.join(sorted(known))}"
            if unknown is None:
                raise CorpusError(f"{one} has no key {key!r}", where=self.name, remedy=remedy)
            unknown(key, remedy)

    def text(self, key: str, default: str | None = None) -> str:
        value = self.record.get(key, default)
        if type(value) is not str:
            if key in self.record:
                raise CorpusError(f"{key!r} must be text, not {_shown(value)}", where=self.name)
            raise CorpusError(f"{key!r} is missing", where=self.name, remedy=f"keys: {', '.join(sorted(self.known))}")
        return value

    def list(self, key: str) -> list[Any]:
        value = self.record.get(key, [])
        if type(value) is not list:
            raise CorpusError(f"{key!r} must be a list, not {_shown(value)}", where=self.name)
        return value

    def all(self, key: str, kind: str, decode: Callable[[_Fields], Record]) -> tuple[Record, ...]:
        """The objects of a list, decoded."""
        return tuple([decode(_Fields(item, kind, self.unknown)) for item in self.list(key)])

    def spans(self) -> tuple[Span, ...]:
        spans = self.list("offsets")
        if not all(type(span) is list and len(span) == 2 and all(type(one) is int for one in span) for span in spans):
            raise CorpusError("'offsets' must be a list of [start, end] pairs", where=self.name)
        return tuple((start, end) for start, end in spans)

    def span(self) -> Span:
        spans = self.spans()
        if len(spans) != 1:
            raise CorpusError("'offsets' must hold one [start, end] pair", where=self.name)
        return spans[0]


def _decode_sentence(fields: _Fields) -> Sentence:
    start, end = fields.span()
    scheme = sys.intern(fields.text("scheme", "stanford-collapsed"))
    return Sentence(
        id=fields.text("id"),
        start=start,
        end=end,
        tokens=tuple([_decode_token(item, fields.name) for item in fields.list("tokens")]),
        dependencies=tuple([_decode_dependency(item, scheme, fields.name) for item in fields.list("dependencies")]),
        parser=sys.intern(fields.text("parser", "")),
    )


# tokens and arcs are most of a parsed corpus: plain tests of each member are three times as fast as a general check, and
# tags and labels are kept once
def _decode_token(item: Any, where: str) -> Token:
    if type(item) is list and 3 <= len(item) <= 5:
        start, end, text, pos, lemma = (*item, "", "")[:5]
        if type(start) is int and type(end) is int and type(text) is str and type(pos) is str and type(lemma) is str:
            return Token(start, end, text, sys.intern(pos), lemma)
    raise CorpusError("a token must be [start, end, text] with pos and lemma if known", where=where)


def _decode_dependency(item: Any, scheme: str, where: str) -> Dependency:
    if type(item) is list and 3 <= len(item) <= 4:
        head, dependent, label, own = (*item, scheme)[:4]
        if type(head) is int and type(dependent) is int and type(label) is str and type(own) is str:
            return Dependency(head, dependent, sys.intern(label), own)
    raise CorpusError("a dependency must be [head, dependent, label] with its scheme if it differs", where=where)


def _decode_mention(fields: _Fields) -> Mention:
    is_trigger, is_answer = fields.record.get("trigger", False), fields.record.get("answer", False)
    for name, value in (("trigger", is_trigger), ("answer", is_answer)):
        if type(value) is not bool:
            raise CorpusError(f"'{name}' must be true or false, not {_shown(value)}", where=fields.name)
    ids = _texts(fields.list("normalized"), fields.name)
    certainty = fields.record.get("certainty", 1.0)
    if type(certainty) not in (int, float) or not 0 <= certainty <= 1:
        raise CorpusError(f"'certainty' must be a number from 0 to 1, not {_shown(certainty)}", where=fields.name)
    own = fields.text("id"), fields.text("type"), fields.spans(), fields.text("text")
    return Mention(*own, ids, is_trigger, float(certainty), is_answer)


def _decode_relation(fields: _Fields) -> Relation:
    arguments = fields.all("arguments", "argument", lambda one: Argument(one.text("role"), one.text("ref_id")))
    trigger = None if fields.record.get("trigger") is None else fields.text("trigger")
    return Relation(fields.text("id"), fields.text("type"), arguments, trigger)


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if type(value) is not list or not all(type(one) is str for one in value):
        raise CorpusError("must be a list of texts", where=where)
    return tuple(value)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 30 else text[:27] + "..."
