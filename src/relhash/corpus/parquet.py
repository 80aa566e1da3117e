"""Parquet with a column of text: one document per row, read some rows at a time; needs pyarrow.

The text is in the column ``text``, or in ``title`` and ``abstract``, a line each. The id is in ``id``, ``document``, ``pmid``
or ``doc_id``; without such a column a document is called after the file and the row (``abstracts:12``). A file with the columns
of BigBIO's knowledge-base schema holds annotated documents (:mod:`relhash.corpus.bigbio`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from relhash.corpus.bigbio import COLUMNS as BIGBIO
from relhash.corpus.bigbio import bigbio_document
from relhash.corpus.document import Document
from relhash.corpus.remarks import OnError, Remarks, without_broken
from relhash.errors import CorpusError, DataMissingError

ROWS_AT_A_TIME = 1000
IDS = ("id", "document", "pmid", "doc_id")
TEXTS = (("text",), ("title", "abstract"), ("abstract",))


def read_parquet(path: Path, *, on_error: OnError = None, remarks: Remarks | None = None) -> Iterator[Document]:
    """The rows of a Parquet file as documents; memory does not grow with the file."""
    heard = remarks or Remarks()

    def convert(numbered: tuple[int, Mapping[str, Any]]) -> Document:
        number, row = numbered
        if row.keys() >= BIGBIO:
            return bigbio_document(row, path, number, heard)
        return _document(path, number, row)

    return without_broken(_rows(path), convert, on_error)


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows with their numbers, cells by the names of columns in small letters; only the columns that count."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise DataMissingError(
            f"{path}: Parquet needs pyarrow, which is not installed; pip install 'relhash[parquet]'"
        ) from error
    try:
        with pq.ParquetFile(path) as file:
            names = {name.lower(): name for name in file.schema_arrow.names}
            texts = next((found for found in TEXTS if names.keys() >= set(found)), None)
            if texts is None and not names.keys() >= BIGBIO:
                raise CorpusError(
                    f"no column of text; it has {', '.join(names.values())}", path=path, remedy="call the column 'text'"
                )
            wanted = [*names] if names.keys() >= BIGBIO else [*(texts or ()), *(name for name in IDS if name in names)]
            batches = file.iter_batches(ROWS_AT_A_TIME, columns=[names[name] for name in wanted])
            rows = (row for batch in batches for row in batch.to_pylist())
            for number, row in enumerate(rows, 1):
                yield number, {name.lower(): value for name, value in row.items()}
    except (pa.ArrowException, OSError) as error:
        raise CorpusError(f"not a Parquet file ({error})", path=path) from error


def _document(path: Path, number: int, row: Mapping[str, Any]) -> Document:
    texts = next(found for found in TEXTS if row.keys() >= set(found))
    parts = [row[name] for name in texts]
    if not all(part is None or isinstance(part, str) for part in parts):
        raise CorpusError(f"column {texts[0]!r} holds no text", path=path, where=number)
    text = "\n".join(part for part in parts if part)
    if not text.strip():
        raise CorpusError("a row without text", path=path, where=number)
    named = next((row[name] for name in IDS if name in row), None)
    return Document(f"{path.stem}:{number}" if named is None else str(named), text).check(str(path))
