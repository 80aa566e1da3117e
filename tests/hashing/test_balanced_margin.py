from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import ModelFileError
from relhash.hashing import BalancedMarginFamily, HashcodeLearner, MarginFamily
from relhash.hashing.margin import median_cut
from relhash.hashing.splits import all_splits
from tests.hashing.array_kernel import PlainKernel
from tests.hashing.function_contract import CORNERS, HashFunctionContract

counted = st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 9)), min_size=1, max_size=30)


class TestBalancedMargin(HashFunctionContract):
    def make_family(self):
        return BalancedMarginFamily()

    @pytest.mark.parametrize("split", all_splits(4).tolist())
    def test_a_reference_lies_on_its_own_side(self, crowd, split):
        """The cut is where the crowd is halved, so a corner may cross it; but never one of side 0 before one of side 1."""
        function, _, _ = self.learn(crowd, np.array(split, np.uint8))
        bits = function.hash(CORNERS)
        assert bits[np.array(split) == 1].min() >= bits[np.array(split) == 0].max()

    @pytest.mark.parametrize("split", all_splits(4).tolist())
    def test_half_of_the_crowd_gets_a_one(self, crowd, split):
        function, _, _ = self.learn(crowd, np.array(split, np.uint8))
        assert abs(function.hash(crowd).mean() - 0.5) < 2 / len(crowd)

    @pytest.mark.parametrize("split", all_splits(4).tolist())
    def test_bits_equal_the_definition(self, crowd, split):
        """Element by element: the margin's own direction, the weighted median by counting every possible cut."""
        function, _, bound = self.learn(crowd, np.array(split, np.uint8), reach=3.0)
        margin = MarginFamily().function(
            function.references, function.split, function.kernel, "", MarginFamily().respond(bound, bound.rows[:4].astype(int))
        )
        similarities = function.kernel.bind(crowd).similarities(function.references)[bound.rows].astype(float)
        near = (similarities != 0).any(axis=1)
        along = np.array([sum(c * s for c, s in zip(margin.coefficients, row, strict=True)) for row in similarities])
        cut = best_cut_by_counting(along[near].tolist())
        assert function.hash(crowd).tolist() == [int(is_near and value > cut) for is_near, value in zip(near, along)]


def best_cut_by_counting(values):
    """The highest value that stays below the cut, by trying all of them."""
    return min(sorted(set(values))[:-1], key=lambda cut: (abs(2 * sum(value > cut for value in values) - len(values)), cut))


@given(counted)
def test_the_cut_is_as_even_as_any(pairs):
    values, counts = (np.array(column) for column in zip(*pairs, strict=True))
    cut = median_cut(values.astype(float), counts)
    every = np.repeat(values, counts).tolist()
    if len(set(every)) < 2:
        assert not any(value > cut for value in every)
    else:
        expected = best_cut_by_counting(every)
        assert [value > cut for value in every] == [value > expected for value in every]
        assert cut not in every


@given(counted, st.randoms(use_true_random=False))
def test_the_cut_does_not_depend_on_order_or_on_how_equals_are_counted(pairs, random):
    values, counts = (np.array(column) for column in zip(*pairs, strict=True))
    one_by_one = np.repeat(values, counts).astype(float).tolist()
    random.shuffle(one_by_one)
    assert median_cut(values.astype(float), counts) == median_cut(np.array(one_by_one), np.ones(len(one_by_one), int))


def test_neighbouring_numbers_are_told_apart():
    low = 1.0
    high = np.nextafter(low, 2.0)
    assert low <= median_cut(np.array([low, high]), np.array([1, 1])) < high


def test_candidates_count_as_often_as_they_occur():
    """Two of three distinct points are at the first corner, but nine tenths of the candidates are at the other."""
    crowd = np.concatenate([[[0.0, 0.0]], [[0.5, 0.0]], np.tile([[4.0, 4.0]], (9, 1)), np.tile([[4.0, 3.5]], (9, 1))])
    bound = PlainKernel(0.2).bind(crowd)
    ids = bound.rows[[0, 2]].astype(np.int64)
    responses = BalancedMarginFamily().respond(bound, ids)
    assert responses.bits(np.array([0, 1], np.uint8))[bound.rows].sum() == 9


def test_one_reference_cuts_by_similarity_to_it():
    X = np.arange(10.0)[:, None]
    bound = PlainKernel(0.01).bind(X)
    family = BalancedMarginFamily()
    responses = family.respond(bound, np.array([0]))
    function = family.function(bound.unique(responses.ids), np.array([1], np.uint8), bound.kernel, "", responses)
    assert function.hash(X).tolist() == [1] * 5 + [0] * 5


@pytest.mark.parametrize("parameters", [{}, {"split": "random", "sampling": "global"}, {"n_references": (12,)}], ids=str)
def test_learned_bits_are_even_on_both_texts_and_the_same_for_any_threads_and_batches(parameters):
    train, target = np.random.default_rng(0).normal(size=(2, 120, 3))
    target += 0.5
    learner = HashcodeLearner(16, hash_function="balanced-margin", random_state=0, n_jobs=1, **parameters)
    bits = learner.fit(train, target=target).transform(both := np.concatenate([train, target]))
    assert np.abs(bits.mean(axis=0) - 0.5).max() <= 1 / len(both)
    threaded = HashcodeLearner(16, hash_function="balanced-margin", random_state=0, n_jobs=2, **parameters)
    assert (threaded.fit(train, target=target).transform(both) == bits).all()
    assert (np.concatenate([learner.transform(both[i : i + 7]) for i in range(0, len(both), 7)]) == bits).all()


@pytest.mark.parametrize("parameters", [np.ones(3), np.array([1.0, 1.0, np.nan, 0.0, 0.0])], ids=["short", "nan"])
def test_damaged_parameters_are_refused(parameters):
    with pytest.raises(ModelFileError, match="coefficients"):
        BalancedMarginFamily().restore(CORNERS, np.array([0, 1, 1, 0], np.uint8), PlainKernel(), "", parameters)
