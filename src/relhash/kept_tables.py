"""Tables that ship, kept unpacked: a file in the user's cache folder is mapped instead of inflating an archive again.

Inflating takes a fifth of the time to a first sentence, and what is inflated lies in the memory of each process. Of a mapped
file only what is looked at lies in memory, once for all processes. A kept file is whole or absent, has a checksum, and is made
again when it is damaged or of another version; where none can be kept the archive is read each time.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from numpy.typing import NDArray

from relhash.errors import RelHashWarning
from relhash.files import digest_of, private_folder, replacing

Tables = Mapping[str, NDArray[Any]]

FORMAT = b"relhash tables 1"
"""How a file begins; then the checksum of the rest, the length of a description in JSON, this, and the arrays."""
SUFFIX = ".tables"
_ALIGNED = 64
_BLOCK = 1 << 20
_NUMBER = 8
_START = len(FORMAT) + _NUMBER


def tables_folder() -> Path:
    """Where they are kept."""
    return Path(platformdirs.user_cache_dir("relhash", appauthor=False)) / "tables"


def read_npz(path: Path) -> dict[str, NDArray[Any]]:
    """All arrays of an archive of numpy."""
    with np.load(path, allow_pickle=False) as archive:
        return dict(archive)


def kept_tables(path: Path, read: Callable[[Path], Tables] = read_npz) -> Tables:
    """What ``read`` makes of a file that ships, kept for the next process."""
    what = f"{path.parent.name}-{path.stem}"
    kept = tables_folder() / f"{what}-{digest_of(path)[:16]}{SUFFIX}"
    found = mapped(kept)
    if found is None:
        if os.path.exists(kept):  # noqa: PTH110  (of a folder that may not be looked into Path.exists is an error)
            warnings.warn(f"{kept}: what was kept here is damaged; it is made again", RelHashWarning, stacklevel=2)
        made = read(path)
        with contextlib.suppress(OSError):  # nothing is kept
            _keep(kept, made)
            for other in kept.parent.glob(f"{what}-*{SUFFIX}"):
                if other != kept:
                    other.unlink()
        found = mapped(kept) or made
    return found


def _keep(path: Path, tables: Tables) -> None:
    described, at = {}, 0
    for name, table in tables.items():
        described[name] = [table.dtype.str, list(table.shape), at]
        at += -(-table.nbytes // _ALIGNED) * _ALIGNED
    head = json.dumps(described).encode()
    head += b" " * (-(_START + _NUMBER + len(head)) % _ALIGNED)
    parts = [len(head).to_bytes(_NUMBER, "little"), head]
    for table in tables.values():
        parts += [table.tobytes(), bytes(-table.nbytes % _ALIGNED)]
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    private_folder(path.parent)
    with replacing(path, "wb") as handle:
        handle.write(FORMAT + checksum.to_bytes(_NUMBER, "little"))
        handle.writelines(parts)


def mapped(path: Path) -> Tables | None:
    """The arrays of a kept file; ``None`` if there is none that is whole."""
    try:
        with path.open("rb") as handle:
            if not _is_whole(handle):
                return None
            # private to this process, so that nothing can be changed in the file
            content = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_COPY)
    except (OSError, ValueError):
        return None
    length = int.from_bytes(content[_START : _START + _NUMBER], "little")
    start = _START + _NUMBER + length
    return {
        name: np.ndarray(tuple(shape), np.dtype(kind), content, start + at)
        for name, (kind, shape, at) in json.loads(content[_START + _NUMBER : start]).items()
    }


def _is_whole(handle: Any) -> bool:
    """Whether a file is what was written; it is read in blocks, which do not stay in memory as a mapped file would."""
    start = handle.read(_START)
    checksum = 0
    while block := handle.read(_BLOCK):
        checksum = zlib.crc32(block, checksum)
    return start == FORMAT + checksum.to_bytes(_NUMBER, "little") and os.fstat(handle.fileno()).st_size > _START


def damaged_tables(folder: Path) -> Iterator[Path]:
    """Those kept files that are not what was written."""
    return (path for path in sorted(folder.glob(f"*{SUFFIX}")) if mapped(path) is None)
