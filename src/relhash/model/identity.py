"""Which model said it: every row of output names the model and its version, so that a table can be traced to a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """The name of a model, that of its file without the suffix, and its version: the day it was made, and eight digits of what
    it learned. Models with one version are equal; a model that was never saved has no digits.
    """

    name: str = ""
    version: str = ""


def identity_of_file(path: Path, manifest: Mapping[str, Any]) -> ModelIdentity:
    """The identity of the model that a file holds; the manifest has the checksums of all else.

    >>> identity_of_file(Path("models/mine.relhash"), {"card": {"made": "2026-11-17"}, "parts": {}})
    ModelIdentity(name='mine', version='2026-11-17-530a0db8')
    """
    content = json.dumps(manifest, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    made = manifest.get("card", {}).get("made", "")
    return ModelIdentity(path.stem, f"{made}-{hashlib.sha256(content).hexdigest()[:8]}".removeprefix("-"))


def identity_of_fit(preset: str, card: Mapping[str, Any]) -> ModelIdentity:
    """The identity of a model that has not been saved: it is called after its preset."""
    return ModelIdentity(preset, str(card.get("made", "")))
