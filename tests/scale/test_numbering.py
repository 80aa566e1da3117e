"""Numbers over parts are those of one set."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.scale import numbering
from relhash.scale.numbering import number_by_occurrence, number_by_order, place_in, point_keys, sequence_keys
from relhash.structures import PathSet

sequences = st.lists(st.lists(st.sampled_from(["a", "b", "ab", "", "a\0b"]), max_size=3), max_size=12)


@given(st.lists(sequences, min_size=1, max_size=4))
def test_sequences_are_numbered_by_their_first_occurrence(parts):
    sets = [PathSet.from_sequences(part) for part in parts]
    numbers, is_first = number_by_occurrence([sequence_keys(one) for one in sets])
    whole = PathSet.concatenate(sets)
    found = [ids[one.rows] for ids, one in zip(numbers, sets, strict=True)]
    assert np.concatenate([*found, []]).astype(int).tolist() == whole.rows.tolist()
    assert sum(int(own.sum()) for own in is_first) == whole.n_unique


@pytest.mark.parametrize("at_a_time", [7, 1000])
def test_rows_are_numbered_in_their_order(monkeypatch, at_a_time):
    monkeypatch.setattr(numbering, "ROWS_AT_A_TIME", at_a_time)
    rng = np.random.default_rng(0)
    tables = [rng.integers(-1, 3, (size, 3)).astype(float) for size in (20, 1, 35)]
    parts = [np.unique(table, axis=0) for table in tables]

    def between(low, high):
        return [
            part[0 if low is None else place_in(part, low) : len(part) if high is None else place_in(part, high)]
            for part in parts
        ]

    numbers = number_by_order([len(part) for part in parts], lambda most: [part[::3] for part in parts], between)
    whole = np.unique(np.concatenate(parts), axis=0)
    for part, own in zip(parts, numbers, strict=True):
        assert (whole[own] == part).all()


def test_points_differ_if_any_view_does():
    keys = point_keys([np.array([1, 1, 2]), np.array([5, 5, 5])])
    assert (keys[0] == keys[1]).all()
    assert (keys[0] != keys[2]).any()
