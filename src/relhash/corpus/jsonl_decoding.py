"""From a line of JSON, already parsed, to a document: every key and type is checked, so that a mistake is named."""

from __future__ import annotations

import difflib
import json
import sys
from typing import Any

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
)
from relhash.errors import CorpusError

SCHEMA = "relhash/1"
"""Written into every line. A key is only ever added or changed together with the number."""

_DOCUMENT_KEYS = frozenset(
    ("schema", "id", "text", "metadata", "passages", "sentences", "entities", "relations", "candidates", "attributes")
) | {"equivalences"}
_SENTENCE_KEYS = frozenset(("id", "offsets", "parser", "tokens", "scheme", "dependencies"))
_MENTION_KEYS = frozenset(("id", "type", "text", "offsets", "normalized", "trigger", "answer", "certainty"))
_RELATION_KEYS = frozenset(("id", "type", "arguments", "trigger"))
_ARGUMENT_KEYS = frozenset(("role", "ref_id"))
_CANDIDATE_KEYS = frozenset(("id", "first", "second"))
_ATTRIBUTE_KEYS = frozenset(("id", "type", "ref_id", "value"))
_PASSAGE_KEYS = frozenset(("type", "offsets"))


def decode_document(record: Any) -> Document:
    """The inverse of ``encode_document``; raises :class:`CorpusError` saying which element is wrong."""
    fields = _Fields(record, "document", _DOCUMENT_KEYS)
    schema = fields.text("schema", SCHEMA)
    if schema != SCHEMA:
        raise CorpusError(
            f"schema {schema!r} is not known (this version reads {SCHEMA!r})", remedy="update relhash or convert the file"
        )
    metadata = record.get("metadata", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise CorpusError("'metadata' must be an object whose values are text", where="document")
    candidates = None
    if record.get("candidates") is not None:
        candidates = tuple(_decode_candidate(item) for item in fields.list("candidates"))
    return Document(
        id=fields.text("id"),
        text=fields.text("text"),
        sentences=tuple(_decode_sentence(item) for item in fields.list("sentences")),
        mentions=tuple(_decode_mention(item) for item in fields.list("entities")),
        relations=tuple(_decode_relation(item) for item in fields.list("relations")),
        candidates=candidates,
        attributes=tuple(_decode_attribute(item) for item in fields.list("attributes")),
        equivalences=tuple(_texts(group, "equivalences") for group in fields.list("equivalences")),
        passages=tuple(_decode_passage(item) for item in fields.list("passages")),
        metadata=metadata,
    )


class _Fields:
    """A JSON object whose keys are taken out with the type they must have."""

    __slots__ = ("name", "record")

    def __init__(self, record: Any, kind: str, known: frozenset[str]) -> None:
        one = f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
        if type(record) is not dict:
            raise CorpusError(f"{one} must be a JSON object, not {_shown(record)}")
        self.record = record
        self.name = str(record.get("id", kind))
        if not record.keys() <= known:
            key = sorted(record.keys() - known)[0]
            similar = difflib.get_close_matches(key, known, 1)
            if similar:
                remedy = f"did you mean {similar[0]!r}?"
            elif "metadata" in known:
                remedy = "fields of your own go under 'metadata'"
            else:
                remedy = f"it may have {', '.join(sorted(known))}"
            raise CorpusError(f"{one} has no key {key!r}", where=self.name, remedy=remedy)

    def text(self, key: str, default: str | None = None) -> str:
        value = self.record.get(key, default)
        if type(value) is not str:
            problem = f"{key!r} is missing" if key not in self.record else f"{key!r} must be text, not {_shown(value)}"
            raise CorpusError(problem, where=self.name)
        return value

    def list(self, key: str) -> list[Any]:
        value = self.record.get(key, [])
        if type(value) is not list:
            raise CorpusError(f"{key!r} must be a list, not {_shown(value)}", where=self.name)
        return value

    def spans(self) -> tuple[Span, ...]:
        spans = self.list("offsets")
        if not all(type(span) is list and len(span) == 2 and _whole(*span) for span in spans):
            raise CorpusError("'offsets' must be a list of [start, end] pairs", where=self.name)
        return tuple((start, end) for start, end in spans)

    def span(self) -> Span:
        spans = self.spans()
        if len(spans) != 1:
            raise CorpusError("'offsets' must hold one [start, end] pair", where=self.name)
        return spans[0]


def _decode_sentence(record: Any) -> Sentence:
    fields = _Fields(record, "sentence", _SENTENCE_KEYS)
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


def _decode_mention(record: Any) -> Mention:
    fields = _Fields(record, "entity", _MENTION_KEYS)
    is_trigger, is_answer = record.get("trigger", False), record.get("answer", False)
    for name, value in (("trigger", is_trigger), ("answer", is_answer)):
        if type(value) is not bool:
            raise CorpusError(f"'{name}' must be true or false, not {_shown(value)}", where=fields.name)
    ids = _texts(fields.list("normalized"), fields.name)
    certainty = record.get("certainty", 1.0)
    if type(certainty) not in (int, float) or not 0 <= certainty <= 1:
        raise CorpusError(f"'certainty' must be a number from 0 to 1, not {_shown(certainty)}", where=fields.name)
    return Mention(
        fields.text("id"),
        fields.text("type"),
        fields.spans(),
        fields.text("text"),
        ids,
        is_trigger,
        float(certainty),
        is_answer,
    )


def _decode_relation(record: Any) -> Relation:
    fields = _Fields(record, "relation", _RELATION_KEYS)
    arguments = []
    for item in fields.list("arguments"):
        argument = _Fields(item, "argument", _ARGUMENT_KEYS)
        arguments.append(Argument(argument.text("role"), argument.text("ref_id")))
    trigger = None if record.get("trigger") is None else fields.text("trigger")
    return Relation(fields.text("id"), fields.text("type"), tuple(arguments), trigger)


def _decode_candidate(record: Any) -> CandidatePair:
    fields = _Fields(record, "candidate", _CANDIDATE_KEYS)
    return CandidatePair(fields.text("id"), fields.text("first"), fields.text("second"))


def _decode_attribute(record: Any) -> Attribute:
    fields = _Fields(record, "attribute", _ATTRIBUTE_KEYS)
    return Attribute(fields.text("id"), fields.text("type"), fields.text("ref_id"), fields.text("value", ""))


def _decode_passage(record: Any) -> Passage:
    fields = _Fields(record, "passage", _PASSAGE_KEYS)
    return Passage(fields.text("type"), *fields.span())


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if type(value) is not list or not _all_text(value):
        raise CorpusError("must be a list of texts", where=where)
    return tuple(value)


def _all_text(values: list[Any]) -> bool:
    return all(type(value) is str for value in values)


def _whole(*values: Any) -> bool:
    return all(type(value) is int for value in values)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 30 else text[:27] + "..."
