from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.candidates import PathSet
from relhash.candidates.paths import PathSetBuilder, used_numbers
from relhash.errors import StructureError

sequences = st.lists(st.lists(st.sampled_from(["<E1>", "binds", "α", "", "nsubj>"]), max_size=5), max_size=12)


@given(sequences)
def test_what_goes_in_comes_out(given_sequences):
    paths = PathSet.from_sequences(given_sequences)
    assert list(paths) == given_sequences
    assert len(paths) == len(given_sequences)
    assert paths.n_unique == len({tuple(sequence) for sequence in given_sequences})
    assert paths.lengths.tolist() == [len(sequence) for sequence in given_sequences]


@given(sequences, st.data())
def test_selection_is_that_of_a_list(given_sequences, data):
    paths = PathSet.from_sequences(given_sequences)
    indices = data.draw(st.lists(st.integers(0, len(given_sequences) - 1), max_size=8)) if given_sequences else []
    expected = [given_sequences[index] for index in indices]
    assert list(paths[indices]) == expected
    assert list(paths[np.array(indices, int)].compact()) == expected
    assert list(paths[1:-1]) == given_sequences[1:-1]
    mask = [bool(len(sequence) % 2) for sequence in given_sequences]
    assert list(paths[np.array(mask, bool)]) == [s for s, odd in zip(given_sequences, mask, strict=True) if odd]


@given(st.lists(sequences, max_size=4))
def test_concatenation_is_that_of_lists(parts):
    joined = PathSet.concatenate(PathSet.from_sequences(part) for part in parts)
    flat = [sequence for part in parts for sequence in part]
    assert joined == PathSet.from_sequences(flat)
    assert joined.n_unique == len({tuple(sequence) for sequence in flat})


@given(sequences)
def test_stored_sets_come_back(tmp_path_factory, given_sequences):
    file = tmp_path_factory.mktemp("paths") / "paths.npz"
    paths = PathSet.from_sequences(given_sequences)
    np.savez(file, **paths.to_arrays())
    with np.load(file, allow_pickle=False) as archive:
        assert PathSet.from_arrays(archive) == paths


@given(sequences)
def test_the_builder_takes_one_at_a_time(given_sequences):
    builder = PathSetBuilder(["binds"])
    for sequence in given_sequences:
        builder.append(sequence)
    built = builder.build()
    assert list(built) == given_sequences
    assert built.vocabulary[0] == "binds"


def test_a_string_is_no_sequence_of_tokens():
    with pytest.raises(StructureError, match="'binds'"):
        PathSet.from_sequences(["binds"])


@pytest.mark.parametrize(
    ("tokens", "offsets", "rows"),
    [
        ([0, 5], [0, 2], [0]),
        ([0], [0, 1], [1]),
        ([0], [0, 2], [0]),
        ([0, 0], [0, 2, 1, 2], [0]),
        ([0], [], []),
        ([-1], [0, 1], [0]),
    ],
)
def test_arrays_that_contradict_each_other(tokens, offsets, rows):
    with pytest.raises(StructureError):
        PathSet(["a"], tokens, offsets, rows)


@given(st.lists(st.integers(0, 30), max_size=20), st.integers(31, 200))
def test_used_numbers_are_those_that_sorting_finds(numbers, n):
    given_numbers = np.array(numbers, np.int32)
    for found, sorted_out in zip(used_numbers(given_numbers, n), np.unique(given_numbers, return_inverse=True), strict=True):
        np.testing.assert_array_equal(found, sorted_out)
