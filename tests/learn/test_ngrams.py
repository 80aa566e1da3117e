"""N-grams against a plain count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.candidates import PathSet, StructureSet
from relhash.codec import pack_strings
from relhash.errors import ModelFileError
from relhash.learn import NgramPart, Text

WORDS = st.lists(st.lists(st.sampled_from("abcd"), max_size=5), min_size=1, max_size=8)


def text(**views) -> Text:
    return Text(StructureSet({name: PathSet.from_sequences(sequences) for name, sequences in views.items()}))


@given(WORDS, WORDS)
@settings(max_examples=50)
def test_ngrams_equal_a_plain_count(train, test):
    X, T = text(v=train), text(v=test)
    ngrams = NgramPart(["v"], sizes=(1, 2), min_count=2).fit(X)

    def grams(sequence):
        return {" ".join(sequence[i : i + n]) for n in (1, 2) for i in range(len(sequence) - n + 1)}

    frequent = {gram for s in train for gram in grams(s) if sum(gram in grams(other) for other in train) >= 2}
    names = [name.removeprefix("v: ") for name in ngrams.columns]
    assert set(names) == frequent
    expected = np.array([[gram in grams(s) for gram in names] for s in test], float).reshape(len(test), len(names))
    np.testing.assert_array_equal(ngrams.transform(T).toarray(), expected)
    again = NgramPart.from_arrays(ngrams.to_arrays(), ngrams.parameters, None)
    np.testing.assert_array_equal(again.transform(T).toarray(), expected)
    shared = NgramPart(["v"], sizes=(1, 2), min_count=2).fit(X, T)
    assert shared.columns == [f"v: {name}" for name in names if any(name in grams(s) for s in test)]


def test_the_part_knows_only_ngrams_that_both_texts_have():
    X, T = text(v=[["a", "b"]] * 2), text(v=[["b", "c"]] * 2)
    assert NgramPart(["v"]).fit(X, T).columns == ["v: b"]
    assert NgramPart(["v"]).fit(X).columns == ["v: a", "v: b", "v: a b"]


def test_rare_ngrams_of_a_large_text_need_another_one_that_has_them():
    X = text(v=[["often"]] * 4990 + [["sometimes"]] * 8 + [["rarely"]] * 2)
    assert NgramPart(["v"]).fit(X).columns == ["v: often", "v: sometimes"]
    assert NgramPart(["v"]).fit(X, text(v=[["rarely"]])).columns == ["v: rarely"]


def test_views_have_columns_of_their_own():
    X = text(a=[["x"], ["x"]], b=[["x"], ["y"]])
    ngrams = NgramPart(["a", "b"], sizes=(1,), min_count=1).fit(X)
    assert ngrams.columns == ["a: x", "b: x", "b: y"]
    assert ngrams.transform(X).toarray().tolist() == [[1, 1, 0], [1, 0, 1]]


def test_who_names_views_means_the_ngrams_too():
    part = NgramPart(["path", "between"])
    assert part.restricted_to(("between", "descriptors")).views == ("between",)
    assert part.restricted_to(("window(1,1)",)).views == ("window(1,1)",)
    assert part.restricted_to(("descriptors",)).views == ("path", "between")


def test_damaged_arrays_are_refused():
    part = NgramPart(["v"]).fit(text(v=[["a", "b"]] * 2))
    with pytest.raises(ModelFileError, match="missing"):
        NgramPart.from_arrays({}, part.parameters, None)
    with pytest.raises(ModelFileError, match="twice"):
        NgramPart.from_arrays({"grams.0": pack_strings(["a", "a"])}, part.parameters, None)


def test_fitted_rows_are_those_of_transform():
    """The runs that the vocabulary was taken from give the same rows as looking for them again."""
    views = {"between": [["a", "b", "a"], ["a"], [], ["a", "b", "a"]], "path": [["x"], ["x", "y"], ["y"], ["x", "y", "x"]]}
    text = Text(StructureSet({name: PathSet.from_sequences(own) for name, own in views.items()}))
    target = Text(StructureSet({name: PathSet.from_sequences(own[::-1]) for name, own in views.items()}))
    for other in (None, target):
        ngrams = NgramPart(["between", "path"], sizes=(1, 3), min_count=2)
        rows = ngrams.fit_transform(text, other)
        for own, one in zip(rows, (text, other), strict=True):
            assert (own is None) == (one is None)
            if one is not None:
                expected = ngrams.transform(one)
                for name in ("data", "indices", "indptr"):
                    np.testing.assert_array_equal(getattr(own, name), getattr(expected, name))
        assert rows[0].nnz
