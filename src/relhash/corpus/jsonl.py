"""JSON Lines: one document per line, everything our records hold. The schema is described in ``docs/formats/jsonl.md``.

It stays close to the knowledge-base schema of BigBIO (entities with lists of offsets, arguments with ``role`` and ``ref_id``)
and adds what that leaves out: sentences with tokens and parses, candidate pairs, attributes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from relhash.corpus.document import Document, Mention, Relation, Sentence, Token
from relhash.corpus.jsonl_decoding import SCHEMA, decode_document
from relhash.corpus.offset_repair import Repairs, with_mentions_in_place
from relhash.corpus.skipping import OnError, without_broken
from relhash.corpus.source import filled_lines, writing
from relhash.errors import CorpusError


def read_jsonl(path: Path, *, on_error: OnError = None, repairs: Repairs | None = None) -> Iterator[Document]:
    """Documents of a JSON Lines file, one at a time; blank lines are allowed.

    ``repairs`` puts right offsets that miss their mention by a little.
    """
    return without_broken(filled_lines(path), lambda line: _read_line(line[1], path, line[0], repairs), on_error)


def write_jsonl(documents: Iterable[Document], path: Path) -> None:
    """One line per document, in the order given."""
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


def _read_line(line: str, path: Path, number: int, repairs: Repairs | None) -> Document:
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
    with _naming_the_line(path, number):
        document = decode_document(record)
    document = with_mentions_in_place(document, repairs, lambda mention: (path, number))
    with _naming_the_line(path, number):
        return document.check(str(path))


@contextmanager
def _naming_the_line(path: Path, number: int) -> Iterator[None]:
    try:
        yield
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
    if mention.is_answer:
        record["answer"] = True
    if mention.certainty != 1.0:
        record["certainty"] = mention.certainty
    return record


def _encode_relation(relation: Relation) -> dict[str, Any]:
    record: dict[str, Any] = {"id": relation.id, "type": relation.type}
    if relation.trigger is not None:
        record["trigger"] = relation.trigger
    record["arguments"] = [{"role": argument.role, "ref_id": argument.target} for argument in relation.arguments]
    return record
