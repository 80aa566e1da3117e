"""JSON Lines: a document a line, everything our records hold. The schema is described in ``docs/formats/jsonl.md``.

It stays close to the knowledge-base schema of BigBIO (entities with lists of offsets, arguments with ``role`` and ``ref_id``)
and adds what that leaves out: sentences with tokens and parses, candidate pairs, attributes.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
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
from relhash.corpus.source import iterate_lines, writing
from relhash.errors import CorpusError

__all__ = ["SCHEMA", "decode_document", "encode_document", "read_jsonl", "write_jsonl"]

SCHEMA = "relhash/1"
"""Written into every line. Within a schema, keys are only ever added together with a new number."""


def read_jsonl(path: Path, *, on_error: Callable[[CorpusError], None] | None = None) -> Iterator[Document]:
    """Documents of a JSON Lines file, one at a time; blank lines are allowed."""
    found = False
    for number, line in iterate_lines(path):
        if not line.strip():
            continue
        found = True
        try:
            document = _read_line(line, path, number)
        except CorpusError as error:
            if on_error is None:
                raise
            on_error(error)
            continue
        yield document
    if not found:
        raise CorpusError("no documents, only blank lines", path=path)


def write_jsonl(documents: Iterable[Document], path: Path) -> None:
    """One line a document, in the order given."""
    with writing(path) as handle:
        for document in documents:
            handle.write(json.dumps(encode_document(document), ensure_ascii=False, separators=(",", ":")))
            handle.write("\n")


def encode_document(document: Document) -> dict[str, Any]:
    """The document as plain data for JSON. What is empty is left out.

    >>> encode_document(Document("d1", "TNF binds p53.", mentions=(Mention("T1", "protein", ((0, 3),), "TNF"),)))
    ... # doctest: +NORMALIZE_WHITESPACE
    {'schema': 'relhash/1', 'id': 'd1', 'text': 'TNF binds p53.',
     'entities': [{'id': 'T1', 'type': 'protein', 'text': 'TNF', 'offsets': [[0, 3]]}]}
    """
    record: dict[str, Any] = {"schema": SCHEMA, "id": document.id, "text": document.text}
    if document.metadata:
        record["metadata"] = dict(document.metadata)
    if document.passages:
        record["passages"] = [{"type": p.type, "offsets": [[p.start, p.end]]} for p in document.passages]
    if document.sentences:
        record["sentences"] = [_encode_sentence(sentence) for sentence in document.sentences]
    if document.mentions:
        record["entities"] = [_encode_mention(mention) for mention in document.mentions]
    if document.relations:
        record["relations"] = [_encode_relation(relation) for relation in document.relations]
    if document.candidates is not None:
        record["candidates"] = [{"id": c.id, "first": c.first, "second": c.second} for c in document.candidates]
    if document.attributes:
        record["attributes"] = [
            {"id": a.id, "type": a.type, "ref_id": a.target} | ({"value": a.value} if a.value else {})
            for a in document.attributes
        ]
    if document.equivalences:
        record["equivalences"] = [list(group) for group in document.equivalences]
    return record


def decode_document(record: Any) -> Document:
    """The inverse of :func:`encode_document`; raises :class:`CorpusError` saying which element is wrong."""
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


def _read_line(line: str, path: Path, number: int) -> Document:
    try:
        record = json.loads(line)
        line.encode() if "\\u" not in line else json.dumps(record, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise CorpusError(
            f"not JSON: {error.msg} at column {error.colno}",
            path=path,
            where=number,
            remedy="each line must hold one complete JSON object (is the file cut off?)",
        ) from error
    except UnicodeEncodeError as error:
        raise CorpusError("half of a surrogate pair (\\ud800 … \\udfff) is not a character", path=path, where=number) from error
    except (RecursionError, ValueError) as error:  # a thousand open brackets; a number with ten thousand digits
        raise CorpusError("JSON nested too deeply or with a number too long", path=path, where=number) from error
    try:
        return decode_document(record).check(str(path))
    except CorpusError as error:
        place = f" (in {error.where})" if error.where is not None else ""
        raise CorpusError(error.message + place, path=path, where=number, remedy=error.remedy) from error


def _encode_sentence(sentence: Sentence) -> dict[str, Any]:
    record: dict[str, Any] = {"id": sentence.id, "offsets": [[sentence.start, sentence.end]]}
    if sentence.parser:
        record["parser"] = sentence.parser
    if sentence.tokens:
        record["tokens"] = [_encode_token(token) for token in sentence.tokens]
    if sentence.dependencies:
        scheme = sentence.dependencies[0].scheme
        record["scheme"] = scheme
        record["dependencies"] = [
            [d.head, d.dependent, d.label] if d.scheme == scheme else [d.head, d.dependent, d.label, d.scheme]
            for d in sentence.dependencies
        ]
    return record


def _encode_token(token: Token) -> list[Any]:
    if token.lemma:
        return [token.start, token.end, token.text, token.pos, token.lemma]
    return [token.start, token.end, token.text, token.pos] if token.pos else [token.start, token.end, token.text]


def _encode_mention(mention: Mention) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": mention.id,
        "type": mention.type,
        "text": mention.text,
        "offsets": [list(span) for span in mention.spans],
    }
    if mention.ids:
        record["normalized"] = list(mention.ids)
    if mention.is_trigger:
        record["trigger"] = True
    return record


def _encode_relation(relation: Relation) -> dict[str, Any]:
    record: dict[str, Any] = {"id": relation.id, "type": relation.type}
    if relation.trigger is not None:
        record["trigger"] = relation.trigger
    record["arguments"] = [{"role": argument.role, "ref_id": argument.target} for argument in relation.arguments]
    return record


_DOCUMENT_KEYS = frozenset(
    ("schema", "id", "text", "metadata", "passages", "sentences", "entities", "relations", "candidates", "attributes")
) | {"equivalences"}
_SENTENCE_KEYS = frozenset(("id", "offsets", "parser", "tokens", "scheme", "dependencies"))
_MENTION_KEYS = frozenset(("id", "type", "text", "offsets", "normalized", "trigger"))
_RELATION_KEYS = frozenset(("id", "type", "arguments", "trigger"))
_ARGUMENT_KEYS = frozenset(("role", "ref_id"))
_CANDIDATE_KEYS = frozenset(("id", "first", "second"))
_ATTRIBUTE_KEYS = frozenset(("id", "type", "ref_id", "value"))
_PASSAGE_KEYS = frozenset(("type", "offsets"))


class _Fields:
    """A JSON object whose keys are taken out with the type they must have."""

    __slots__ = ("name", "record")

    def __init__(self, record: Any, kind: str, known: frozenset[str]) -> None:
        if type(record) is not dict:
            raise CorpusError(f"a {kind} must be a JSON object, not {_shown(record)}")
        self.record = record
        self.name = str(record.get("id", kind))
        if not record.keys() <= known:
            key = sorted(record.keys() - known)[0]
            similar = difflib.get_close_matches(key, known, 1)
            remedy = f"did you mean {similar[0]!r}?" if similar else "a document's own fields go under 'metadata'"
            raise CorpusError(f"a {kind} has no key {key!r}", where=self.name, remedy=remedy)

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
    scheme = fields.text("scheme", "stanford-collapsed")
    tokens = fields.list("tokens")
    for token in tokens:
        if type(token) is not list or not 3 <= len(token) <= 5 or not _whole(*token[:2]) or not _all_text(token[2:]):
            raise CorpusError("a token must be [start, end, text] with pos and lemma if known", where=fields.name)
    arcs = fields.list("dependencies")
    for arc in arcs:
        if type(arc) is not list or not 3 <= len(arc) <= 4 or not _whole(*arc[:2]) or not _all_text(arc[2:]):
            raise CorpusError("a dependency must be [head, dependent, label] with its scheme if it differs", where=fields.name)
    return Sentence(
        id=fields.text("id"),
        start=start,
        end=end,
        tokens=tuple(Token(*token) for token in tokens),
        dependencies=tuple(Dependency(arc[0], arc[1], arc[2], arc[3] if len(arc) == 4 else scheme) for arc in arcs),
        parser=fields.text("parser", ""),
    )


def _decode_mention(record: Any) -> Mention:
    fields = _Fields(record, "entity", _MENTION_KEYS)
    is_trigger = record.get("trigger", False)
    if type(is_trigger) is not bool:
        raise CorpusError(f"'trigger' must be true or false, not {_shown(is_trigger)}", where=fields.name)
    ids = _texts(fields.list("normalized"), fields.name)
    return Mention(fields.text("id"), fields.text("type"), fields.spans(), fields.text("text"), ids, is_trigger)


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
