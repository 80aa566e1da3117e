"""Tables of texts (``pmid,title,abstract``): one document per row, title and abstract as its passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from relhash.corpus.document import Document
from relhash.corpus.parts import document_of_parts
from relhash.corpus.remarks import OnError, without_broken
from relhash.corpus.tables.columns import Row
from relhash.errors import CorpusError


@dataclass(slots=True)
class _Text:
    id: str
    parts: dict[tuple[str, str], None] = field(default_factory=dict)
    """Kind and text of each part, in order, the same text once."""

    def document(self) -> Document:
        made = document_of_parts(self.id, self.parts)
        return made if len(made.passages) > 1 or made.passages[0].type != "text" else replace(made, passages=())


def text_documents(
    rows: Sequence[Row | CorpusError], columns: frozenset[str], name: str, path: Path, on_error: OnError
) -> Iterator[Document]:
    """The documents of such a table. Rows with the same id are one document, their texts on lines of their own."""
    has_ids = "id" in columns
    texts: dict[str, _Text] = {}

    def add(row: Row | CorpusError) -> None:
        if isinstance(row, CorpusError):
            raise row
        parts = [(kind, row[kind].replace("\r\n", "\n").strip()) for kind in ("title", "abstract", "text")]
        parts = [(kind, text) for kind, text in parts if text]
        if not parts:
            raise CorpusError("the row has no text", path=path, where=row.where, remedy="fill it in or remove the row")
        key = (row["id"].strip() if has_ids else "") or f"{name}:{row.line}"
        texts.setdefault(key, _Text(key)).parts.update(dict.fromkeys(parts))

    for _ in without_broken(rows, add, on_error):
        pass
    for text in texts.values():
        yield text.document().check(str(path))
