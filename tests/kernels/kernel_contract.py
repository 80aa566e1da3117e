"""What every kernel must do; a kernel's tests inherit it, and say how to make the kernel and some data.

Of use outside of this repository too: a package with a kernel of its own copies this file.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from relhash.hashing import HashcodeLearner
from relhash.kernels import Kernel
from relhash.kernels.storage import check_storable, kernels_from_arrays, kernels_to_arrays


class KernelContract:
    """``make_data`` gives at least 60 candidates, some of them equal, of the kind that the kernel compares."""

    def make_kernel(self) -> Kernel:
        raise NotImplementedError

    def make_data(self) -> Any:
        raise NotImplementedError

    @pytest.fixture(name="X")
    def data(self) -> Any:
        return self.make_data()

    @pytest.fixture
    def kernel(self, X: Any) -> Kernel:
        """Fixed to the data, if it has something to fix."""
        kernel = self.make_kernel()
        return kernel.fit(X) if kernel.needs_fit else kernel  # type: ignore[attr-defined]

    def test_equal_candidates_are_one_point(self, kernel, X):
        bound = kernel.bind(X)
        assert bound.rows.shape == (len(X),)
        assert bound.n_unique == bound.rows.max() + 1 < len(X)
        again = kernel.bind(bound.unique(bound.rows))
        assert_array_equal(again.similarities(X[:5])[again.rows], bound.similarities(X[:5])[bound.rows])

    def test_a_similarity_does_not_depend_on_other_candidates(self, kernel, X):
        whole = kernel.gram(X, X[:5])
        assert_array_equal(whole[7:19], kernel.gram(X[7:19], X[:5]))
        assert_array_equal(whole, np.concatenate([kernel.gram(X[i : i + 1], X[:5]) for i in range(len(X))]))
        assert_array_equal(whole[:, 2:3], kernel.gram(X, X[2:3]))

    def test_threads_change_nothing(self, kernel, X):
        one, three = (kernel.gram(X, X[:5], n_jobs=n_jobs) for n_jobs in (1, 3))
        assert_array_equal(one, three)

    def test_nearest_is_the_first_of_the_most_similar(self, kernel, X):
        bound = kernel.bind(X)
        references = bound.unique([3, 9, 14, 9])
        similarities = bound.similarities(references)
        nearest = bound.nearest(references)
        assert nearest.dtype == np.uint8
        assert_array_equal(nearest == 255, ~similarities.any(axis=1))
        near = nearest != 255
        best = similarities.max(axis=1)[near]
        assert_allclose(similarities[near, nearest[near]], best, rtol=1e-6)  # a kernel may compare in double precision
        assert 3 not in nearest  # the same as reference 1, which comes first

    def test_similarities_are_numbers(self, kernel, X):
        found = kernel.gram(X, X[:9])
        assert found.dtype == np.float32
        assert np.isfinite(found).all()

    def test_a_learner_hashes_with_it(self, X):
        learner = HashcodeLearner(8, kernel=self.make_kernel(), random_state=0).fit(X[:30], target=X[30:])
        bits = learner.transform(X)
        assert 0 < bits.mean() < 1
        assert_array_equal(bits[:7], learner.transform(X[:7]))

    def test_it_comes_back_from_plain_arrays_and_json(self, kernel, X):
        check_storable(self.make_kernel())
        arrays, notes = kernels_to_arrays({"view": [kernel]}, [])
        assert all(array.dtype.kind in "biuf" for array in arrays.values())
        ((again,),) = kernels_from_arrays(arrays, json.loads(json.dumps(notes, allow_nan=False)), None).values()
        assert type(again) is type(kernel)
        assert_array_equal(again.gram(X, X[:5]), kernel.gram(X, X[:5]))

    def test_a_code_comes_back_with_it(self, X):
        learner = HashcodeLearner(8, kernel=self.make_kernel(), random_state=0).fit(X)
        arrays, notes = kernels_to_arrays(learner.kernels_, [])
        again = HashcodeLearner.from_arrays(learner.to_arrays(), kernels_from_arrays(arrays, notes, None))
        assert_array_equal(again.codes(X), learner.codes(X))
