"""Models that ship with RelHash, found by name where no file of that name exists."""

from __future__ import annotations

import os
from pathlib import Path

from relhash.errors import ModelFileError
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
