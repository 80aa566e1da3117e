"""Bootstrap and tests on data whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ParameterError
from relhash.evaluation.significance import bootstrap_auc, bootstrap_f1, mcnemar, mean_paired_f1, paired_auc
from relhash.learning.metrics import auc, f1_score


@pytest.fixture(scope="module")
def two_systems():
    """200 documents of 5 candidates; the first system errs in 10 %, the second in 25 %."""
    rng = np.random.default_rng(0)
    y = rng.uniform(size=1000) < 0.3
    first = y ^ (rng.uniform(size=1000) < 0.10)
    second = y ^ (rng.uniform(size=1000) < 0.25)
    return y, first, second, np.repeat(np.arange(200), 5)


def test_interval_holds_the_value_and_equals_explicit_resampling(two_systems):
    y, first, _, documents = two_systems
    interval = bootstrap_f1(y, first, documents)
    assert interval.value == pytest.approx(f1_score(y, first))
    assert interval.low < interval.value < interval.high
    rng = np.random.default_rng(1)
    explicit = []
    for _ in range(1000):
        rows = (5 * rng.integers(0, 200, 200)[:, None] + np.arange(5)).ravel()
        explicit.append(f1_score(y[rows], first[rows]))
    assert (interval.low, interval.high) == pytest.approx(np.quantile(explicit, [0.025, 0.975]), abs=0.01)


def test_documents_that_stand_together_widen_the_interval():
    """Twenty copies of each candidate in one document: the same uncertainty as of one, not a twentieth of it."""
    rng = np.random.default_rng(0)
    y = rng.uniform(size=60) < 0.4
    labels = y ^ (rng.uniform(size=60) < 0.2)
    single = bootstrap_f1(y, labels, np.arange(60))
    by_document = bootstrap_f1(np.repeat(y, 20), np.repeat(labels, 20), np.repeat(np.arange(60), 20))
    by_candidate = bootstrap_f1(np.repeat(y, 20), np.repeat(labels, 20), np.arange(1200))
    assert by_document.high - by_document.low == pytest.approx(single.high - single.low)
    assert by_candidate.high - by_candidate.low < 0.5 * (single.high - single.low)


def test_paired_tests_see_the_better_system(two_systems):
    y, first, second, documents = two_systems
    difference = mean_paired_f1([(y, first, second, documents)])
    assert difference.low > 0
    assert difference.p_value < 0.01
    assert difference.value == pytest.approx(f1_score(y, first) - f1_score(y, second))
    assert mcnemar(y, first, second) < 1e-6
    back = mean_paired_f1([(y, second, first, documents)])
    assert (back.value, back.low) == pytest.approx((-difference.value, -difference.high))


def test_no_difference_is_not_significant(two_systems):
    y, first, _, documents = two_systems
    assert mean_paired_f1([(y, first, first, documents)]).p_value == 1.0
    assert mcnemar(y, first, first) == 1.0


def test_several_seeds_compare_their_means(two_systems):
    y, first, second, documents = two_systems
    seeds = np.stack([first, second])
    difference = mean_paired_f1([(y, seeds, second, documents)])
    assert difference.value == pytest.approx((f1_score(y, first) - f1_score(y, second)) / 2)


def test_auc_intervals(two_systems):
    y, _, _, documents = two_systems
    rng = np.random.default_rng(2)
    good, bad = y + rng.normal(size=1000), rng.normal(size=1000)
    interval = bootstrap_auc(y, good, documents, n_resamples=200)
    assert interval.value == pytest.approx(auc(y, good))
    assert interval.low < interval.value < interval.high
    assert paired_auc(y, good, bad, documents, n_resamples=100).p_value < 0.05


def test_lengths_must_match():
    with pytest.raises(ParameterError, match="do not match"):
        bootstrap_f1([1, 0], [1, 0], ["a"])
