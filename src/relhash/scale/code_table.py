"""A table of hashcodes that ``relhash hash`` wrote, read for searching: codes in memory, rows fetched when they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import CorpusError
from relhash.hashing.codes import pack
from relhash.models.tables import TABLE_FORMATS, read_rows, row_format
from relhash.structures.npz import read_arrays

ROWS = 65_536
"""Rows whose codes are decoded at a time."""
_REMEDY = "give a table that relhash hash MODEL TEXT -o codes.parquet (.tsv, .csv, .jsonl, .npz) wrote"
_BINARY = frozenset("01")
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


@dataclass(frozen=True, eq=False)
class CodeTable:
    """The codes of a file, packed; ``versions`` are those of the models that made them, if the file says so."""

    path: Path
    codes: NDArray[np.uint64]
    versions: frozenset[str]

    def __len__(self) -> int:
        return len(self.codes)

    def rows(self, wanted: Iterable[int]) -> dict[int, dict[str, Any]]:
        """The rows of these numbers; the rest of the file is passed over."""
        numbers = sorted(set(map(int, wanted)))
        if _is_arrays(self.path):
            with np.load(self.path, allow_pickle=False) as stored:
                keys = stored["keys"]
                return {number: {"marked": str(keys[number])} for number in numbers}
        if files := _parquet_files(self.path):
            return _parquet_rows(files, numbers)
        asked, last = set(numbers), numbers[-1] + 1 if numbers else 0
        rows = enumerate(row for _, row in islice(read_rows(self.path), last))
        return {number: row for number, row in rows if number in asked}


def read_code_table(path: Path, n_bits: int | None = None) -> CodeTable:
    """All codes of a file; an error if they cannot have ``n_bits`` bits, those of the model that asks."""
    if _is_arrays(path):
        codes = _arrays(path)
        if n_bits is not None and codes.shape[1] != -(-n_bits // 64):
            raise _other_model(path, 64 * codes.shape[1], n_bits)
        return CodeTable(path, codes, frozenset())
    blocks: list[NDArray[np.uint64]] = []
    versions: set[str] = set()
    width, is_binary = 0, False
    for start, texts, made_by in _columns(path):
        versions |= made_by
        lengths = set(map(len, texts))
        if len(lengths | ({width} if width else set())) > 1:
            odd = next(number for number, text in enumerate(texts) if len(text) != (width or len(texts[0])))
            raise CorpusError("its code is not as long as those before it", path=path, where=start + odd, remedy=_REMEDY)
        if not width:
            width = lengths.pop()
            is_binary = width == n_bits or (n_bits is None and all(map(_BINARY.issuperset, texts)))
            if n_bits not in (None, width) and width != 2 * -(-n_bits // 8):
                raise _other_model(path, 4 * width, n_bits)
        blocks.append(_decoded(texts, is_binary, path, start))
    if not blocks:
        raise CorpusError("there are no codes in it", path=path, remedy=_REMEDY)
    return CodeTable(path, np.concatenate(blocks), frozenset(versions - {""}))


def _arrays(path: Path) -> NDArray[np.uint64]:
    try:
        stored = read_arrays(path)
        codes, keys = stored["codes"], stored["keys"]
    except (OSError, ValueError, KeyError) as error:
        raise CorpusError(f"cannot be read as codes ({error})", path=path, remedy=_REMEDY) from error
    if codes.dtype != np.uint64 or codes.ndim != 2 or keys.shape != codes.shape[:1]:
        raise CorpusError("its arrays are not those of codes", path=path, remedy=_REMEDY)
    if not codes.size:
        raise CorpusError("there are no codes in it", path=path, remedy=_REMEDY)
    return codes


def _columns(path: Path) -> Iterator[tuple[int, Sequence[str], set[str]]]:
    """Blocks of the column of codes, each with the number of its first row and the models that are named in it."""
    if files := _parquet_files(path):
        yield from _parquet_columns(path, files)
        return
    rows = iter(read_rows(path))
    while block := list(islice(rows, ROWS)):
        for number, row in block:
            if not row.get("code"):
                raise CorpusError("there is no code in this row", path=path, where=number, remedy=_REMEDY)
        yield block[0][0], [str(row["code"]) for _, row in block], {str(row.get("model_version") or "") for _, row in block}


def _is_arrays(path: Path) -> bool:
    return row_format(path) == "npz" and not path.is_dir()


def _parquet_files(path: Path) -> list[Path]:
    """The files of a table in Parquet, in the order of their rows: one, or those of a dataset; none of another format."""
    if path.is_dir():
        return sorted(path.glob("*.parquet"))
    return [path] if row_format(path) == "parquet" and path.is_file() else []


def _parquet_columns(path: Path, files: Sequence[Path]) -> Iterator[tuple[int, Sequence[str], set[str]]]:
    TABLE_FORMATS["parquet"].check(path)
    import pyarrow as pa
    import pyarrow.parquet as pq

    start = 1
    try:
        for part in files:
            with pq.ParquetFile(part) as file:
                there = set(file.schema_arrow.names)
                if "code" not in there:
                    raise CorpusError("it has no column of codes", path=path, remedy=_REMEDY)
                names = ["code", *(["model_version"] if "model_version" in there else [])]
                for batch in file.iter_batches(ROWS, columns=names):
                    texts = batch.column("code").to_pylist()
                    if not all(isinstance(text, str) and text for text in texts):
                        raise CorpusError("there is no code in a row", path=path, where=start, remedy=_REMEDY)
                    models = batch.column("model_version").unique().to_pylist() if len(names) > 1 else []
                    yield start, texts, {str(name or "") for name in models}
                    start += len(texts)
    except (pa.ArrowException, OSError) as error:
        raise CorpusError(f"not a Parquet file ({error})", path=path) from error


def _parquet_rows(files: Sequence[Path], numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Only the groups of rows are read that hold one of them."""
    import pyarrow.parquet as pq

    found: dict[int, dict[str, Any]] = {}
    first = 0
    for part in files:
        with pq.ParquetFile(part) as file:
            for group in range(file.metadata.num_row_groups):
                size = file.metadata.row_group(group).num_rows
                here = [number for number in numbers if first <= number < first + size]
                if here:
                    taken = file.read_row_group(group).take([number - first for number in here])
                    found |= dict(zip(here, taken.to_pylist(), strict=True))
                first += size
    return found


def _decoded(texts: Sequence[str], is_binary: bool, path: Path, start: int) -> NDArray[np.uint64]:
    """Codes from hexadecimal digits (bit 0 the highest of the first) or from 0 and 1, packed."""
    is_code = _BINARY.issuperset if is_binary else _is_hexadecimal
    odd = next((number for number, text in enumerate(texts) if not is_code(text)), None)
    if odd is not None:
        raise CorpusError(f"{texts[odd]!r} is not a code", path=path, where=start + odd, remedy=_REMEDY)
    joined = "".join(texts)
    if is_binary:
        return pack(np.frombuffer(joined.encode("ascii"), np.uint8).reshape(len(texts), -1) - ord("0"))
    return pack(np.unpackbits(np.frombuffer(bytes.fromhex(joined), np.uint8).reshape(len(texts), -1), axis=1))


def _is_hexadecimal(text: str) -> bool:
    return not len(text) % 2 and _HEXADECIMAL.issuperset(text)


def _other_model(path: Path, bits: int, n_bits: int) -> CorpusError:
    return CorpusError(
        f"its codes have {bits} bits, those of the model {n_bits}", path=path, remedy="give the model that made these codes"
    )
