"""Examples of Hypothesis are the same in every run, whatever tests ran before and whatever our modules say."""

from __future__ import annotations

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st


def drawn() -> list[tuple[int, str, bytes, float]]:
    seen = []

    @settings(max_examples=300, phases=[Phase.generate])
    @given(st.integers(), st.text(), st.binary(), st.floats(allow_nan=False))
    def remember(number, text, data, share):
        seen.append((number, text, data, share))

    remember()
    return seen


@pytest.mark.skipif(bool(os.environ.get("RELHASH_EXPLORE")), reason="new examples are wanted")
def test_a_module_that_was_imported_changes_no_example(tmp_path, monkeypatch):
    before = drawn()
    assert len({number for number, *_ in before}) > 100
    # not below tests/, where Hypothesis does not look, nor in a folder with such a name, as pytest makes them
    source = tmp_path / "said.py"
    source.write_text("".join(f"N{n}, T{n} = {10**12 + n}, 'said {n}'\n" for n in range(200)))
    spec = spec_from_file_location("said", source)
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "said", module)
    spec.loader.exec_module(module)
    assert drawn() == before
