"""How much is there to read? Lines, files, classes and public names of each room, the walks, and what a command takes.

    python benchmarks/house.py COMMIT [--output benchmarks/results/house.md]

Compares the sources of a commit with those of the working tree. A public name is a class, function or constant at the top of a
module that begins with no underscore. Walks are those of walk.py, one process for each version.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LONGEST = 5
PARAMETERS = """
import json, inspect, os
from relhash.cli.main import COMMANDS, RARE
found = {one.name: list(inspect.signature(one.load()).parameters) for one in COMMANDS}
print(json.dumps({name: [sum(one not in RARE for one in own), len(own)] for name, own in found.items()}))
"""


def counted(source: Path) -> dict[str, Any]:
    """Counts of each room, and the longest functions, their docstrings left out."""
    rooms: dict[str, list[int]] = {}
    functions = []
    for file in sorted(source.glob("relhash/**/*.py")):
        place, text = file.relative_to(source / "relhash"), file.read_text(encoding="utf-8")
        row = rooms.setdefault(place.parts[0] if len(place.parts) > 1 else "(top)", [0, 0, 0, 0])
        tree = ast.parse(text)
        names = {name for one in tree.body for name in _names(one)}
        for number, value in enumerate((text.count("\n"), 1, _classes(tree), sum(not one.startswith("_") for one in names))):
            row[number] += value
        functions += [(_lines(one), f"{place}:{one.name}") for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    return {"rooms": rooms, "longest": sorted(functions, reverse=True)[:LONGEST]}


def _names(one: ast.stmt) -> list[str]:
    if isinstance(one, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return [one.name]
    targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
    return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]


def _classes(tree: ast.Module) -> int:
    return sum(isinstance(one, ast.ClassDef) for one in ast.walk(tree))


def _lines(function: ast.FunctionDef) -> int:
    said = function.body[0] if ast.get_docstring(function) is not None else None
    return (function.end_lineno or 0) - function.lineno + 1 - (0 if said is None else (said.end_lineno or 0) - said.lineno + 1)


def run(source: Path) -> dict[str, Any]:
    """What only the running program tells: its walks, and the parameters of its commands."""
    how: dict[str, Any] = {"env": {**os.environ, "PYTHONPATH": str(source)}, "check": True, "stdout": subprocess.PIPE}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, str(ROOT / "benchmarks" / "walk.py"), "--output", folder], **how)
        walks = json.loads(Path(folder, "walk.json").read_text(encoding="utf-8"))
    return {"walks": walks, "parameters": json.loads(subprocess.run([sys.executable, "-c", PARAMETERS], **how).stdout)}


def table(headings: list[str], rows: list[list[Any]]) -> str:
    """Markdown, numbers to the right."""
    line = f"|{'|'.join('---' if not number else '--:' for number in range(len(headings)))}|"
    return "\n".join([f"| {' | '.join(headings)} |", line, *(f"| {' | '.join(map(_cell, row))} |" for row in rows)])


def _cell(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def report(commit: str, before: dict[str, Any], after: dict[str, Any]) -> str:
    """The tables; of each pair of figures the first is that of the commit."""
    kinds = ("lines", "files", "classes", "public names")
    rooms = [
        [room, *(f"{old.get(room, [0] * 4)[kind]:,} → {new.get(room, [0] * 4)[kind]:,}" for kind in range(4))]
        for old, new in [(before["rooms"], after["rooms"])]
        for room in sorted(old.keys() | new.keys())
    ]
    sums = [[sum(own[kind] for own in one["rooms"].values()) for kind in range(4)] for one in (before, after)]
    rooms.append(["**all**", *(f"{old:,} → {new:,}" for old, new in zip(*sums, strict=True))])
    walks = [
        [name, *(f"{before['walks'][name][kind]:,} → {own[kind]:,}" for kind in ("files", "functions", "lines", "depth"))]
        for name, own in after["walks"].items()
    ]
    known = before["parameters"]
    takes = [
        [name, *(f"{old} → {new}" for old, new in zip(known.get(name, (0, 0)), own, strict=True))]
        for name, own in after["parameters"].items()
    ]
    longest = [
        [f"`{old[1]}` {old[0]}", f"`{new[1]}` {new[0]}"] for old, new in zip(before["longest"], after["longest"], strict=True)
    ]
    return "\n\n".join(
        [
            f"# How much there is to read\n\n`python benchmarks/house.py {commit}`: the sources of that commit → now.",
            table(["room", *kinds], rooms),
            "What one command walks through:\n\n" + table(["command", "files", "functions", "lines", "depth"], walks),
            "Parameters of a command, those that `--help` shows and all:\n\n" + table(["command", "shown", "all"], takes),
            "Longest functions, lines without their docstrings:\n\n" + table(["before", "now"], longest),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", help="the version to compare with")
    parser.add_argument("--output", type=Path, help="the Markdown file to write")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(["git", "-C", ROOT, "archive", given.commit, "src"], check=True, stdout=subprocess.PIPE)
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
            archive.extractall(folder, filter="data")
        before, after = (counted(one) | run(one) for one in (Path(folder, "src"), ROOT / "src"))
    said = report(given.commit, before, after) + "\n"
    print(said)
    if given.output is not None:
        given.output.write_text(said, encoding="utf-8")


if __name__ == "__main__":
    main()
