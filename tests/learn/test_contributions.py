"""Contributions add up to what the classifier says, whatever it is made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from relhash.learn import (
    CommitteeClassifier,
    ForestClassifier,
    LinearClassifier,
    Member,
    MixtureClassifier,
    NeighbourClassifier,
)
from relhash.learn.contributions import contributions

COLUMNS = {"bits": slice(0, 3), "ngrams": slice(3, 5)}
LINEAR, TREES = LinearClassifier(1.0), ForestClassifier(7, random_cuts=True)
COMMITTEE = CommitteeClassifier((Member(TREES, ("bits", "ngrams"), weight=2), Member(LINEAR, ("ngrams",))))


def table(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(n, 5)) + rng.normal(size=(n, 5)) * (seed % 2)
    y = X[:, 0] + X[:, 4] + rng.normal(size=n) > 2
    y[:2] = True, False
    return X, y


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("kind", [LINEAR, TREES, COMMITTEE, MixtureClassifier(COMMITTEE), NeighbourClassifier(3)], ids=str)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_terms_sum_to_the_log_odds(kind, is_sparse, seed):
    X, y = table(seed)
    given_rows = sparse.csr_matrix(X) if is_sparse else X
    fitted = kind.fit(given_rows, y, columns=COLUMNS, sources=np.arange(40) % 2, random_state=seed)
    found = contributions(fitted, given_rows)
    np.testing.assert_allclose(found.total, fitted.log_odds(given_rows), atol=1e-8)


def test_a_tree_credits_the_feature_it_asks_for():
    X = np.array([[0.0, 1], [0, 0], [1, 1], [1, 0]] * 10)
    found = contributions(ForestClassifier(5).fit(X, X[:, 0] > 0), X[:4])
    assert (np.abs(found.values[:, 0]) > 10 * np.abs(found.values[:, 1])).all()
    assert (np.sign(found.values[:, 0]) == [-1, -1, 1, 1]).all()


def test_a_row_does_not_depend_on_others():
    X, y = table(3)
    fitted = COMMITTEE.fit(X, y, columns=COLUMNS)
    np.testing.assert_array_equal(contributions(fitted, X).values[7], contributions(fitted, X[7:8]).values[0])
