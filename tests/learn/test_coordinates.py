from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.candidates import PathSet, StructureSet
from relhash.errors import ModelFileError
from relhash.hashing import HashcodeLearner
from relhash.kernels import PathKernel, WordSimilarity
from relhash.kernels.vector_kernels import VectorKernel
from relhash.learn import Code, CoordinatesPart, Text

WORDS = ("binds", "inhibits", "activates", "of", "and", "with", "the")


def structures(n: int, seed: int) -> tuple[StructureSet, np.ndarray]:
    """Candidates of two kinds, which differ in words and in numbers."""
    rng = np.random.default_rng(seed)
    kind = rng.random(n) < 0.5
    paths = [
        ["<E1>", "binds" if own else "and", *rng.choice(WORDS, rng.integers(0, 4)).tolist(), "<E2>"] for own in kind.tolist()
    ]
    table = (rng.normal(size=(n, 3)) + kind[:, None]).astype(np.float32)
    return StructureSet({"path": PathSet.from_sequences(paths), "descriptors": table}), kind


def learned(text: StructureSet, n_bits: int = 20, seed: int = 0) -> Code:
    kernels = {"path": PathKernel(WordSimilarity()), "descriptors": VectorKernel("laplace", scaling="standard")}
    return Code(HashcodeLearner(kernel=kernels, n_bits=n_bits, n_references=(4,), random_state=seed).fit(text))


def test_components_tell_kinds_apart_without_labels():
    text, kind = structures(300, 0)
    seen = Text(text, learned(text))
    placed = CoordinatesPart(10).fit(seen).transform(seen)
    correlations = [abs(np.corrcoef(column, kind)[0, 1]) for column in placed.toarray().T]
    assert placed.shape == (300, 10)
    assert max(correlations) > 0.8


def test_all_components_keep_the_kernel_of_the_references():
    """With every component kept, products of centred coordinates are those of the kernel, summed over the views."""
    text, _ = structures(60, 1)
    code = learned(text, 40)
    functions = code.learner.functions_
    coordinates = CoordinatesPart(10_000).fit(Text(text, code))
    gram = np.zeros((4, 4))
    for view in ("path", "descriptors"):
        own = [function for function in functions if function.view == view]
        kernel = own[0].kernel
        some = text[view][[0, 5, 9, 33]]
        gathered = own[0].references
        for function in own[1:]:
            joined = (gathered, function.references)
            gathered = np.concatenate(joined) if isinstance(gathered, np.ndarray) else PathSet.concatenate(joined)
        between = kernel.gram(some, gathered).astype(float)
        gram = gram + between @ np.linalg.pinv(kernel.gram(gathered, gathered).astype(float), rcond=1e-4) @ between.T
    centred = coordinates.transform(Text(text[[0, 5, 9, 33]], code)).toarray()
    distances = np.add.outer(np.diag(gram), np.diag(gram)) - 2 * gram
    np.testing.assert_allclose(((centred[:, None] - centred[None]) ** 2).sum(-1), distances, atol=2e-3)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 40))
def test_a_row_depends_on_nothing_else_and_survives_storage(seed, taken):
    text, _ = structures(60, seed)
    code = learned(text, 8, seed)
    coordinates = CoordinatesPart(12).fit(Text(text, code))
    whole = coordinates.transform(Text(text, code)).toarray()
    np.testing.assert_array_equal(coordinates.transform(Text(text[np.arange(taken)], code)).toarray(), whole[:taken])
    stored = CoordinatesPart.from_arrays(coordinates.to_arrays(), coordinates.parameters, code)
    np.testing.assert_array_equal(stored.transform(Text(text, code)).toarray(), whole)


def test_two_texts_share_their_components():
    text, _ = structures(80, 2)
    code = learned(text)
    texts = [Text(text[np.arange(50)], code), Text(text[np.arange(50, 80)], code)]
    first, second = map(CoordinatesPart(6).fit(*texts).transform, texts)
    assert first.shape == (50, 6)
    assert second.shape == (30, 6)
    mean = (first.toarray().sum(axis=0) + second.toarray().sum(axis=0)) / 80
    np.testing.assert_allclose(mean, 0, atol=1e-5)


def test_many_candidates_are_compared_in_turns(monkeypatch):
    text, _ = structures(90, 5)
    seen = Text(text, learned(text))
    coordinates = CoordinatesPart(6).fit(seen)
    at_once = coordinates.transform(seen).toarray()
    monkeypatch.setattr("relhash.learn.coordinates.AT_ONCE", 7)
    np.testing.assert_array_equal(coordinates.transform(seen).toarray(), at_once)


def test_components_are_found_from_a_sample(monkeypatch):
    text, kind = structures(200, 6)
    monkeypatch.setattr("relhash.learn.coordinates.MOST_ROWS", 40)
    code = learned(text)
    coordinates = CoordinatesPart(5).fit(Text(text[np.arange(30)], code), Text(text[np.arange(30, 200)], code))
    placed = coordinates.transform(Text(text, code)).toarray()
    assert max(abs(np.corrcoef(column, kind)[0, 1]) for column in placed.T) > 0.8


def test_fitted_rows_are_those_of_transform_and_need_no_second_comparison(monkeypatch):
    """Small texts are compared with the references once; texts too large to keep all similarities give the same components."""
    text, _ = structures(90, 7)
    code = learned(text)
    texts = Text(text[np.arange(61)], code), Text(text[np.arange(61, 90)], code)
    bound = []
    bind = VectorKernel.bind
    monkeypatch.setattr(VectorKernel, "bind", lambda self, X, **how: bound.append(len(X)) or bind(self, X, **how))
    small = CoordinatesPart(6)
    rows, of_target = small.fit_transform(*texts)
    assert 90 in bound
    assert not {61, 29} & set(bound)
    for own, one in zip((rows, of_target), texts, strict=True):
        np.testing.assert_array_equal(own.toarray(), small.transform(one).toarray())
    monkeypatch.setattr("relhash.learn.coordinates.AT_ONCE", 7)
    large = CoordinatesPart(6)
    np.testing.assert_array_equal(large.fit_transform(*texts)[1].toarray(), of_target.toarray())
    for name, array in small.to_arrays().items():
        np.testing.assert_array_equal(large.to_arrays()[name], array)


def test_fewer_references_than_components():
    text, _ = structures(30, 3)
    seen = Text(text, learned(text, 1))
    placed = CoordinatesPart(120).fit(seen).transform(seen)
    assert 1 <= placed.shape[1] <= 4


@pytest.mark.parametrize("broken", ["shape", "nan", "missing", "type"])
def test_broken_arrays_are_refused(broken):
    text, _ = structures(40, 4)
    code = learned(text, 4)
    coordinates = CoordinatesPart(5).fit(Text(text, code))
    arrays = dict(coordinates.to_arrays())
    first = arrays["projection.0"]
    if broken == "missing":
        del arrays["projection.0"]
    else:
        changed = {"shape": first[1:], "nan": np.full_like(first, np.nan), "type": first.astype(np.float64)}
        arrays["projection.0"] = changed[broken]
    with pytest.raises(ModelFileError):
        CoordinatesPart.from_arrays(arrays, coordinates.parameters, code)
