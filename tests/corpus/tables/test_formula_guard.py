"""Cells that no spreadsheet runs, and that come back as they were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from relhash.corpus.tables.sheets import guarded, unguarded

CELLS = st.one_of(st.text(), st.text(alphabet="'=+-@\t\r\nx"))


@given(CELLS)
def test_what_is_guarded_runs_nowhere_and_comes_back(cell):
    safe = guarded(cell)
    assert not safe.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert unguarded(safe) == cell


@given(CELLS.filter(lambda cell: not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "'"))))
def test_other_cells_stay_as_they_are(cell):
    assert guarded(cell) == cell
