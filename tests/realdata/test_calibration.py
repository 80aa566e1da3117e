"""How far a probability keeps its promise on rows that curators of INDRA have judged; a wrong type of relation is forgiven.

The curators looked at what other systems had extracted, so rows of low probability are more often right here than in a text as
a whole. The aim was that of rows with .9 or more nine of ten are right. On 2026-11-18 .851 of 289 accepted ones were: what
binds a promoter is no complex for them, and a question (*whether EZH2 binds KLF2*) no statement.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.bench.benchmarks.judged import CONFIDENT, judged_figure

pytestmark = pytest.mark.realdata


def test_probabilities_promise_no_more_than_they_keep_but_for_the_highest(data_root: Path) -> None:
    figure = judged_figure(relhash.load("ppi", encoder=False), data_root, "indra")
    assert figure.n_confident >= 100
    assert figure.confident.value >= 0.84
    promised = {one.probability: one.right for one in figure.reliability if one.n >= 100 and one.probability < CONFIDENT}
    assert len(promised) >= 4
    assert all(right >= probability - 0.05 for probability, right in promised.items()), promised
