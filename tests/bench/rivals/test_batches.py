"""Batches hold every row once, padded so that padding says nothing."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench.rivals.sequences import Encoding, read_sequences
from tests.bench.rivals.toy_candidates import toy_pairs, toy_vectors

pytest.importorskip("torch", reason="needs the extra neural")


@pytest.fixture(scope="module")
def data():
    sequences = read_sequences(toy_pairs(23)[0], "sentence")
    return Encoding.learn(sequences, toy_vectors()).encode(sequences)


def test_every_row_is_in_one_batch_and_neighbours_are_of_about_equal_length(data):
    from relhash.bench.rivals.layers import bucketed

    batches = list(bucketed(data, np.arange(23), 5))
    assert sorted(row for batch in batches for row in batch.rows) == list(range(23))
    longest = [int(batch.lengths.max()) for batch in batches]
    assert longest == sorted(longest)
    for batch in batches:
        assert batch.mask.sum(dim=1).tolist() == batch.lengths.tolist()
        assert not batch.vectors[~batch.mask].any()
        assert not batch.positions[~batch.mask].any()


def test_a_seed_gives_the_same_order_and_endless_batches_go_on(data):
    from relhash.bench.rivals.layers import bucketed, endless

    first, again = (
        [batch.rows.tolist() for batch in bucketed(data, np.arange(23), 5, np.random.default_rng(seed))] for seed in (1, 1)
    )
    assert first == again
    assert first != [batch.rows.tolist() for batch in bucketed(data, np.arange(23), 5, np.random.default_rng(2))]
    stream = endless(data, np.arange(23), 5, np.random.default_rng(0))
    assert sum(len(next(stream).rows) for _ in range(10)) == 46  # twice round
