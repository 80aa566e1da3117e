"""A mutant is tried in a process that has everything loaded: its code goes into the live functions."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import CodeType

import pytest

from tests.tools.loading import load

warm_mutants = load("warm_mutants")


def test_a_live_function_takes_the_code_of_a_mutant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        "def double(x, times=2):\n    return [one * times for one in x]\n\n\n"
        "class Pair:\n    def first(self):\n        return 1\n\n\n"
        "from relhash.compilation import compiled\n\n\n@compiled\ndef triple(x):\n    return 3 * x\n\n\n"
        "from functools import cache\n\n\n@cache\ndef six():\n    return 6\n"
    )
    (tmp_path / "live.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    live = import_module("live")
    live.six.__module__ = "relhash.live"
    assert live.six() == 6

    def changed(old: str, new: str) -> list[tuple[CodeType, CodeType]]:
        both = (compile(text, str(tmp_path / "live.py"), "exec") for text in (source, source.replace(old, new)))
        return list(warm_mutants.changed_code(*both))

    for old, new in (("one * times", "one - times"), ("return 1", "return True"), ("return 6", "return 7")):
        ((before, after),) = changed(old, new)
        assert warm_mutants.swap(before, after)
    assert (live.double([5]), live.Pair().first(), live.six()) == ([3], True, 7)
    ((default, _),) = changed("times=2", "times=3")
    assert default.co_name == "<module>"  # not the code of a function: it has to be tried with a changed file
    ((before, after),) = changed("3 * x", "4 * x")
    assert not warm_mutants.swap(before, after)  # what is compiled already would not change
    assert changed("return 1", "return 1") == []
