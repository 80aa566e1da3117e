"""BigBIO's knowledge-base schema (``bigbio_kb``), as JSON Lines or Parquet: one document per record.

Passages and entities come with lists of texts and offsets, events with a trigger that has no id, relations with two ends,
coreferences as groups. Text between passages that the record does not hold becomes a newline and blanks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from relhash.corpus.document import Argument, Document, Mention, Passage, Relation, Span, free_id
from relhash.corpus.remarks import OnError, Remarks, formed_as, json_of, settled, without_broken
from relhash.corpus.source import filled_lines

COLUMNS = frozenset({"document_id", "passages", "entities", "relations"})
"""Keys (or columns of a Parquet file) by which the schema is known."""


def read_bigbio(path: Path, *, on_error: OnError = None, remarks: Remarks | None = None) -> Iterator[Document]:
    """Documents of a JSON Lines file, one at a time."""
    noted = remarks or Remarks()

    def read(numbered: tuple[int, str]) -> Document:
        number, line = numbered
        return bigbio_document(json_of(line, path, number), path, number, noted)

    return without_broken(filled_lines(path), read, on_error)


def bigbio_document(record: Mapping[str, Any], path: Path, number: int, remarks: Remarks) -> Document:
    """The document of one record."""
    with formed_as("bigbio_kb", path, number):
        return settled(_document(record), remarks, lambda name: (path, f"record {number}, {name}"))


def _document(record: Mapping[str, Any]) -> Document:
    text, passages = _text(record["passages"])
    mentions = [
        Mention(
            str(entity["id"]),
            str(entity["type"]),
            _spans(entity["offsets"]),
            " ".join(entity["text"]),
            tuple(f"{one['db_name']}:{one['db_id']}" for one in entity.get("normalized") or () if one.get("db_id")),
        )
        for entity in record["entities"]
    ]
    taken = {mention.id for mention in mentions} | {str(event["id"]) for event in record.get("events") or ()}
    relations: list[Relation] = []
    for event in record.get("events") or ():
        spans = _spans((event.get("trigger") or {}).get("offsets") or ())
        trigger = free_id(f"{event['id']}_trigger", taken) if spans else None
        if trigger is not None:
            words = " ".join(event["trigger"]["text"])
            mentions.append(Mention(trigger, str(event["type"]), spans, words, is_trigger=True))
        arguments = tuple(Argument(str(one["role"]), str(one["ref_id"])) for one in event["arguments"])
        relations.append(Relation(str(event["id"]), str(event["type"]), arguments, trigger))
    for relation in record["relations"]:
        ends = (Argument("Arg1", str(relation["arg1_id"])), Argument("Arg2", str(relation["arg2_id"])))
        relations.append(Relation(str(relation["id"]), str(relation["type"]), ends))
    groups = (tuple(map(str, group["entity_ids"])) for group in record.get("coreferences") or ())
    return Document(
        str(record["document_id"] or record["id"]),
        text,
        mentions=tuple(mentions),
        relations=tuple(relations),
        equivalences=tuple(group for group in groups if len(group) > 1),
        passages=passages,
    )


def _text(given: list[Mapping[str, Any]]) -> tuple[str, tuple[Passage, ...]]:
    text, passages = "", []
    for passage in sorted(given, key=lambda one: one["offsets"][0][0]):
        ((start, end),) = _spans(passage["offsets"])
        if start < len(text) or end - start != len(words := " ".join(passage["text"])) or start > len(text) + 1_000_000:
            raise ValueError(f"the passage at {start}-{end} is not as long as its text, or overlaps the one before it")
        text += "\n".ljust(start - len(text)) * (start > len(text)) + words
        passages.append(Passage(str(passage["type"]), start, end))
    return text, tuple(passages)


def _spans(offsets: Any) -> tuple[Span, ...]:
    return tuple((int(start), int(end)) for start, end in offsets)
