"""Arrays, PathSets and StructureSets with kernels by name, as objects, or as functions."""

from __future__ import annotations

import pytest

from relhash.candidates import StructureSet
from relhash.errors import ParameterError
from tests.hashing.array_kernel import PlainKernel
from tests.hashing.short_fits import learn, path_kernel


def test_only_named_views_are_used(structures):
    learner = learn(structures, kernel={"path": path_kernel()}, views=["path"])
    alone = StructureSet({"path": structures["path"]})
    assert (learner.transform(alone) == learner.transform(structures)).all()


def test_names_callables_and_objects_as_kernels(plane):
    def cosine(X, references):
        return X @ references.T

    for kernel in ("rbf", "laplace", "cosine", "linear", cosine, PlainKernel()):
        assert learn(plane[0], kernel=kernel).transform(plane[1]).shape == (120, 24)


def test_data_of_the_wrong_kind_is_explained(plane, paths, structures):
    with pytest.raises(ParameterError, match="target must be a ndarray"):
        learn(plane[0], paths)
    with pytest.raises(ParameterError, match="PathKernel"):
        learn(paths, kernel="rbf")
    with pytest.raises(ParameterError, match=r"not a PathSet; use a PathKernel, or write a kernel \(relhash"):
        learn(paths, kernel=max)
    with pytest.raises(ParameterError, match="no kernel 'cubic'; there are laplace, rbf"):
        learn(plane[0], kernel="cubic")
    with pytest.raises(ParameterError, match="no entry for view 'between'"):
        learn(structures, kernel={"path": path_kernel()})
    with pytest.raises(ParameterError, match="pass a StructureSet"):
        learn(structures, kernel={"path": path_kernel()}, views=["path"]).transform(paths)
