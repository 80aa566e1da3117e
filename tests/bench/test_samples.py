"""Figures for any weights of documents are those of the metrics."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.errors import ParameterError
from relhash.learn.metrics import auc, f1_score
from relhash.show.significance import auc_sample, f1_sample


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_weighted_auc_is_that_of_the_metrics(seed):
    rng = np.random.default_rng(seed)
    y = np.append(rng.uniform(size=30) < 0.4, [True, False])
    scores = rng.integers(0, 6, 32) / 5
    documents = np.append(rng.integers(0, 5, 30), [0, 1])
    names, place = np.unique(documents, return_inverse=True)
    weights = np.concatenate([np.ones((1, names.size)), 1.0 + rng.integers(0, 3, (300, names.size))])
    expected = [auc(np.repeat(y, n), np.repeat(scores, n)) for n in weights[:, place].astype(int)]
    np.testing.assert_allclose(auc_sample(y, scores, documents).figures(weights)[:, 0], expected)


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_weighted_f1_is_that_of_documents_that_stand_there_as_often(seed):
    rng = np.random.default_rng(seed)
    y, found = rng.uniform(size=(2, 30)) < 0.5
    documents = rng.integers(0, 5, 30)
    names, place = np.unique(documents, return_inverse=True)
    weights = rng.integers(0, 3, (20, names.size))
    copies = [np.repeat(np.arange(30), own[place]) for own in weights]
    expected = [f1_score(y[own], found[own]) if (y | found)[own].any() else np.nan for own in copies]
    np.testing.assert_allclose(f1_sample(y, found, documents).figures(weights.astype(float))[:, 0], expected)


def test_runs_belong_to_groups():
    y, documents = np.array([1, 0, 1]), np.array([0, 0, 1])
    assert f1_sample(y, np.array([[1, 0, 1], [0, 1, 1]]), documents, ["a", "b"]).groups == ("a", "b")
    with pytest.raises(ParameterError, match="groups do not match"):
        f1_sample(y, y, documents, [1, 2])
