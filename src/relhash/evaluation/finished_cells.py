"""Finished cells, and the files that keep them: an interrupted run goes on where it stopped, and every table can be made again.

A cell keeps what its figures are made of: the label of each test candidate, and the ranks of their scores (all that AUC,
average precision and the best threshold depend on). Which candidates these are stands in :mod:`relhash.evaluation.test_sets`.
"""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

CELLS = ".cells.jsonl"
"""What the name of a file of cells ends with; one that is kept with published tables may be packed (``.gz``)."""


@dataclass
class Cell:
    """The result of one run: what it was, its figures by variant, and what they were made of.

    Attributes
    ----------
    group
        What this run shares with others: the seed of its codes, or its own number where it has none. Runs of one group are
        resampled together.
    given, ranks
        The label and the rank of the score of each test candidate (equal scores have equal ranks).
    made
        Commit and day.
    """

    system: str
    direction: str
    fold: int
    seed: int
    labels: int | None
    seconds: float
    figures: dict[str, dict[str, Any]]
    given: NDArray[np.bool_] | None = None
    ranks: NDArray[np.uint32] | None = None
    group: int | None = None
    made: str = ""

    def to_json(self, key: str) -> str:
        stored = {**asdict(self), "key": key}
        if self.given is not None:
            packed = np.packbits(self.given).tobytes()
            stored["given"] = {"n": int(self.given.size), "bits": base64.b64encode(packed).decode()}
        if self.ranks is not None:
            narrow = self.ranks.astype(np.min_scalar_type(int(self.ranks.max(initial=0))))
            packed = zlib.compress(narrow.tobytes(), 9)
            stored["ranks"] = {"type": str(narrow.dtype), "zlib": base64.b64encode(packed).decode()}
        return json.dumps(stored, ensure_ascii=False)

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Cell:
        given, ranks = stored.pop("given"), stored.pop("ranks", None)
        if given is not None:
            packed = np.frombuffer(base64.b64decode(given["bits"]), np.uint8)
            given = np.unpackbits(packed, count=given["n"]).astype(bool)
        if ranks is not None:
            ranks = np.frombuffer(zlib.decompress(base64.b64decode(ranks["zlib"])), ranks["type"]).astype(np.uint32)
        return cls(**stored, given=given, ranks=ranks)


def ranks_of(scores: NDArray[np.float64]) -> NDArray[np.uint32]:
    """The rank of each score among the distinct ones, from 0 for the lowest.

    >>> ranks_of(np.array([.5, .1, .5, .9])).tolist()
    [1, 0, 1, 2]
    """
    return np.unique(scores, return_inverse=True)[1].astype(np.uint32)


def read_lines(path: Path) -> list[str]:
    """The lines of a file that may be packed."""
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8").splitlines()


class CellFile:
    """Finished cells as lines of files, one file per protocol; a last line that was cut off by an interruption is ignored.

    ``finished`` also has the cells that other protocols left in the folder.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.finished: dict[str, Cell] = {}
        self._own: set[str] = set()
        known = [] if path is None else [*path.parent.glob(f"*{CELLS}.gz"), *path.parent.glob(f"*{CELLS}")]
        for file in sorted(known):
            cells = read_cells(file)
            self.finished |= cells
            if path is not None and file.name.removesuffix(".gz") == path.name:
                self._own |= cells.keys()

    def taken(self, key: str) -> Cell:
        """A finished cell; one that another protocol left is written into the own file, which is then complete by itself."""
        if key not in self._own:
            self.add(key, self.finished[key])
        return self.finished[key]

    def add(self, key: str, cell: Cell) -> None:
        self.finished[key] = cell
        self._own.add(key)
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            ends_clean = not self.path.exists() or self.path.read_bytes()[-1:] in (b"", b"\n")
            with self.path.open("a", encoding="utf-8") as handle:
                handle.write(("" if ends_clean else "\n") + cell.to_json(key) + "\n")


def read_cells(file: Path) -> dict[str, Cell]:
    """The cells of a file by their keys."""
    cells = {}
    for line in read_lines(file):
        try:
            stored: Mapping[str, Any] = json.loads(line)
            key = stored["key"]
            cells[key] = Cell.from_json({name: value for name, value in stored.items() if name != "key"})
        except (ValueError, KeyError, TypeError, zlib.error):
            continue
    return cells
