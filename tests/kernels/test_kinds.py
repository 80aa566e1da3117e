from __future__ import annotations

import pytest

from relhash.errors import ParameterError
from relhash.kernels import KERNELS, PathKernel, VectorKernel
from relhash.kernels.storage import named_kernel
from tests.kernels.jaccard_kernel import JaccardKernel


def test_names_are_metrics_or_kinds(monkeypatch):
    assert isinstance(named_kernel("path"), PathKernel)
    assert named_kernel("laplace").metric == "laplace"
    assert isinstance(named_kernel("vector"), VectorKernel)
    with pytest.raises(ParameterError, match=r"no kernel 'jaccard'; there are laplace, .*, path, vector"):
        named_kernel("jaccard")
    monkeypatch.setitem(KERNELS._parts, "jaccard", JaccardKernel)
    assert named_kernel("jaccard").power == 1.0
