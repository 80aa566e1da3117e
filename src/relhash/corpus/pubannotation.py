"""PubAnnotation's JSON: a text with denotations (spans), relations, attributes and modifications; one document or a list.

Denotations of several ``tracks`` (projects) are put together, their ids distinguished by the number of the track.
``Equivalent`` relations are not equivalences: they are kept as relations, as all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from relhash.corpus.document import Argument, Attribute, Document, Mention, Relation, Span, spanned_text
from relhash.corpus.remarks import OnError, Remarks, formed_as, json_of, settled, without_broken
from relhash.corpus.source import content_name, read_text


def read_pubannotation(path: Path, *, on_error: OnError = None, remarks: Remarks | None = None) -> Iterator[Document]:
    """The documents of a file, which is read as a whole."""
    noted = remarks or Remarks()
    content = json_of(read_text(path), path)

    def convert(numbered: tuple[int, Any]) -> Document:
        number, record = numbered
        where = f"document {number}"
        with formed_as("PubAnnotation", path, where):
            document = _document(record, f"{Path(content_name(path)).stem}:{number}")
            return settled(document, noted, lambda name: (path, f"{where}, {name}"))

    return without_broken(enumerate(content if isinstance(content, list) else [content], 1), convert, on_error)


def _document(record: Mapping[str, Any], name: str) -> Document:
    text = record["text"]
    mentions: list[Mention] = []
    relations: list[Relation] = []
    attributes: list[Attribute] = []
    for number, track in enumerate([record, *record.get("tracks", ())]):
        mark = f"{number}:" if number else ""
        for one in track.get("denotations", ()):
            spans = _spans(one["span"])
            identifier = f"{mark}{one.get('id') or f'T{len(mentions) + 1}'}"
            mentions.append(Mention(identifier, str(one["obj"]), spans, spanned_text(text, spans)))
        for one in track.get("relations", ()):
            ends = (Argument("subj", mark + str(one["subj"])), Argument("obj", mark + str(one["obj"])))
            relations.append(Relation(f"{mark}{one.get('id') or f'R{len(relations) + 1}'}", str(one["pred"]), ends))
        for key, target, value in (("attributes", "subj", "obj"), ("modifications", "obj", "")):
            for one in track.get(key, ()):
                identifier = f"{mark}{one.get('id') or f'A{len(attributes) + 1}'}"
                said = "" if not value or one.get(value) in (None, True) else str(one[value])
                attributes.append(Attribute(identifier, str(one["pred"]), mark + str(one[target]), said))
    place = [str(record[key]) for key in ("sourceid", "divid") if record.get(key) not in (None, "")]
    metadata = {"sourcedb": str(record["sourcedb"])} if record.get("sourcedb") else {}
    return Document(
        "-".join(place) or name,
        text,
        mentions=tuple(mentions),
        relations=tuple(relations),
        attributes=tuple(attributes),
        metadata=metadata,
    )


def _spans(given: Any) -> tuple[Span, ...]:
    parts = given if isinstance(given, list) else [given]
    return tuple(sorted((int(part["begin"]), int(part["end"])) for part in parts))
