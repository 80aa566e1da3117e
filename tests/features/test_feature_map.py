"""Feature parts on structures small enough to see through."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.errors import ModelFileError, ParameterError
from relhash.features.descriptor_bits import DescriptorBits
from relhash.features.feature_map import DescriptorPart, FeatureMap, NgramPart, blocks
from relhash.features.ngrams import Ngrams
from relhash.models.presets import PRESETS, Preset, preset
from relhash.structures import PathSet, StructureSet

WORDS = st.lists(st.lists(st.sampled_from("abcd"), max_size=5), min_size=1, max_size=8)


@given(WORDS, WORDS)
@settings(max_examples=50)
def test_ngrams_equal_a_plain_count(train, test):
    X, T = (StructureSet({"v": PathSet.from_sequences(sequences)}) for sequences in (train, test))
    ngrams = Ngrams(["v"], sizes=(1, 2), min_count=2).fit(X)

    def grams(sequence):
        return {" ".join(sequence[i : i + n]) for n in (1, 2) for i in range(len(sequence) - n + 1)}

    frequent = {gram for s in train for gram in grams(s) if sum(gram in grams(other) for other in train) >= 2}
    names = [name.removeprefix("v: ") for name in ngrams.names()]
    assert set(names) == frequent
    expected = np.array([[gram in grams(s) for gram in names] for s in test], float).reshape(len(test), len(names))
    np.testing.assert_array_equal(ngrams.transform(T).toarray(), expected)
    again = Ngrams.from_arrays(ngrams.to_arrays())
    np.testing.assert_array_equal(again.transform(T).toarray(), expected)
    shared = Ngrams(["v"], sizes=(1, 2), min_count=2).fit(X, target=T)
    assert shared.names() == [f"v: {name}" for name in names if any(name in grams(s) for s in test)]


def test_the_part_knows_only_ngrams_that_both_texts_have():
    X, T = (StructureSet({"v": PathSet.from_sequences(s)}) for s in ([["a", "b"]] * 2, [["b", "c"]] * 2))
    part = NgramPart(Ngrams(["v"])).fit(X, T, None)
    assert part.names() == ["v: b"]
    assert NgramPart(Ngrams(["v"])).fit(X, None, None).names() == ["v: a", "v: b", "v: a b"]


def test_rare_ngrams_of_a_large_text_need_another_one_that_has_them():
    X = StructureSet({"v": PathSet.from_sequences([["often"]] * 4990 + [["sometimes"]] * 8 + [["rarely"]] * 2)})
    assert Ngrams(["v"]).fit(X).names() == ["v: often", "v: sometimes"]
    T = StructureSet({"v": PathSet.from_sequences([["rarely"]])})
    assert Ngrams(["v"]).fit(X, target=T).names() == ["v: rarely"]


def test_views_have_columns_of_their_own():
    X = StructureSet({"a": PathSet.from_sequences([["x"], ["x"]]), "b": PathSet.from_sequences([["x"], ["y"]])})
    ngrams = Ngrams(["a", "b"], sizes=(1,), min_count=1).fit(X)
    assert ngrams.names() == ["a: x", "b: x", "b: y"]
    assert ngrams.transform(X).toarray().tolist() == [[1, 1, 0], [1, 0, 1]]


def test_descriptor_bits_cut_between_values_that_occur():
    table = np.array([[0, 5.0, 7], [1, 6.0, 7], [1, 8.0, 7]], np.float32)
    bits = DescriptorBits().fit(table)
    assert bits.columns_.tolist() == [0, 1, 1]  # the constant column says nothing
    assert bits.thresholds_.tolist() == [0.5, 5.5, 7.0]
    assert bits.names(("near", "far", "same"))[0] == "near > 0.50"
    many = DescriptorBits(4).fit(np.random.default_rng(0).normal(size=(500, 1)))
    shares = many.transform(np.random.default_rng(1).normal(size=(2000, 1))).mean(axis=0)
    assert np.asarray(shares).ravel() == pytest.approx([0.8, 0.6, 0.4, 0.2], abs=0.06)


def test_descriptor_bits_refuse_damaged_arrays():
    arrays = DescriptorBits().fit(np.eye(3)).to_arrays()
    with pytest.raises(ModelFileError):
        DescriptorBits.from_arrays({**arrays, "columns": arrays["columns"] + 7})
    with pytest.raises(ModelFileError):
        DescriptorBits.from_arrays({**arrays, "thresholds": arrays["thresholds"][:-1]})


def test_parts_stand_side_by_side_and_have_names():
    X = StructureSet(
        {"between": PathSet.from_sequences([["a"], ["a"]]), "descriptors": np.eye(2)}, columns={"descriptors": ("p", "q")}
    )
    features = FeatureMap(
        {"descriptors": DescriptorPart(DescriptorBits()), "ngrams": NgramPart(Ngrams(["between"])), "raw": DescriptorPart(None)}
    ).fit(X)
    assert features.names() == ["descriptors: p > 0.50", "descriptors: q > 0.50", "ngrams: between: a", "raw: p", "raw: q"]
    assert features.transform(X).toarray().tolist() == [[1, 0, 1, 1, 0], [0, 1, 1, 0, 1]]
    assert features.blocks_ == blocks({"descriptors": 2, "ngrams": 1, "raw": 2})


def test_presets_are_consistent():
    for name, one in PRESETS.items():
        assert one.summary, name
        assert one.all_views, name
    assert preset("KLSH-NU-RF").paper_f1 == {"A→B": 0.57, "B→A": 0.57}
    with pytest.raises(ParameterError, match="KLSH-NU-RF"):
        preset("KLSH")
    with pytest.raises(ParameterError, match="parts"):
        Preset("", parts=("oracle",))
