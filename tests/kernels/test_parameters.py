"""Parameters without scikit-learn: what its own base class does with the same class."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.base import BaseEstimator, clone

from relhash.errors import ParameterError
from relhash.kernels import PathKernel, VectorKernel, WordSimilarity
from relhash.kernels.bound import Parameters


class Inner(Parameters):
    def __init__(self, threshold: float = 0.5) -> None:
        self.threshold = threshold


class Outer(Parameters):
    def __init__(self, similarity: Any = None, length: int = 3) -> None:
        self.similarity, self.length = similarity, length


class Theirs(BaseEstimator):
    def __init__(self, similarity: Any = None, length: int = 3) -> None:
        self.similarity, self.length = similarity, length


@pytest.mark.parametrize("deep", [True, False])
def test_parameters_are_those_of_scikit_learn(deep):
    given = {"similarity": Inner(0.1), "length": 5}
    assert Outer(**given).get_params(deep) == Theirs(**given).get_params(deep)


def test_nested_parameters_are_set():
    outer = Outer(Inner()).set_params(similarity__threshold=0.9, length=7)
    assert (outer.similarity.threshold, outer.length) == (0.9, 7)


def test_unknown_parameters_are_refused():
    with pytest.raises(ParameterError, match="Outer has no parameter 'lenght'; it has length, similarity"):
        Outer().set_params(lenght=1)


def test_clones_are_new_and_equal():
    outer = Outer(Inner(0.2), 4)
    again = clone(outer)
    assert again is not outer
    assert again.similarity is not outer.similarity
    assert (again.length, again.similarity.threshold) == (4, 0.2)


def test_a_repr_tells_what_was_chosen():
    assert repr(VectorKernel("laplace", gamma=0.5)) == "VectorKernel(gamma=0.5, metric='laplace')"
    assert repr(PathKernel(max_length=2)) == "PathKernel(max_length=2)"
    assert "similarity=" in repr(PathKernel(WordSimilarity()))
