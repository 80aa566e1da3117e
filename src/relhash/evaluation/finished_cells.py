"""Finished cells, and the files that keep them, so that an interrupted run goes on where it stopped."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Cell", "CellFile"]


@dataclass
class Cell:
    """The result of one run: what it was, its figures by variant, and the labels given (for paired tests)."""

    system: str
    direction: str
    fold: int
    seed: int
    labels: int | None
    seconds: float
    figures: dict[str, dict[str, Any]]
    given: NDArray[np.bool_] | None = None

    def to_json(self, key: str) -> str:
        stored = {**asdict(self), "key": key}
        if self.given is not None:
            packed = np.packbits(self.given).tobytes()
            stored["given"] = {"n": int(self.given.size), "bits": base64.b64encode(packed).decode()}
        return json.dumps(stored, ensure_ascii=False)

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Cell:
        given = stored.pop("given")
        if given is not None:
            packed = np.frombuffer(base64.b64decode(given["bits"]), np.uint8)
            given = np.unpackbits(packed, count=given["n"]).astype(bool)
        return cls(**stored, given=given)


class CellFile:
    """Finished cells as lines of files, one file per protocol; a last line that was cut off by an interruption is ignored."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.finished: dict[str, Cell] = {}
        for file in [] if path is None else sorted(path.parent.glob("*.cells.jsonl")):
            for line in file.read_text(encoding="utf-8").splitlines():
                try:
                    stored: Mapping[str, Any] = json.loads(line)
                    key = stored["key"]
                    self.finished[key] = Cell.from_json({name: value for name, value in stored.items() if name != "key"})
                except (ValueError, KeyError, TypeError):
                    continue

    def add(self, key: str, cell: Cell) -> None:
        self.finished[key] = cell
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            ends_clean = not self.path.exists() or self.path.read_bytes()[-1:] in (b"", b"\n")
            with self.path.open("a", encoding="utf-8") as handle:
                handle.write(("" if ends_clean else "\n") + cell.to_json(key) + "\n")
