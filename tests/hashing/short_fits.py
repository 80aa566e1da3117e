"""Learners that are fitted in a moment."""

from __future__ import annotations

from relhash.hashing import HashcodeLearner
from relhash.kernels import PathKernel, WordSimilarity


def path_kernel(**parameters):
    return PathKernel(WordSimilarity(), **parameters)


def learn(X, target=None, y=None, **parameters):
    defaults = {"n_bits": 24, "n_cluster_bits": 5, "random_state": 0}
    return HashcodeLearner(**(defaults | parameters)).fit(X, y, target=target)
