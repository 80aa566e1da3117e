from __future__ import annotations

import numpy as np

from relhash.hashing import BalancedMarginFamily, HashcodeLearner, MarginFamily
from tests.hashing.array_kernel import PlainKernel
from tests.hashing.function_contract import HashFunctionContract


class TestMargin(HashFunctionContract):
    def make_family(self):
        return MarginFamily()


def test_references_that_are_the_same_to_the_kernel_are_dropped():
    X = np.array([[0.0, 0.0], [0.0, 1e-6], [3.0, 0.0], [5.0, 5.0]])
    bound = PlainKernel().bind(X)
    responses = MarginFamily().respond(bound, np.arange(4))
    assert responses.ids.tolist() == [0, 2, 3]


def test_the_usual_ridge_is_that_of_the_learner():
    assert MarginFamily().ridge == BalancedMarginFamily().ridge == HashcodeLearner().ridge
