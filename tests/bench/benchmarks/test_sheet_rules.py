"""Threshold rules on a toy sheet: half of it relations, while one pair in five of the text is related."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from relhash.bench.benchmarks.sheet import RULES, PriorView, Sheet, expected_f1_share, with_prior
from relhash.learn.metrics import auc
from relhash.learn.threshold import USUAL_SHARE


@pytest.fixture(scope="module")
def gold():
    return np.random.default_rng(0).random(2000) < 0.2


@pytest.fixture(scope="module")
def sheet(gold):
    rng = np.random.default_rng(1)
    y = np.arange(60) < 30

    def scores(labels):
        return 1 / (1 + np.exp(-(1.5 * labels - 0.75 + rng.normal(0, 1, labels.size))))

    return Sheet(y, scores(y), scores(gold), true_share=0.2)


def accepted(name, sheet):
    return RULES[name](sheet)[1].mean()


def test_the_fraction_of_a_picked_sheet_accepts_too_much(sheet):
    assert accepted("fraction of the sheet", sheet) > 0.4
    assert accepted(f"share {USUAL_SHARE} (default without a prior)", sheet) == pytest.approx(USUAL_SHARE, abs=0.01)
    assert accepted("share known (--expect)", sheet) == pytest.approx(0.2, abs=0.01)


def test_a_prior_is_another_array_of_scores(sheet, gold):
    assert all(RULES[name](sheet) is None for name in RULES if name.startswith("prior"))
    rng = np.random.default_rng(2)
    votes = 1 / (1 + np.exp(-(2 * gold - 2 + rng.normal(0, 1, gold.size))))
    told = replace(sheet, prior=PriorView(votes, np.full(gold.size, 0.3), votes))
    scores, labels = RULES["prior's scores and share"](told)
    assert labels.mean() == pytest.approx(0.3, abs=0.01)
    assert auc(gold, scores) > max(auc(gold, sheet.scores), auc(gold, votes))
    np.testing.assert_allclose(np.argsort(with_prior(sheet.scores, votes, 0.0)), np.argsort(sheet.scores))


def test_the_sheet_decides_how_far_its_prior_is_believed(sheet, gold):
    rng = np.random.default_rng(4)
    rule = RULES["prior weighed by the sheet (default)"]

    def told(sign):
        votes, of_sheet = (1 / (1 + np.exp(-(sign * 3 * y + rng.normal(0, 1, y.size)))) for y in (gold, sheet.y))
        return replace(sheet, prior=PriorView(votes, np.full(gold.size, 0.1), of_sheet), rows=np.arange(60))

    scores, labels = rule(told(1))
    assert auc(gold, scores) > auc(gold, sheet.scores) + 0.05
    assert labels.mean() == pytest.approx(0.1, abs=0.01)  # the share that the prior expects
    scores, labels = rule(told(-1))  # a prior that contradicts the sheet is switched off, and its share with it
    assert auc(gold, scores) == pytest.approx(auc(gold, sheet.scores))
    assert labels.mean() == pytest.approx(USUAL_SHARE, abs=0.01)


def test_expected_f1_is_the_best_of_all_shares():
    probabilities = np.random.default_rng(3).random(50) ** 3
    ordered = np.sort(probabilities)[::-1]
    expected = [2 * ordered[:k].sum() / (k + ordered.sum()) for k in range(1, 51)]
    assert expected_f1_share(probabilities) == (np.argmax(expected) + 1) / 50
