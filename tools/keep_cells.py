"""Puts finished cells where published tables are made from them, packed: the step between a run and ``make results``.

    python tools/keep_cells.py OUT benchmarks/results/ppi-cross --protocol ppi-cross --command "relhash benchmark …"

``OUT`` is a folder that ``relhash benchmark -o`` has written. Of its cells those of ``--systems`` and of the first ``--seeds``
are kept; figures, intervals and differences are then computed from what was kept. Ranks of scores are nine tenths of a cell and
only differences in AUC need them, so they are left out unless ``--ranks`` asks for them. Cells that another folder made on the
same test sets can be joined (``--also``); a folder with a newer run of some systems takes the place of these (``--newer``).

A protocol with few labels has hundreds of cells. ``--compared-at 100 --compared A,B,…`` keeps labels and ranks of these systems
with so many labels, and of all other cells the figures only; ``--levels 128`` puts ranks into so many steps of equal size
(ties count half, so AUC moves by less than 0.001).
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from relhash.bench.cells import CELLS, TESTS, Cell, read_cells, read_run, read_tests, write_tests
from relhash.bench.report import finish
from relhash.show.provenance import provenance


@dataclass(frozen=True)
class Kept:
    """What is kept beside figures: ranks or not, at which numbers of labels, of which systems, in how many steps."""

    ranks: bool = False
    at: Sequence[int] = ()
    of: Sequence[str] = ()
    levels: int | None = None

    def of_cell(self, cell: Cell) -> Cell:
        if self.at and not (cell.labels in self.at and cell.system in self.of):
            return replace(cell, given=None, ranks=None)
        if cell.ranks is None or not (self.ranks or self.at):
            return replace(cell, ranks=None)
        return replace(cell, ranks=in_levels(cell.ranks, self.levels)) if self.levels else cell


def in_levels(ranks: NDArray[np.uint32], levels: int) -> NDArray[np.uint32]:
    """Ranks in steps that hold about as many candidates each.

    >>> in_levels(np.array([0, 3, 1, 2, 5, 4], np.uint32), 3).tolist()
    [0, 1, 0, 1, 2, 2]
    """
    below = np.searchsorted(np.sort(ranks), ranks, side="left")
    return np.asarray(below * levels // ranks.size, np.uint32)


def cells_in(folders: Sequence[Path], systems: Sequence[str] | None, seeds: int | None) -> dict[str, Cell]:
    """The cells of these systems and of the first seeds, by their keys."""
    cells: dict[str, Cell] = {}
    for folder in folders:
        for file in sorted([*folder.glob(f"*{CELLS}"), *folder.glob(f"*{CELLS}.gz")]):
            cells |= read_cells(file)
    return {
        key: cell
        for key, cell in cells.items()
        if (systems is None or cell.system in systems) and (seeds is None or cell.seed < seeds)
    }


def run_of(cell: Cell) -> tuple[str, str, int, int, int | None]:
    return cell.system, cell.direction, cell.fold, cell.seed, cell.labels


def kept_cells(
    folders: Sequence[Path], systems: Sequence[str] | None, seeds: int | None, kept: Kept, newer: Sequence[Path] = ()
) -> dict[str, Cell]:
    """The cells to keep; two cells of one run, made by different programs, are refused, unless one is of a newer run."""
    again = cells_in(newer, systems, seeds)
    systems_again = {cell.system for cell in again.values()}
    cells = {key: cell for key, cell in cells_in(folders, systems, seeds).items() if cell.system not in systems_again} | again
    runs = [run_of(cell) for cell in cells.values()]
    twice = sorted({run[0] for run in runs if runs.count(run) > 1})
    if twice:
        raise SystemExit(f"more than one cell for the same run of {', '.join(twice)}: keep those of one program only")
    return {key: kept.of_cell(cell) for key, cell in cells.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, metavar="OUT")
    parser.add_argument("target", type=Path, metavar="DIR")
    parser.add_argument("--protocol", required=True)
    parser.add_argument("--command", required=True, help="what makes these cells, for the file of results")
    parser.add_argument("--systems", help="A,B,… (all by default)")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--also", type=Path, action="append", default=[])
    parser.add_argument("--newer", type=Path, action="append", default=[], help="its systems take the place of those of OUT")
    parser.add_argument("--ranks", action="store_true")
    parser.add_argument("--compared-at", type=int, nargs="*", default=[], metavar="LABELS")
    parser.add_argument("--compared", default="", metavar="A,B,…")
    parser.add_argument("--levels", type=int)
    given = parser.parse_args()
    kept = Kept(given.ranks, given.compared_at, given.compared.split(","), given.levels)
    cells = kept_cells([given.source, *given.also], given.systems.split(",") if given.systems else None, given.seeds, kept,
                       given.newer)  # fmt: skip
    (tests_file,) = given.source.glob(f"*{TESTS}")
    about, tests = read_tests(tests_file)
    given.target.mkdir(parents=True, exist_ok=True)
    for old in given.target.glob(f"*{TESTS}"):
        old.unlink()
    about.pop("protocol")
    write_tests(given.target / f"{given.protocol}{TESTS}", given.protocol, tests, about)
    lines = "".join(cell.to_json(key) + "\n" for key, cell in cells.items())
    packed = given.target / f"{given.protocol}{CELLS}.gz"
    packed.write_bytes(gzip.compress(lines.encode(), 9, mtime=0))
    run = read_run(given.target)
    made = provenance(run.parsed_by, [cell.made for cell in run.cells])
    commit, day = max((cell.made.split() for cell in run.cells), key=lambda one: one[1])
    made |= {"command": given.command, "commit": commit, "date": day}
    file = given.target / f"{given.protocol}.json"
    file.write_text(json.dumps({"made": made}), encoding="utf-8")  # finish() leaves what a file says of its making
    finish(run, given.target)
    print(f"{given.target}: {len(cells)} cells, {packed.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
