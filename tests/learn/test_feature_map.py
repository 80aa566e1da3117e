"""Parts side by side, on structures small enough to see through."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates import PathSet, StructureSet
from relhash.errors import ModelFileError, ParameterError
from relhash.learn import FeatureMap, to_parts
from relhash.learn.codes import blocks, make_code
from relhash.learn.part import Text


def structures(n: int, seed: int = 0) -> StructureSet:
    rng = np.random.default_rng(seed)
    words = [["<E1>", *rng.choice(["binds", "of", "and", "the"], 3).tolist(), "<E2>"] for _ in range(n)]
    return StructureSet(
        {"between": PathSet.from_sequences(words), "descriptors": rng.normal(size=(n, 2)).astype(np.float32)},
        columns={"descriptors": ("p", "q")},
    )


def hashed_map(*parts: str) -> FeatureMap:
    return FeatureMap(to_parts(*parts), make_code(["between"], {"n_bits": 6, "n_references": (3,)}, random_state=1))


def fitted_map(X: StructureSet, *parts: str) -> FeatureMap:
    features = hashed_map(*parts)
    features.fit_transform(X)
    return features


def names(features: FeatureMap) -> list[str]:
    return [f"{part.name}: {column}" for part in features.parts for column in part.columns]


def test_parts_stand_side_by_side_in_the_order_given_and_have_names():
    X = StructureSet(
        {"between": PathSet.from_sequences([["a"], ["a"]]), "descriptors": np.eye(2, dtype=np.float32)},
        columns={"descriptors": ("p", "q")},
    )
    ngrams = to_parts("ngrams")[0].restricted_to(("between",))
    features = FeatureMap([*to_parts("descriptors"), ngrams, *to_parts("raw-descriptors")])
    features.fit_transform(X)
    assert names(features) == [
        "descriptors: p > 0.50", "descriptors: q > 0.50", "ngrams: between: a", "raw-descriptors: p", "raw-descriptors: q",
    ]  # fmt: skip
    assert features.transform(X).toarray().tolist() == [[1, 0, 1, 1, 0], [0, 1, 1, 0, 1]]
    assert features.columns == blocks({"descriptors": 2, "ngrams": 1, "raw-descriptors": 2})


@pytest.mark.parametrize("parts", [("bits",), ("coordinates",), ("coordinates", "bits")])
def test_code_parts_share_functions_and_give_the_same_at_fit_and_later(parts):
    X, T = structures(60), structures(40, 1)
    features = hashed_map(*parts)
    rows, target_rows, *_ = features.fit_transform(X, target=T)
    np.testing.assert_array_equal(features.transform(X).toarray(), rows.toarray())
    np.testing.assert_array_equal(features.transform(T).toarray(), target_rows.toarray())
    assert list(features.columns) == list(parts)
    assert rows.shape[1] == len(names(features))
    for part in parts:
        alone, *_ = hashed_map(part).fit_transform(X, target=T)
        np.testing.assert_array_equal(rows[:, features.columns[part]].toarray(), alone.toarray())


def test_a_row_depends_on_nothing_else():
    X = structures(50)
    features = fitted_map(X, "bits", "coordinates")
    whole = features.transform(X).toarray()
    np.testing.assert_array_equal(features.transform(X[[7, 3]]).toarray(), whole[[7, 3]])


def test_the_map_fits_copies_and_leaves_the_parts_as_they_were():
    parts = to_parts("bits")
    FeatureMap(parts, make_code(["between"], {"n_bits": 4})).fit_transform(structures(40))
    assert not hasattr(parts[0], "n_bits_")


def test_arrays_bring_everything_back():
    X = structures(50)
    features = fitted_map(X, "bits", "coordinates")
    again = FeatureMap.from_arrays(*features.to_arrays())
    np.testing.assert_array_equal(again.transform(X).toarray(), features.transform(X).toarray())
    assert names(again) == names(features)


def test_an_unknown_part_of_a_file_is_named():
    arrays, notes = fitted_map(structures(40), "bits").to_arrays()
    notes["parts"][0]["name"] = "oracle"
    with pytest.raises(ModelFileError, match="oracle"):
        FeatureMap.from_arrays(arrays, notes)


def test_at_least_one_part():
    with pytest.raises(ParameterError, match="ngrams"):
        FeatureMap([])


def test_codes_that_a_fit_has_found_are_those_that_the_functions_give():
    X, target = structures(60), structures(40, seed=1)
    features = hashed_map("bits")
    rows, of_target, text, other = features.fit_transform(X, target=target)
    assert other is not None
    for own in (text, other):
        np.testing.assert_array_equal(own.known_codes, features.code.learner.codes(own.structures))
    assert (rows.shape, of_target.shape) == ((60, 6), (40, 6))
    assert Text(X, features.code).known_codes is None
