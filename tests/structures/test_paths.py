from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import ModelFileError, StructureError
from relhash.structures import PathSet, StructureSet
from relhash.structures.paths import PathSetBuilder

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
    paths.save(file)
    assert PathSet.load(file) == paths
    with np.load(file, allow_pickle=False) as archive:
        assert all(archive[name].dtype != object for name in archive.files)


@given(sequences)
def test_the_builder_takes_one_at_a_time(given_sequences):
    builder = PathSetBuilder(["binds"])
    for sequence in given_sequences:
        builder.append(sequence)
    built = builder.build()
    assert list(built) == given_sequences
    assert built.vocabulary[0] == "binds"


def test_a_string_is_no_sequence_of_labels():
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


def test_a_structure_set_comes_back(tmp_path):
    views = {
        "path": PathSet.from_sequences([["a"], ["b", "a"]]),
        "descriptors": np.eye(2),
        "other": PathSet.from_sequences([[], ["ü"]]),
    }
    stored = StructureSet(views, columns={"descriptors": ("near", "far")})
    stored.save(tmp_path / "s.npz")
    loaded = StructureSet.load(tmp_path / "s.npz")
    assert loaded.names == stored.names
    assert loaded.columns == stored.columns
    assert all(loaded[name] == stored[name] for name in ("path", "other"))
    np.testing.assert_array_equal(loaded["descriptors"], stored["descriptors"])
    assert loaded.select(["other"]).names == ("other",)
    assert len(loaded[np.array([True, False])]) == 1


def test_structure_sets_that_do_not_fit():
    paths = PathSet.from_sequences([["a"]])
    with pytest.raises(StructureError, match="differ in their number"):
        StructureSet({"a": paths, "b": np.eye(2)})
    with pytest.raises(StructureError, match="column names"):
        StructureSet({"b": np.eye(2)}, columns={"b": ("only one",)})
    with pytest.raises(StructureError, match="views differ"):
        StructureSet.concatenate([StructureSet({"a": paths}), StructureSet({"b": paths})])
    with pytest.raises(StructureError, match="no view 'c'; there are a"):
        StructureSet({"a": paths})["c"]


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 truncated", b"\x93NUMPY\x01\x00"])
def test_damaged_files_are_named(tmp_path, content):
    file = tmp_path / "broken.npz"
    file.write_bytes(content)
    for kind in (PathSet, StructureSet):
        with pytest.raises(ModelFileError, match=r"broken\.npz"):
            kind.load(file)
