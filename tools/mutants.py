"""Would the tests notice? Each line of ``mutants.toml`` is broken by itself, and its tests are run.

    python tools/mutants.py                 # all of them (make mutants)
    python tools/mutants.py pure seeds      # those whose name holds one of these words; the others stay as they were
    python tools/mutants.py --root DIR      # in another checkout, to see what its tests notice

A mutant is a change of a line that makes results dishonest or wrong. It is applied to a copy of the sources, so the sources
themselves are never touched. One that no test notices has survived. Writes ``benchmarks/results/mutants.json`` (``--out`` for
another place) and ends with 1 if one survived that does not say why it may. Generators of mutants (mutmut, cosmic-ray) were
left aside: of thousands of changes most are equivalent or uninteresting, and a run would take a day. Each line here is a
mistake that somebody could make.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from in_a_hurry import NO_TIME

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))  # the sources beside this file, whichever are installed
IN_A_HURRY = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "RELHASH_MUTANT": "1", "OMP_NUM_THREADS": "1"}
"""Loading plugins takes as long as everything else at the start, and looking for a smaller example of a failure much longer."""
LONGEST = 300
"""Seconds of processor time after which tests that do not end count as having noticed; a busy machine does not."""


@dataclass(frozen=True)
class Mutant:
    """A change of one file, and the tests that should notice it."""

    name: str
    file: str
    old: str
    new: str
    tests: Sequence[str]
    harmless: str = ""

    def applied(self, root: Path) -> str:
        """The file as it would be."""
        return (root / "src" / "relhash" / self.file).read_text(encoding="utf-8").replace(self.old, self.new)


@dataclass(frozen=True)
class Verdict:
    """What the tests said of a mutant: ``"noticed"``, ``"survived"``, or why it could not be tried."""

    found: str
    by: str = ""
    """The first test that failed."""
    made: str = ""
    """Commit and day of the trial."""


def read_mutants(path: Path = ROOT / "tools" / "mutants.toml") -> list[Mutant]:
    """The list."""
    return [Mutant(**one) for one in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]]


def copy_of(root: Path, folder: Path) -> None:
    """Sources and tests in a folder of their own; what ships beside the sources is only pointed to."""

    shutil.copytree(
        root / "src" / "relhash", folder / "src" / "relhash", ignore=shutil.ignore_patterns("__pycache__", "resources")
    )
    (folder / "src" / "relhash" / "resources").symlink_to(root.resolve() / "src" / "relhash" / "resources")
    shutil.copytree(root / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "pyproject.toml", folder)


def notices(mutant: Mutant, folder: Path) -> Verdict:
    """Whether the tests of a mutant fail."""
    file = folder / "src" / "relhash" / mutant.file
    source = file.read_text(encoding="utf-8") if file.exists() else ""
    if source.count(mutant.old) != 1:
        return Verdict(f"not tried: its line stands {source.count(mutant.old)} times in {mutant.file}")
    tests = [f"tests/{name}" for name in mutant.tests if (folder / "tests" / name).exists()]
    if not tests:
        return Verdict("survived")  # no file of tests that could notice
    before = file.stat()
    file.write_text(source.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "in_a_hurry",
            "-m",
            "not slow",
            *tests,
        ]
        paths = os.pathsep.join(map(str, (folder / "src", ROOT / "tools")))
        environment = os.environ | IN_A_HURRY | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
        limited = ["bash", "-c", f'ulimit -S -t {LONGEST}; exec "$@"', "limited", *command]
        done = subprocess.run(limited, cwd=folder, env=environment, capture_output=True, text=True, timeout=20 * LONGEST)
        if done.returncode == -signal.SIGXCPU:
            return Verdict("noticed", f"more than {LONGEST} s of processor time")
        if done.returncode in (-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS):
            return Verdict("noticed", "the tests crash")
        if done.returncode == 2 and NO_TIME in done.stdout:
            return Verdict("survived")
        if done.returncode not in (0, 1):
            return Verdict(f"not tried: pytest ended with {done.returncode}: {(done.stdout + done.stderr)[-300:]}")
        return Verdict("noticed", first_failure(done.stdout)) if done.returncode else Verdict("survived")
    except subprocess.TimeoutExpired:
        return Verdict("not tried: its tests wait for something")
    finally:
        file.write_text(source, encoding="utf-8")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def first_failure(said: str) -> str:
    """The test that failed first in what pytest says, without what it was called with.

    >>> first_failure("F\\nFAILED tests/a/test_b.py::TestC::test_d[1-2] - assert 1 == 2")
    'a/test_b.py::TestC::test_d'
    """
    found = re.search(r"^(?:FAILED|ERROR) (?:tests/)?([^\s\[]+)", said, re.MULTILINE)
    return found[1] if found else ""


def results_in(file: Path) -> dict[str, Verdict]:
    """What was said of each mutant; files of an earlier form only say whether it was noticed."""
    stored = json.loads(file.read_text(encoding="utf-8"))["results"]
    return {name: Verdict(said) if isinstance(said, str) else Verdict(**said) for name, said in stored.items()}


def write_results(file: Path, results: Mapping[str, Verdict]) -> None:
    from relhash.show.provenance import provenance

    stored: dict[str, Any] = {"made": provenance("none", [said.made or "earlier commits" for said in results.values()])}
    stored["results"] = {name: asdict(said) for name, said in results.items()}
    file.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def write_table(mutants: Sequence[Mutant], out: Path) -> None:
    """The list for people, beside ``out``; what tests noticed before comes from ``mutants-before.json`` in the same folder."""
    now = results_in(out)
    earlier = out.with_name("mutants-before.json")
    before = results_in(earlier) if earlier.exists() else {}
    lines = ["| mutant | file | before | now | first test that fails |", "|:--|:--|:--|:--|:--|"]
    for one in mutants:
        said, was = now.get(one.name, Verdict("not tried")), before.get(one.name, Verdict("–"))
        words = " · ".join(filter(None, [said.found, one.harmless]))
        lines.append(f"| {one.name} | `{one.file}` | {was.found.partition(':')[0]} | {words} | {said.by and f'`{said.by}`'} |")
    noticed = [sum(said.found == "noticed" for said in found.values()) for found in (before, now)]
    when = ", ".join(sorted({said.made or "earlier commits" for said in now.values()}))
    head = (
        "# Mutants\n\nOne line is broken at a time, and the tests of its file are run (`make mutants`, `tools/mutants.toml`).\n"
        f"Before: {noticed[0]} of {len(before)} were noticed. Now: {noticed[1]} of {len(now)} (tried at {when}). A dash stands "
        "for code that was not there.\n\n"
    )
    remarks = out.with_name("mutants-before.txt")  # how "before" was run
    head += f"{remarks.read_text(encoding='utf-8').strip()}\n\n" if remarks.exists() else ""
    out.with_suffix(".md").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    from relhash.show.provenance import made_now
    from warm_mutants import Warm

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--root", type=Path, default=ROOT, metavar="DIR")
    parser.add_argument("--list", type=Path, default=ROOT / "tools" / "mutants.toml", metavar="FILE")
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "results" / "mutants.json")
    given = parser.parse_args()
    listed = read_mutants(given.list)
    mutants = [one for one in listed if not given.words or any(word in one.name for word in given.words)]
    stored = results_in(given.out) if given.out.exists() else {}
    results = {one.name: stored[one.name] for one in listed if one.name in stored}
    with tempfile.TemporaryDirectory(prefix="relhash-mutants-") as place:
        copy_of(given.root, Path(place))
        here = given.root.resolve() == ROOT
        warm = Warm(sorted({f"tests/{name}" for one in mutants for name in one.tests})) if here else None
        for one in mutants:
            start = time.perf_counter()
            said = warm and warm.notices(one.file, one.applied(ROOT), one.tests)
            if said is None or said.found != "noticed":
                said = notices(one, Path(place))
            said = results[one.name] = replace(said, made=made_now())
            print(f"{said.found:9} {one.name} ({time.perf_counter() - start:.0f} s) {said.by}", flush=True)
            write_results(given.out, results)
    write_table(listed, given.out)
    survived = [one for one in mutants if results[one.name].found != "noticed"]
    for one in survived:
        print(f"{one.name}: {results[one.name].found}; {one.harmless or 'no reason is given'}")
    print(f"{len(mutants) - len(survived)} of {len(mutants)} mutants were noticed")
    sys.exit(any(not one.harmless for one in survived))


if __name__ == "__main__":
    main()
