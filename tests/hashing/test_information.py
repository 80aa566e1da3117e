from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from relhash.hashing.information import bit_terms, entropy, n_log_n
from tests.hashing.entropies import conditional_entropy, mutual_information

COUNTS = hnp.arrays(np.int64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.integers(0, 50))


@given(COUNTS)
def test_entropies_obey_their_laws(counts):
    rows, columns, together = counts.sum(axis=1), counts.sum(axis=0), counts.reshape(-1)
    assert 0 <= conditional_entropy(counts) <= entropy(columns) + 1e-9
    assert np.isclose(entropy(together), entropy(rows) + conditional_entropy(counts))
    assert np.isclose(mutual_information(counts), mutual_information(counts.T), atol=1e-9)
    assert entropy(columns) <= np.log(len(columns)) + 1e-9


def test_multiplicities_are_repeated_observations():
    once = np.array([[1, 2], [3, 4]])
    assert np.isclose(mutual_information(once), mutual_information(7 * once))


@given(st.integers(0, 2**32 - 1), st.integers(1, 8))
def test_compiled_terms_equal_the_formulas(seed, n_clusters):
    rng = np.random.default_rng(seed)
    totals = rng.integers(0, 20, (n_clusters, 2))
    ones = rng.integers(0, totals + 1, (6, n_clusters, 2))
    table = n_log_n(int(totals.sum()))
    for bit, (joint, redundancy, own) in zip(ones, bit_terms(ones, totals, table), strict=True):
        membership = np.stack([totals - bit, bit])  # bit × cluster × kind
        assert np.isclose(joint, entropy(membership.sum(axis=1).reshape(-1)))
        assert np.isclose(own, entropy(membership.sum(axis=(1, 2))))
        assert np.isclose(redundancy, mutual_information(membership.sum(axis=2)), atol=1e-9)


def test_nothing_counted_gives_zeros():
    assert bit_terms(np.zeros((2, 3, 2), np.int64), np.zeros((3, 2), np.int64), n_log_n(0)).tolist() == [[0, 0, 0]] * 2
