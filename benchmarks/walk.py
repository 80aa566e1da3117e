"""How far does one command walk through our own code: how many files does it enter, how deep does it stack calls?

    python benchmarks/walk.py [--output benchmarks/results] [--files]
    PYTHONPATH=/path/to/other/src python benchmarks/walk.py     # the same for another version of the code

A reader who wants to follow ``relhash predict ppi a.txt`` has to open these files. Each command runs in this process, from raw
text without a cache, and every call is counted: a file counts if one of its functions was called (what only runs while a module
is imported does not), the depth is the largest number of our own frames on the stack of one thread. Files alone would reward
large ones, so the functions that were called are counted too, and their lines. Prints a table and, with --output, writes
walk.json.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import relhash

PACKAGE = str(Path(relhash.__file__).parent) + os.sep
TEXT = "RAF1 binds to MEK1 in resting cells. The interaction of STAT3 with JAK2 was abolished by the mutation.\n"


@dataclass
class Walk:
    """What was seen between :meth:`start` and :meth:`stop`."""

    calls: dict[str, int] = field(default_factory=dict)
    """Calls by file, relative to the package."""
    functions: set[CodeType] = field(default_factory=set)
    """Everything that was called: functions, and what they are made of (comprehensions, lambdas)."""
    deepest: list[str] = field(default_factory=list)
    """The frames of ours on the stack where it was deepest, the command first."""

    def __post_init__(self) -> None:
        self._local = threading.local()

    def start(self) -> None:
        threading.setprofile(self._seen)
        sys.setprofile(self._seen)

    def stop(self) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _seen(self, frame: FrameType, event: str, argument: Any) -> None:
        if event not in ("call", "return") or not frame.f_code.co_filename.startswith(PACKAGE):
            return
        here = self._local
        if not hasattr(here, "depth"):
            here.depth = here.importing = 0
        step = 1 if event == "call" else -1
        if frame.f_code.co_name == "<module>":
            here.importing += step
        elif not here.importing:
            here.depth += step
            if step > 0:
                file = frame.f_code.co_filename.removeprefix(PACKAGE)
                self.calls[file] = self.calls.get(file, 0) + 1
                self.functions.add(frame.f_code)
                if here.depth > len(self.deepest):
                    self.deepest = _own_frames(frame)

    @property
    def lines(self) -> int:
        """Lines of code in the functions that were called."""
        return len({(one.co_filename, line) for one in self.functions for *_, line in one.co_lines() if line is not None})


def _own_frames(frame: FrameType | None) -> list[str]:
    frames = []
    while frame is not None:
        if frame.f_code.co_filename.startswith(PACKAGE):
            frames.append(f"{frame.f_code.co_filename.removeprefix(PACKAGE)}:{frame.f_code.co_qualname}")
        frame = frame.f_back
    return frames[::-1]


def walked(arguments: list[str]) -> Walk:
    """Run a command of ``relhash`` and count."""
    from relhash.cli.main import main

    walk = Walk()
    walk.start()
    try:
        main(arguments)
    except SystemExit as ended:
        if ended.code:
            raise
    finally:
        walk.stop()
    return walk


def commands(folder: Path) -> dict[str, list[str]]:
    """What is walked, by the name in the table."""
    text = folder / "a.txt"
    text.write_text(TEXT, encoding="utf-8")
    demo = Path(relhash.__file__).parent / "resources" / "demo"
    source, target = (str(demo / f"{name}.jsonl.gz") for name in ("abstracts", "fulltext"))
    quiet = ["--no-cache", "--quiet"]
    return {
        "predict ppi a.txt": ["predict", "ppi", str(text), "-o", str(folder / "found.tsv"), *quiet],
        "fit": ["fit", source, "--adapt", target, "-o", str(folder / "demo.relhash"), *quiet],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, help="folder for walk.json")
    parser.add_argument("--files", action="store_true", help="list the files and the deepest stack of each command")
    given = parser.parse_args()
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in commands(Path(folder)).items():
            walk = walked(arguments)
            results[name] = {
                "files": len(walk.calls),
                "functions": len(walk.functions),
                "lines": walk.lines,
                "depth": len(walk.deepest),
                "calls": dict(sorted(walk.calls.items())),
                "deepest": walk.deepest,
            }
    columns = ("files", "functions", "lines", "depth")
    print(f"{PACKAGE}\n{'command':<20}" + "".join(f"{column:>12}" for column in columns))
    for name, row in results.items():
        print(f"{name:<20}" + "".join(f"{row[column]:>12}" for column in columns))
        if given.files:
            print(*(f"    {count:>8} calls  {file}" for file, count in row["calls"].items()), sep="\n")
            print("  deepest stack:", *row["deepest"], sep="\n    ")
    if given.output is not None:
        given.output.mkdir(parents=True, exist_ok=True)
        (given.output / "walk.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
