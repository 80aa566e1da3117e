"""Files that ship with RelHash. Each folder says where they come from, their licence, and the command that made them."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["resource_path"]


def resource_path(*parts: str) -> Path:
    """Path of a shipped file or folder, for instance ``resource_path("demo", "abstracts.jsonl.gz")``."""
    return Path(str(files(__name__).joinpath(*parts)))
