"""Did a change of the code change a result? Compares the finished cells of two benchmark runs, digit by digit.

    OPENBLAS_NUM_THREADS=1 relhash benchmark ppi-cross --seeds 1 -o OLD     # with the code before
    OPENBLAS_NUM_THREADS=1 relhash benchmark ppi-cross --seeds 1 -o NEW     # with the code after
    python benchmarks/compare_cells.py OLD NEW

Cells are the same if protocol, system, direction, fold, seed and number of labels are; then their figures and the labels that
they gave must be equal. Seconds may differ. Prints what differs, and ends with 1 if anything does, or if nothing was compared.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KEYS = ("system", "direction", "fold", "seed", "labels")
Cells = dict[tuple[Any, ...], dict[str, Any]]


def cells_of(folder: Path) -> Cells:
    """The finished cells below a folder; of a cell that was run twice, the last."""
    found: Cells = {}
    for file in sorted(folder.glob("*.cells.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            cell = json.loads(line)
            found[file.name.removesuffix(".cells.jsonl"), *(cell[key] for key in KEYS)] = cell
    return found


def differences(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    """What differs between two cells."""
    for variant in sorted({*old["figures"], *new["figures"]}):
        before, after = (cell["figures"].get(variant, {}) for cell in (old, new))
        for figure in sorted({*before, *after}):
            if before.get(figure) != after.get(figure):
                yield f"{variant} {figure}: {before.get(figure)} → {after.get(figure)}"
    if old["given"] != new["given"]:
        yield "labels given"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    given = parser.parse_args()
    old, new = cells_of(given.old), cells_of(given.new)
    shared = [key for key in old if key in new]
    changed = 0
    for key in shared:
        found = list(differences(old[key], new[key]))
        changed += bool(found)
        print("differs" if found else "equal  ", *key)
        print(*(f"    {line}" for line in found), sep="\n", end="\n" if found else "")
    for name, alone in (("old", old.keys() - new.keys()), ("new", new.keys() - old.keys())):
        for key in sorted(alone, key=str):
            print(f"only in {name}:", *key)
    print(f"{len(shared)} cells compared, {changed} differ")
    sys.exit(bool(changed) or not shared)


if __name__ == "__main__":
    main()
