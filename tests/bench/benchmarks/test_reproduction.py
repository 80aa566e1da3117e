"""Figures of the reproduction: ranking quality under weights, and the paper's list of tables and figures."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench.benchmarks.reproduction import RECALL, ReproductionFigure, _Ranked
from relhash.learn.metrics import auc, f1_score, oracle_threshold


def test_ranked_figures_equal_plain_ones():
    rng = np.random.default_rng(0)
    y, scores, weights = rng.random(200) < 0.3, np.round(rng.random(200), 1), rng.integers(0, 4, 200)
    often = np.repeat(np.arange(200), weights)  # a weight is a candidate that occurs so often
    area, best, precision = _Ranked(y, scores).figures(weights.astype(float))
    assert area == pytest.approx(auc(y[often], scores[often]))
    assert best == pytest.approx(oracle_threshold(y[often], scores[often])[1])
    cuts = [scores[often] >= cut for cut in np.unique(scores)]
    far = [given for given in cuts if (y[often] & given).sum() >= RECALL * y[often].sum()]
    assert precision == pytest.approx(max(y[often][given].mean() for given in far))


def test_a_figure_holds_the_mean_of_its_seeds_and_an_interval():
    rng = np.random.default_rng(1)
    y, documents = rng.random(300) < 0.4, np.repeat(np.arange(60), 5)
    runs = []
    for _ in range(2):
        scores = y + rng.normal(0, 1, 300)
        runs.append((scores, {"0.5": scores >= 0.5}))
    found = ReproductionFigure.of(("A→B", "path", "x"), y, documents, runs)
    assert found.auc[0] == pytest.approx(np.mean([auc(y, scores) for scores, _ in runs]))
    assert found.f1["0.5"][0] == pytest.approx(np.mean([f1_score(y, given["0.5"]) for _, given in runs]))
    for value, low, high in (found.auc, found.f1_oracle, found.precision_at_recall, found.f1["0.5"]):
        assert low < value < high
