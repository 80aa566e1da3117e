"""Several views of the same candidates under one kernel."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from relhash.candidates import StructureSet
from relhash.errors import ParameterError
from relhash.kernels import PathKernel, nearest_of
from tests.kernels.random_paths import SIMILARITY, random_paths


class TestViews:
    def structures(self) -> StructureSet:
        return StructureSet(
            {"path": random_paths(40, 8, seed=10), "between": random_paths(40, 8, seed=11), "table": np.eye(40)}
        )

    @pytest.mark.parametrize("combine", ["sum", "product"])
    def test_combines_the_normalised_kernels(self, combine):
        X = self.structures()
        single = [PathKernel(SIMILARITY).gram(X[name], X[name][:5]).astype(float) for name in ("path", "between")]
        expected = (3 * single[0] + single[1]) / 4 if combine == "sum" else single[0] ** 0.75 * single[1] ** 0.25
        kernel = PathKernel(SIMILARITY, views={"path": 3.0, "between": 1.0}, combine=combine)
        assert_allclose(kernel.gram(X, X[:5]), expected, rtol=1e-6)
        bound = kernel.bind(X)
        references = bound.unique([0, 4, 8])
        assert_array_equal(bound.nearest(references), nearest_of(bound.similarities(references)))
        assert_allclose(kernel.gram(X, X).diagonal(), kernel.diagonal(X), rtol=1e-6)

    def test_one_view_by_name(self):
        X = self.structures()
        assert_array_equal(
            PathKernel(SIMILARITY, views="path").gram(X, X[:3]), PathKernel(SIMILARITY).gram(X["path"], X["path"][:3])
        )

    @pytest.mark.parametrize("views", [None, ["missing"], [], {"path": -1.0}, ["table"]])
    def test_unclear_views_are_refused(self, views):
        with pytest.raises(ParameterError, match="view"):
            PathKernel(SIMILARITY, views=views).bind(self.structures())
