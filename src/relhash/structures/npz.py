"""Plain arrays in an ``.npz`` file, without pickle."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ModelFileError
from relhash.files import replacing

LARGEST_RATIO, ALWAYS_ALLOWED = 200, 256 << 20
"""Bytes that a byte of a file may unpack to, and how many may be unpacked whatever the ratio."""


def under(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin with ``prefix``, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def save_npz(path: str | os.PathLike[str], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write the arrays; the file appears complete or not at all."""
    with replacing(path, "wb") as handle:
        np.savez_compressed(handle, **arrays)  # type: ignore[arg-type]


def load_npz(path: str | os.PathLike[str]) -> dict[str, NDArray[Any]]:
    """The arrays of a file by name; an error for anything that is no such file."""
    try:
        return read_arrays(path)
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path}: not a readable .npz file ({error})") from error


def read_arrays(path: str | os.PathLike[str]) -> dict[str, NDArray[Any]]:
    """The arrays of a file by name; a plain ValueError (or OSError) says why not, for whoever knows what the file was to be."""
    try:
        with zipfile.ZipFile(path) as packed:  # no array is read beyond the size that is declared here
            size = sum(entry.file_size for entry in packed.infolist())
        if size > max(ALWAYS_ALLOWED, LARGEST_RATIO * Path(path).stat().st_size):
            raise ValueError(f"it unpacks to {size:,} bytes, which no arrays of ours do")
        with np.load(Path(path), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OverflowError) as error:
        raise ValueError(str(error)) from error
