"""Vector kernels against scikit-learn, and independence of the batch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.metrics.pairwise import pairwise_kernels, polynomial_kernel

from relhash.errors import ParameterError
from relhash.kernels import VectorKernel

GENERATOR = np.random.default_rng(0)
X = GENERATOR.normal(size=(100, 7))
Y = GENERATOR.normal(size=(5, 7))
tables = hnp.arrays(np.float64, st.tuples(st.integers(1, 40), st.just(5)), elements=st.floats(-10, 10, width=32))


class TestAgainstScikitLearn:
    @pytest.mark.parametrize("metric", ["laplace", "rbf", "cosine", "linear"])
    def test_equals_it(self, metric):
        parameters = {"gamma": 0.3} if metric in ("laplace", "rbf") else {}
        expected = pairwise_kernels(X, Y, metric={"laplace": "laplacian"}.get(metric, metric), **parameters)
        kernel = VectorKernel(metric, **parameters)
        assert_allclose(kernel.gram(X, Y), expected, rtol=1e-5, atol=1e-6)

    def test_any_function_of_two_tables(self):
        kernel = VectorKernel(polynomial_kernel)
        assert_allclose(kernel.gram(X, Y), polynomial_kernel(X, Y), rtol=1e-5)


class TestIndependenceOfTheBatch:
    @given(tables, st.data(), st.sampled_from(["laplace", "rbf", "cosine", "linear", polynomial_kernel]))
    @settings(max_examples=60, deadline=None)
    def test_a_row_does_not_depend_on_the_others(self, points, data, metric):
        chosen = data.draw(st.lists(st.integers(0, len(points) - 1), min_size=1, max_size=4))
        kernel = VectorKernel(metric, gamma=0.1)
        references = points[: min(3, len(points))]
        whole, part = kernel.bind(points), kernel.bind(points[chosen])
        assert_array_equal(whole.similarities(references)[whole.rows][chosen], part.similarities(references)[part.rows])
        assert_array_equal(whole.nearest(references)[whole.rows][chosen], part.nearest(references)[part.rows])

    def test_threads(self):
        kernel = VectorKernel("rbf", gamma=0.2)
        assert_array_equal(kernel.gram(X, Y, n_jobs=1), kernel.gram(X, Y, n_jobs=3))


class TestFitting:
    def test_scales_make_the_units_of_a_column_irrelevant(self):
        other_units = X * np.array([1, 10, 100, 1e-3, 1, 1, 1])
        a = VectorKernel("laplace", scaling="standard").fit(X).gram(X, X[:3])
        b = VectorKernel("laplace", scaling="standard").fit(other_units).gram(other_units, other_units[:3])
        assert_allclose(a, b, rtol=1e-5)

    def test_constant_columns_and_equal_points_do_not_divide_by_zero(self):
        same = np.ones((4, 2))
        kernel = VectorKernel("rbf", scaling="standard").fit(same)
        assert_array_equal(kernel.gram(same, same[:1]), np.ones((4, 1)))

    def test_median_distance_has_similarity_one_over_e(self):
        line = np.array([[0.0], [1.0], [2.0]])
        assert VectorKernel("laplace").fit(line).gamma_ == 1.0

    def test_what_is_open_must_be_fitted(self):
        with pytest.raises(ParameterError, match=r"call fit\(X\)"):
            VectorKernel("rbf").gram(X, Y)
        assert VectorKernel("cosine").gram(X, Y).shape == (100, 5)

    def test_clone(self):
        kernel = clone(VectorKernel("laplace", gamma=0.5, scaling="standard"))
        assert (kernel.metric, kernel.gamma, kernel.scaling) == ("laplace", 0.5, "standard")


class TestBinding:
    def test_equal_rows_are_one_point(self):
        bound = VectorKernel("rbf", gamma=1.0).bind(X[[3, 5, 3]])
        assert bound.n_unique == 2
        assert_array_equal(bound.unique(bound.rows), X[[3, 5, 3]])

    def test_nearest(self):
        bound = VectorKernel("rbf", gamma=1.0).bind([[0.0], [1.0], [1e6]])
        assert_array_equal(bound.nearest([[0.9], [0.1], [0.1]])[bound.rows], [1, 0, 255])

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [({"metric": "cubic"}, "metric"), ({"gamma": -1.0}, "gamma"), ({"scaling": "robust"}, "scaling")],
    )
    def test_bad_parameters(self, parameters, message):
        with pytest.raises(ParameterError, match=message):
            VectorKernel(**parameters).bind(X)

    @pytest.mark.parametrize("data", [[1.0, 2.0], [[np.nan, 1.0]]])
    def test_bad_data(self, data):
        with pytest.raises(ParameterError):
            VectorKernel("cosine").bind(data)

    def test_columns_must_agree(self):
        with pytest.raises(ParameterError, match="columns"):
            VectorKernel("cosine").bind(X).similarities(Y[:, :3])
