"""Mutants that a program makes break one thing each; those that survived have a reason, and the page says so."""

from __future__ import annotations

import tomllib

from tests.test_docs import text_of
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


def test_the_page_says_what_its_file_says() -> None:
    found, page = sampled_mutants.results_in(sampled_mutants.OUT), text_of(sampled_mutants.OUT.with_suffix(".md"))
    noticed = sum(said.found == "noticed" for said in found.values())
    assert f": {len(found)} of " in page
    assert f" {noticed} were noticed; {len(found) - noticed} survived:" in page


def test_survivors_of_the_sample_have_a_reason() -> None:
    found = sampled_mutants.results_in(sampled_mutants.OUT)
    reasons = tomllib.loads(text_of(sampled_mutants.REASONS))["harmless"]
    assert len(found) >= 30
    assert [name for name, said in found.items() if said.found != "noticed" and name not in reasons] == []
