"""What a dataset was made from (``_manifest.json``), so that a stopped job goes on with what is missing, and its parts.

A part is a file of rows with its own counts and errors inside, whole or absent. Names that begin with ``_`` are passed over by
whatever reads a folder of Parquet files.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import relhash
from relhash.errors import OutputError, RelHashWarning
from relhash.files import replacing, today
from relhash.model.judging import ReadCounts
from relhash.model.tables.format import ROW_GROUP, parquet_schema
from relhash.scale.job import Job
from relhash.scale.partitions import InputFile, Partition

_KEY = "relhash"


@dataclass
class Counts(ReadCounts):
    """What became of the documents of a partition, or of all of them: also rows written, time of the worker on the clock and
    of its processor, and documents that could not be read: file, id (if it is known) and what was wrong.
    """

    rows: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    errors: list[dict[str, Any]] = field(default_factory=list)

    def add(self, other: Counts) -> None:
        """Take the counts of another partition in."""
        for name in asdict(self).keys() - {"lowest"}:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.lowest = min((one for one in (self.lowest, other.lowest) if one is not None), default=None)


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


MANIFEST, ERRORS = "_manifest.json", "_errors.jsonl"
_FORMAT = 1


@dataclass(frozen=True)
class Manifest:
    """The plan of a job: its pieces of work in order, what they follow from, and the folder of the dataset."""

    folder: Path
    job: Job
    files: tuple[InputFile, ...]
    partition_size: int
    partitions: tuple[Partition, ...]

    def part(self, partition: Partition) -> Path:
        return self.folder / f"part-{partition.number:06d}{self.job.suffix}"

    @property
    def missing(self) -> list[Partition]:
        """Partitions that are not there yet, or no longer whole, which is reported."""
        missing = [partition for partition in self.partitions if not is_whole(self.part(partition))]
        if damaged := [self.part(partition).name for partition in missing if self.part(partition).exists()]:
            named = ", ".join(damaged[:3]) + (", …" if len(damaged) > 3 else "")
            warnings.warn(f"{self.folder}: damaged, so they are made again: {named}", RelHashWarning, stacklevel=2)
        return missing

    @classmethod
    def found(cls, folder: Path, job: Job, files: Sequence[InputFile], partition_size: int) -> Manifest | None:
        """The plan that is in the folder already, if it is the same job; an error if it is another."""
        path = folder / MANIFEST
        if not path.exists():
            if folder.exists() and any(folder.iterdir()):
                raise OutputError(f"{folder}: not empty, and no dataset of RelHash; choose another folder")
            return None
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            same = {
                "settings": kept["settings"] == job.as_dict(),
                "inputs": kept["inputs"] == [vars(file) for file in files],
                "partition size": kept["partition_size"] == partition_size,
                "version": kept["relhash"] == relhash.__version__,
            }
            partitions = tuple(map(Partition.from_dict, kept["partitions"]))
            before = tuple(InputFile(**one) for one in kept["inputs"])
        except (ValueError, KeyError, TypeError) as error:
            raise OutputError(f"{path}: cannot be understood ({error}); choose another folder") from error
        changed = [name for name, is_same in same.items() if not is_same]
        modified = _modified(before, files)
        if job.grows and not modified:
            changed = [name for name in changed if name == "settings"]
            files = before
        if "inputs" in changed and modified:
            raise OutputError(
                f"{folder}: {modified} was changed since this dataset was begun, so parts of it are about another text; choose "
                "another folder, or remove it"
            )
        if changed:
            raise OutputError(
                f"{folder}: holds the dataset of another job (other {', '.join(changed)}); choose another folder, or remove it"
            )
        return cls(folder, job, tuple(files), partition_size, partitions)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While the folder is worked on, so that no other run takes the temporary files of this one for leftovers."""
        try:
            import fcntl
        except ImportError:  # a system without such locks
            yield
            return
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            with suppress(OSError):  # a file system without such locks
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError as error:
                    raise OutputError(f"{self.folder}: another run is at work on this dataset; wait for it") from error
            yield
        finally:
            os.close(descriptor)

    def write(self, counts: Counts | None = None) -> None:
        """Write the plan, at the end with what came of it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        content: dict[str, Any] = {
            "format": _FORMAT,
            "relhash": relhash.__version__,
            "made": today(),
            "complete": counts is not None,
            "settings": self.job.as_dict(),
            "inputs": [vars(file) for file in self.files],
            "partition_size": self.partition_size,
            "counts": None if counts is None else {**vars(counts), "errors": len(counts.errors)},
            "partitions": [asdict(partition) for partition in self.partitions],
        }
        with replacing(self.folder / MANIFEST) as handle:
            json.dump(content, handle, ensure_ascii=False, indent=1)
        if counts is not None:
            with replacing(self.folder / ERRORS) as handle:
                handle.writelines(json.dumps(error, ensure_ascii=False) + "\n" for error in counts.errors)


def _modified(before: Sequence[InputFile], now: Sequence[InputFile]) -> str | None:
    """The first file that is still there and not what it was."""
    known = {one.path: one for one in before}
    return next((file.path for file in now if known.get(file.path, file) != file), None)
