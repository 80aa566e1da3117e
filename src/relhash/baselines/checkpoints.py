"""Weights of a network in a file (safetensors, never pickle), with what they were trained on as a fingerprint."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import nn

from relhash.errors import ModelFileError
from relhash.files import replacing


def fingerprint(facts: Iterable[Any]) -> str:
    """A short hash of plain facts (numbers, strings, lists of them).

    >>> fingerprint(["CNN", 3]) == fingerprint(["CNN", 3]) != fingerprint(["CNN", 4])
    True
    """
    return hashlib.sha256(json.dumps(list(facts), default=str).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def write_checkpoint(path: str | os.PathLike[str], parts: nn.Module, trained_on: str, *, is_finished: bool) -> None:
    """Write all weights; the file is replaced as a whole."""
    weights = {name: value.contiguous().clone() for name, value in parts.state_dict().items()}
    with replacing(path, "wb") as handle:
        handle.write(save(weights, metadata={"trained_on": trained_on, "is_finished": str(is_finished)}))


def load_checkpoint(path: str | os.PathLike[str], parts: nn.Module, trained_on: str) -> bool:
    """Take the weights of a finished fit of the same thing; ``False`` if the file is absent, of another fit, or unfinished."""
    if not Path(path).exists():
        return False
    try:
        with safe_open(path, framework="pt") as stored:
            known = stored.metadata() or {}
            if known.get("trained_on") != trained_on or known.get("is_finished") != "True":
                return False
            parts.load_state_dict({name: stored.get_tensor(name) for name in stored.keys()})  # noqa: SIM118 (not a dict)
    except (SafetensorError, RuntimeError) as error:
        raise ModelFileError(f"{path}: not a readable checkpoint ({error}); delete it to train anew") from error
    return True
