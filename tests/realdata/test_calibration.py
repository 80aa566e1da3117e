"""A probability keeps its promise on rows that curators of INDRA have judged; a wrong type of relation is forgiven.

The curators looked at what other systems had extracted, so rows of low probability are more often right here than in a text as
a whole: a probability below .5 says nothing of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.bench.benchmarks.judged import CONFIDENT, judged_figure

pytestmark = pytest.mark.realdata


def test_of_rows_with_nine_tenths_nine_of_ten_are_right(data_root: Path) -> None:
    figure = judged_figure(relhash.load("ppi"), data_root, "indra")
    assert figure.n_confident >= 100
    assert figure.confident.value >= CONFIDENT
    off = {one.probability: one.right for one in figure.reliability if one.n >= 100 and one.probability >= 0.5}
    assert all(abs(probability - right) <= 0.05 for probability, right in off.items()), off
