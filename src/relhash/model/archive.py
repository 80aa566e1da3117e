"""Files of learned things, also those that ship: a zip with a JSON manifest and arrays, nothing that could run.

``manifest.json`` says what the file holds (kind, schema version, …) and the sha256 of every other part. Parts are ``.npz``
files without pickle. Whatever is damaged, truncated, or of another kind or schema version is refused before any of it is used.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import os
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import relhash
from relhash.errors import ModelFileError
from relhash.files import check_ends, replacing
from relhash.resources import resource_path

SUFFIX = ".relhash"


def shipped_models() -> dict[str, Path]:
    """Name → file of each model that ships."""
    folder = resource_path("models")
    return {path.stem: path for path in sorted(folder.glob(f"*/*{SUFFIX}"))} if folder.is_dir() else {}


def find_model(name: str | os.PathLike[str]) -> Path:
    """The file called ``name``, else the shipped model of that name.

    >>> find_model("no-such-model")
    Traceback (most recent call last):
    ...
    relhash.errors.ModelFileError: no-such-model: there is no such file...
    """
    path = Path(name)
    if path.exists():
        return path
    shipped = shipped_models()
    if str(name) in shipped:
        return shipped[str(name)]
    listed = f"; models that ship with RelHash: {', '.join(shipped)}" if shipped else ""
    raise ModelFileError(f"{path}: there is no such file; `relhash fit … -o {path.name}` makes one{listed}")


LARGEST = 4 << 30
"""Bytes that the parts of a file may unpack to: a file that claims more is not one of ours."""

LARGEST_RATIO, ALWAYS_ALLOWED = 1000, 256 << 20
"""Bytes of arrays that a packed byte of a part may unpack to, and how many may be unpacked whatever the ratio."""

MANIFEST_RATIO, MANIFEST_ALLOWED = 200, 64 << 20
"""The same of the manifest, which is text and is read before anything is known of the file (the largest of ours has 1 MB)."""

LEVEL = 6
"""Of deflate. Files were written with LZMA before, a fifth smaller, but five times as slow to read and ten times to write."""

Arrays = Mapping[str, NDArray[Any]]

FORMATS = {"relhash-model": "a model", "relhash-codes": "the hash functions of an index"}
"""What the files of each format are, to say so when one is taken for another."""


@dataclass(frozen=True)
class ArchiveKind:
    """One kind of file: its name in the manifest, the version of its layout, what people call it, what makes one.

    Files from version ``oldest`` on are read (``None``: only this one): what a later version has added is then optional.
    """

    format: str
    schema: int
    noun: str
    made_by: str
    oldest: int | None = None


def format_of(path: Path) -> str:
    """The format that a file names; nothing if it is none of ours, or cannot be read (whoever reads it says why)."""
    check_ends(path)
    try:
        with zipfile.ZipFile(path) as archive:
            return str(_manifest(archive, path)["format"])
    except (*_BROKEN, ModelFileError, KeyError, TypeError):
        return ""


def write_archive(path: Path, kind: ArchiveKind, manifest: Mapping[str, Any], arrays: Mapping[str, Arrays]) -> None:
    """Write the file, complete or not at all; equal contents are equal files."""
    parts = {name: _pack(part) for name, part in arrays.items()}
    head = {
        "format": kind.format,
        "schema": kind.schema,
        "relhash": relhash.__version__,
        "parts": {name: hashlib.sha256(content).hexdigest() for name, content in parts.items()},
    }
    with replacing(path, "wb") as handle, zipfile.ZipFile(handle, "w", zipfile.ZIP_DEFLATED) as archive:
        text = json.dumps({**head, **manifest}, ensure_ascii=False, indent=1, allow_nan=False)
        archive.writestr(_entry("manifest.json"), text)
        for name, content in parts.items():
            archive.writestr(_entry(name, zipfile.ZIP_STORED), content)  # an .npz is compressed already


def read_archive(path: Path, kind: ArchiveKind) -> tuple[dict[str, Any], dict[str, Arrays]]:
    """The manifest and the arrays of every part, after all checks."""
    if path.is_dir():
        raise ModelFileError(f"{path}: a folder, not a {kind.noun} file")
    check_ends(path)
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > LARGEST:
                raise ModelFileError(f"{path}: unpacks to more than any {kind.noun} of ours")
            manifest = _manifest(archive, path)
            _check_kind(manifest, path, kind)
            contents = {name: archive.read(name) for name in manifest["parts"]}
    except FileNotFoundError:
        raise ModelFileError(f"{path}: there is no such file; `{kind.made_by} … -o {path.name}` makes one") from None
    except KeyError as error:
        raise ModelFileError(f"{path}: the {kind.noun} file is incomplete ({error})") from error
    except _BROKEN as error:
        if isinstance(error, zipfile.BadZipFile) and path.suffix != ".relhash" and not _begins_as_archive(path):
            made = f"{kind.made_by} … -o makes one"
            remedy = "check the order of the arguments: relhash predict MODEL TEXT" if kind.noun == "model" else made
            raise ModelFileError(f"{path}: not a {kind.noun} file; {remedy}") from error
        raise ModelFileError(f"{path}: not a {kind.noun} file, or a damaged one ({error}); make or copy it again") from error
    for name, content in contents.items():
        if hashlib.sha256(content).hexdigest() != manifest["parts"][name]:
            raise ModelFileError(f"{path}: part {name} is damaged (its checksum differs); copy the file again")
    return manifest, {name: _unpack(content, path) for name, content in contents.items()}


def _begins_as_archive(path: Path) -> bool:
    with path.open("rb") as handle:
        return handle.read(2) == b"PK"


_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, json.JSONDecodeError, UnicodeDecodeError, EOFError, OSError,
    NotImplementedError, RuntimeError, OverflowError, ValueError,
)  # fmt: skip
"""What ``zipfile`` and ``json`` raise on damaged files (an encrypted flag is a RuntimeError)."""


def _manifest(archive: zipfile.ZipFile, path: Path) -> Any:
    entry = archive.getinfo("manifest.json")
    packed = min(entry.compress_size, path.stat().st_size)  # what an entry says of itself need not be true
    if entry.file_size > max(MANIFEST_ALLOWED, MANIFEST_RATIO * packed):
        raise ModelFileError(f"{path}: a manifest of {packed:,} bytes unpacks to {entry.file_size:,}: not one of ours")
    return json.loads(archive.read(entry).decode("utf-8"), parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> None:
    """Nothing that we write is NaN or infinite, and what compares with NaN is never true."""
    raise ValueError(f"{name} in the manifest")


def _check_kind(manifest: Any, path: Path, kind: ArchiveKind) -> None:
    given = manifest.get("format") if isinstance(manifest, dict) else None
    if given != kind.format or not isinstance(manifest.get("parts"), dict):
        held = f"; it holds {FORMATS[given]}" if given in FORMATS and given != kind.format else ""
        raise ModelFileError(f"{path}: not a RelHash {kind.noun} file{held}")
    schema = manifest.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or not (kind.oldest or kind.schema) <= schema <= kind.schema:
        raise ModelFileError(
            f"{path}: the file has schema version {manifest.get('schema')} (RelHash {manifest.get('relhash')}), this is "
            f"RelHash {relhash.__version__} with version {kind.schema}; use the version that wrote it, or fit again"
        )


def _pack(arrays: Arrays) -> bytes:
    """An ``.npz`` with fixed dates, so that equal models are equal files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in sorted(arrays.items()):
            content = io.BytesIO()
            np.lib.format.write_array(content, np.asanyarray(array), allow_pickle=False)
            archive.writestr(_entry(f"{name}.npy"), content.getvalue(), compresslevel=LEVEL)
    return buffer.getvalue()


def _unpack(content: bytes, path: Path) -> Arrays:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:  # no part is read beyond the size that is declared here
            size = sum(entry.file_size for entry in packed.infolist())
        if size > min(LARGEST, max(ALWAYS_ALLOWED, LARGEST_RATIO * len(content))):
            raise ModelFileError(f"{path}: a part of {len(content):,} bytes unpacks to {size:,}: not one of ours")
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (*_BROKEN, MemoryError) as error:
        raise ModelFileError(f"{path}: a part cannot be read ({error})") from error


def _entry(name: str, method: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = method
    entry.external_attr = 0o644 << 16
    return entry
