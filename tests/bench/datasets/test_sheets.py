"""Sheets as people pick them."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench.benchmarks.sheet import DRAWN, draw_sheet
from relhash.errors import ParameterError

Y = np.arange(1000) % 5 == 0


@pytest.mark.parametrize("drawn", DRAWN)
@pytest.mark.parametrize("n", [30, 240])
def test_a_sheet_has_so_many_rows_once_each_and_the_same_again(drawn, n):
    rows = draw_sheet(Y, n, drawn, 3)
    assert np.unique(rows).size == rows.size == n
    np.testing.assert_array_equal(rows, draw_sheet(Y, n, drawn, 3))
    assert not np.array_equal(rows, draw_sheet(Y, n, drawn, 4))
    if DRAWN[drawn] is not None:
        assert Y[rows].mean() == pytest.approx(DRAWN[drawn], abs=0.5 / n)


def test_other_ways_are_refused():
    with pytest.raises(ParameterError, match="balanced, positives-heavy, random"):
        draw_sheet(Y, 30, "backwards", 0)
