"""Metrics against scikit-learn on arbitrary scores (ties included) and against values counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.errors import ParameterError
from relhash.learn.metrics import (
    auc,
    average_precision,
    f1_score,
    measure,
    oracle_threshold,
    precision_recall_curve,
    precision_recall_f1,
    rates,
    recall_by_type,
)


@st.composite
def labelled_scores(draw):
    n = draw(st.integers(4, 40))
    y = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    y[0], y[1] = True, False
    scores = np.array(draw(st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5000001, 0.9, 1.0]), min_size=n, max_size=n)))
    return y, scores


@given(labelled_scores())
def test_ranking_metrics_equal_scikit_learn(data):
    y, scores = data
    assert auc(y, scores) == pytest.approx(sklearn.metrics.roc_auc_score(y, scores), abs=1e-12)
    assert average_precision(y, scores) == pytest.approx(sklearn.metrics.average_precision_score(y, scores), abs=1e-12)


@given(labelled_scores(), st.sampled_from([0.1, 0.5, 0.95]))
def test_labels_equal_scikit_learn(data, threshold):
    y, scores = data
    labels = scores >= threshold
    expected = sklearn.metrics.precision_recall_fscore_support(y, labels, average="binary", zero_division=0)[:3]
    assert precision_recall_f1(y, labels) == pytest.approx(expected)


@given(labelled_scores())
@settings(max_examples=50)
def test_oracle_is_the_best_of_all_thresholds(data):
    y, scores = data
    threshold, best = oracle_threshold(y, scores)
    assert best == pytest.approx(max(f1_score(y, scores >= t) for t in np.unique(scores)))
    assert f1_score(y, scores >= threshold) == pytest.approx(best)


@given(labelled_scores())
@settings(max_examples=50)
def test_curve_holds_every_threshold(data):
    y, scores = data
    precision, recall, thresholds = precision_recall_curve(y, scores)
    for p, r, t in zip(precision, recall, thresholds, strict=True):
        assert (p, r) == pytest.approx(precision_recall_f1(y, scores >= t)[:2])


def test_one_class_is_undefined_not_an_error():
    metrics = measure([0, 0], [0.1, 0.9], [0, 1])
    assert metrics.as_dict()["auc"] is None
    assert metrics.as_dict()["average_precision"] is None
    assert (metrics.f1, metrics.f1_oracle, metrics.positive) == (0.0, 0.0, 0)


def test_counts_of_nothing_give_zero():
    assert rates(gold=0, found=0, right=0) == rates(gold=3, found=0, right=0) == rates(gold=0, found=3, right=0) == (0, 0, 0)


def test_bad_input_is_named():
    with pytest.raises(ParameterError, match="finite"):
        auc([0, 1], [np.nan, 1])
    with pytest.raises(ParameterError, match="belong together"):
        auc([0, 1], [1.0])
    with pytest.raises(ParameterError, match="predicted"):
        measure([0, 1], [0.0, 1.0], [1])


def test_recall_by_type_counts_each_type_once_per_candidate():
    table = recall_by_type([["a", "a"], ["a"], [], ["b"]], [1, 0, 1, 1])
    assert table == {"a": {"gold": 2, "found": 1, "recall": 0.5}, "b": {"gold": 1, "found": 1, "recall": 1.0}}
