"""Mutants that a program makes break one thing each; those that survived have a reason, and the page says so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.test_docs import ROOT, text_of
from tests.tools.loading import load

sampled_mutants = load("sampled_mutants")


def test_sampled_mutants_break_one_thing_each() -> None:
    source = (
        "from typing import Any\n__all__ = ['f']\n\n\ndef f(x: int = 3, *, deep: bool = False) -> list[Any]:\n"
        '    """At most 5."""\n    if x < 2 and not deep:\n        raise ValueError(f\'{x + 1} is too small\')\n'
        "    return [x * 2, -x]\n"
    )
    made = list(sampled_mutants.mutants_of(source, "a.py"))
    lines = [new for one in made for old, new in zip(source.splitlines(), one.source.splitlines(), strict=True) if old != new]
    assert len(lines) == len(made) == len({one.name for one in made})
    assert {line.strip() for line in lines} == {
        "def f(x: int = 4, *, deep: bool = False) -> list[Any]:", "def f(x: int = 3, *, deep: bool = True) -> list[Any]:",
        "if not (x < 2 and not deep):", "if x <= 2 and not deep:", "if x < 3 and not deep:", "if x < 2 or not deep:",
        "if x < 2 and (deep):", "return [x / 2, -x]", "return [x * 3, -x]", "return [x * 2, (x)]",
    }  # fmt: skip
    moved = list(sampled_mutants.mutants_of("# a remark\n" + source, "a.py"))
    assert [one.name for one in sampled_mutants.drawn(moved, 0)] == [one.name for one in sampled_mutants.drawn(made, 0)]


SAMPLES = sorted(sampled_mutants.OUT.parent.glob("mutants-sampled*.json"))


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_the_page_says_what_its_file_says(file: Path) -> None:
    found, page = sampled_mutants.results_in(file), text_of(file.with_suffix(".md"))
    noticed = sum(said.found == "noticed" for said in found.values())
    assert f": {len(found)} of " in page
    assert f" {noticed} were noticed; {len(found) - noticed} survived:" in page


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_survivors_of_the_sample_have_a_reason(file: Path) -> None:
    found = sampled_mutants.results_in(file)
    reasons = tomllib.loads(text_of(sampled_mutants.REASONS))["harmless"]
    assert len(found) >= 30
    assert [name for name, said in found.items() if said.found != "noticed" and name not in reasons] == []


def test_what_is_changed_and_what_uses_it_in_the_file_is_looked_for() -> None:
    source = "def _low(x):\n    return x + 1\n\n\ndef high(x):\n    return _low(x)\n\n\ndef other():\n    return None\n"
    one, *_ = sampled_mutants.mutants_of(source, "a.py")
    assert sampled_mutants.names_around(one) == {"_low", "high"}


def test_tests_that_mention_it_come_first_until_no_time_is_left(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text("def test_one(): pass\ndef test_other(): len('')\ndef test_third(): pass\n")
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-p", "in_a_hurry", str(tmp_path)]
    surroundings = os.environ | {"PYTHONPATH": str(ROOT / "tools"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def run(seconds: str) -> str:
        own = {sampled_mutants.NAMES: "len", sampled_mutants.SECONDS: seconds}
        return subprocess.run(command, env=surroundings | own, cwd=tmp_path, capture_output=True, text=True).stdout

    assert re.findall(r"::test_(\w+) PASSED", run("60")) == ["other", "one", "third"]
    assert re.findall(r"::test_(\w+) PASSED", run("-1")) == ["other"]
