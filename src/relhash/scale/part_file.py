"""One partition of the output: a Parquet file of rows with its own counts and errors inside, whole or absent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from relhash.files import replacing
from relhash.models.tables.parquet import ROW_GROUP, parquet_schema

_KEY = "relhash"


@dataclass
class Counts:
    """What became of the documents of a partition, or of all of them.

    Attributes
    ----------
    documents, sentences, entities, candidates, relations, rows
        Documents that were read, what was found in them, relations that were accepted, rows that were written.
    below_half, lowest
        Accepted relations with a probability below 1/2, and the lowest one.
    errors
        Documents that could not be read: file, id (if it is known) and what was wrong.
    seconds, cpu_seconds
        Time of the worker on the clock, and of its processor: on a busy machine the second one tells what text costs.
    """

    documents: int = 0
    sentences: int = 0
    entities: int = 0
    candidates: int = 0
    relations: int = 0
    rows: int = 0
    below_half: int = 0
    lowest: float | None = None
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    errors: list[dict[str, Any]] = field(default_factory=list)

    def add(self, other: Counts) -> None:
        """Take the counts of another partition in."""
        for name in (
            "documents",
            "sentences",
            "entities",
            "candidates",
            "relations",
            "rows",
            "below_half",
            "seconds",
            "cpu_seconds",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.lowest = min((one for one in (self.lowest, other.lowest) if one is not None), default=None)
        self.errors += other.errors


def part_name(number: int, suffix: str = ".parquet") -> str:
    """
    >>> part_name(7)
    'part-000007.parquet'
    """
    return f"part-{number:06d}{suffix}"


def write_part(path: Path, rows: Iterable[dict[str, Any]], counts: Counts, columns: Sequence[str]) -> None:
    """Write rows as they come, and the counts as they are in the end."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = parquet_schema(columns)
    rows = iter(rows)
    with replacing(path, "wb") as handle, pq.ParquetWriter(handle, schema, compression="zstd") as writer:
        while group := list(islice(rows, ROW_GROUP)):
            writer.write_table(pa.Table.from_pylist(group, schema))
            counts.rows += len(group)
        writer.add_key_value_metadata({_KEY: json.dumps(asdict(counts), ensure_ascii=False)})


def read_counts(path: Path) -> Counts:
    """The counts of a part that was written."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.suffix == ".arrow":
        with pa.memory_map(str(path)) as source:
            metadata = pa.ipc.open_file(source).schema.metadata
    else:
        metadata = pq.read_metadata(path).metadata
    return Counts(**json.loads(metadata[_KEY.encode()]))


def is_whole(path: Path) -> bool:
    """Whether a part is there and ends as it was written: one that was cut off (a full disk, a copy) is to be made again."""
    import pyarrow as pa

    try:
        read_counts(path)
    except (pa.ArrowException, OSError, KeyError, ValueError, TypeError):
        return False
    return True
