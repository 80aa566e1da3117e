"""Networks as hash functions: the same contract as the other families, and what is their own."""

from __future__ import annotations

import pytest
from function_contract import HashFunctionContract

torch = pytest.importorskip("torch", reason="needs the extra neural")

from relhash.hashing.neural import NeuralFamily  # noqa: E402


class TestLstm(HashFunctionContract):
    """The opposite corners of a square (XOR) are more than what three or four paths ask of a network: longer training."""

    def make_family(self):
        return NeuralFamily("lstm", epochs=100, learning_rate=0.05, weight_decay=0.001)


class TestCnn(HashFunctionContract):
    def make_family(self):
        return NeuralFamily("cnn", epochs=100, learning_rate=0.05, weight_decay=0.001)


class TestMean(HashFunctionContract):
    def make_family(self):
        return NeuralFamily("mean", epochs=100, learning_rate=0.05, weight_decay=0.001)


class TestChosenByNetworks(HashFunctionContract):
    def make_family(self):
        return NeuralFamily("mean", choose="networks", epochs=100, learning_rate=0.05, weight_decay=0.001)
