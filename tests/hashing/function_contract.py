"""What every family of hash functions must do; a family's tests inherit it and say how to make the family."""

from __future__ import annotations

import json

import numpy as np
import pytest

from relhash.hashing import HashFamily
from relhash.hashing.functions import SplitReferences
from relhash.hashing.information import cluster_by_keys
from relhash.hashing.splits import all_splits
from tests.hashing.array_kernel import PlainKernel

CORNERS = np.array([[0.0, 0.0], [0.0, 4.0], [4.0, 0.0], [4.0, 4.0]])


class HashFunctionContract:
    """Four corners of a square as references; whoever stands at a corner is on its side."""

    def make_family(self) -> HashFamily:
        raise NotImplementedError

    @pytest.fixture
    def crowd(self) -> np.ndarray:
        """Points around the corners, the corners themselves first, with repetitions."""
        rng = np.random.default_rng(0)
        around = CORNERS[rng.integers(0, 4, 200)] + rng.normal(0, 0.8, (200, 2))
        return np.concatenate([CORNERS, around, around[:50]])

    def learn(self, crowd, split, reach=np.inf):
        kernel = PlainKernel(gamma=0.2, reach=reach)
        bound = kernel.bind(crowd)
        responses = self.make_family().respond(bound, bound.rows[:4].astype(np.int64)).settled()
        function = self.make_family().function(bound.unique(responses.ids), split, kernel, "", responses)
        return function, responses, bound

    @pytest.mark.parametrize("split", all_splits(4).tolist())
    def test_a_reference_lies_on_its_own_side(self, crowd, split):
        function, _, _ = self.learn(crowd, np.array(split, np.uint8))
        assert function.hash(CORNERS).tolist() == split

    def test_responses_and_function_agree_on_the_data_they_were_learned_on(self, crowd):
        for split in all_splits(4):
            function, responses, bound = self.learn(crowd, split)
            assert (function.hash(crowd) == responses.bits(split)[bound.rows]).all()

    def test_counts_of_all_splits_equal_counting_the_bits(self, crowd):
        _, responses, bound = self.learn(crowd, all_splits(4)[0], reach=3.0)
        rng = np.random.default_rng(1)
        labels, weights = rng.integers(0, 5, bound.n_unique), rng.integers(0, 4, (bound.n_unique, 3))
        clustering = cluster_by_keys(labels, weights)
        rows = np.arange(bound.n_unique, dtype=np.int32)
        ones = responses.ones(all_splits(4), clustering, rows, weights)
        for number, split in enumerate(all_splits(4)):
            bits = responses.bits(split)
            for cluster in range(5):
                expected = (weights * (bits * (labels == cluster))[:, None]).sum(axis=0)
                assert ones[number, cluster].tolist() == expected.tolist()

    def test_a_point_without_similarity_to_any_reference_gets_zero(self, crowd):
        for split in all_splits(4):
            function, _, _ = self.learn(crowd, split, reach=3.0)
            assert function.hash(np.array([[100.0, 100.0]])).tolist() == [0]

    def test_a_bit_does_not_depend_on_the_other_points(self, crowd):
        function, _, _ = self.learn(crowd, np.array([0, 1, 1, 0], np.uint8))
        together = function.hash(crowd)
        assert (together[:7] == function.hash(crowd[:7])).all()
        assert (together == np.concatenate([function.hash(crowd[i : i + 1]) for i in range(len(crowd))])).all()

    def test_it_comes_back_from_its_numbers(self, crowd):
        function, _, _ = self.learn(crowd, np.array([0, 1, 1, 0], np.uint8))
        again = self.make_family().restore(function.references, function.split, function.kernel, "", function.parameters)
        assert (again.hash(crowd) == function.hash(crowd)).all()

    def test_it_comes_back_from_plain_arrays_and_json(self, crowd):
        """Several functions at once, through a family that is itself made from its stored settings."""
        family = self.make_family()
        functions = [self.learn(crowd, split)[0] for split in all_splits(4)]
        arrays = family.to_arrays(functions)
        assert all(array.dtype.kind in "biuf" for array in arrays.values())
        again = type(family).from_settings(json.loads(json.dumps(dict(family.settings))))
        stored = [SplitReferences(one.references, one.split, one.kernel, one.view) for one in functions]
        for one, same in zip(functions, again.from_arrays(arrays, stored), strict=True):
            assert (same.hash(crowd) == one.hash(crowd)).all()
        assert dict(again.settings) == dict(family.settings)

    def test_hashes_what_is_already_bound(self, crowd):
        function, _, bound = self.learn(crowd, np.array([0, 1, 1, 0], np.uint8))
        assert (function.hash(bound) == function.hash(crowd)).all()
