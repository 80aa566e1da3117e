"""Two stages: a list of near codes, then exact kernels."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.hashing import HashcodeLearner
from relhash.hashing.hamming import as_columns, nearest_codes, nearest_in_parts, search, similarities


@pytest.fixture(scope="module")
def searched():
    X = np.random.default_rng(0).normal(size=(600, 4))
    learner = HashcodeLearner(64, random_state=0).fit(X)
    return X, learner, learner.codes(X)


def test_a_list_of_all_is_an_exact_search(searched):
    X, learner, codes = searched
    exact = similarities(learner.kernels_, X, X[:5])
    for query, (values, rows) in enumerate(
        search(learner.kernels_, [as_columns(codes)], X.__getitem__, codes[:5], X[:5], n=7, listed=len(X))
    ):
        assert rows.tolist() == np.argsort(-exact[:, query], kind="stable")[:7].tolist()
        assert np.array_equal(values, exact[rows, query])


def test_parts_are_one_text(searched):
    X, learner, codes = searched
    whole = search(learner.kernels_, [as_columns(codes)], X.__getitem__, codes[:9], X[:9], n=10, listed=50)
    cuts = [slice(0, 1), slice(1, 350), slice(350, None)]
    parts = [as_columns(codes[cut]) for cut in cuts]
    for (values, rows), (own, own_rows) in zip(
        whole, search(learner.kernels_, parts, X.__getitem__, codes[:9], X[:9], n=10, listed=50), strict=True
    ):
        assert rows.tolist() == own_rows.tolist()
        assert np.array_equal(values, own)
    assert [part.tolist() for part in nearest_in_parts(codes[:3], parts, 20)] == [
        part.tolist() for part in nearest_codes(codes[:3], codes, 20)
    ]


def test_the_second_stage_finds_what_codes_alone_do_not(searched):
    X, learner, codes = searched
    exact = np.argsort(-similarities(learner.kernels_, X, X[:50]), axis=0, kind="stable")[:10].T
    by_codes = nearest_codes(codes[:50], codes, 10)[1]
    both = [
        rows for _, rows in search(learner.kernels_, [as_columns(codes)], X.__getitem__, codes[:50], X[:50], n=10, listed=100)
    ]

    def recall(found):
        return np.mean([len(np.intersect1d(own, true)) for own, true in zip(found, exact, strict=True)]) / 10

    assert recall(both) > recall(by_codes) + 0.2


def test_nothing_to_search(searched):
    X, learner, codes = searched
    ((values, rows),) = search(learner.kernels_, [], X.__getitem__, codes[:1], X[:1])
    assert len(values) == len(rows) == 0
