"""Plain Python and compiled code give the same bits: which of them runs depends on how much there is to do."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.biomed.genes import chain
from relhash.candidates import PathSet
from relhash.compilation import after
from relhash.hashing import information, splits
from relhash.kernels import PathKernel, VectorKernel, WordSimilarity
from relhash.language import arc_eager, remembered_words
from relhash.learn import forest
from tests.kernels.random_paths import random_paths


def paths() -> list[np.ndarray]:
    kernel = PathKernel(WordSimilarity.from_vectors(), 4, 0.8)
    words = ["<P>", "binds", "binding", "inhibits", "to", "nsubj>", "phosphorylates", "receptor"]
    drawn = [random_paths(40, longest, seed=longest) for longest in (9, 70)]
    X, Y = (PathSet.from_sequences([[words[hash_of(t) % 8] for t in own] for own in each]) for each in drawn)
    return [kernel.gram(X, Y), kernel.gram(Y, X), kernel.bind(X).nearest(Y)]


def hash_of(token: str) -> int:
    return sum(map(ord, token))


def vectors() -> list[np.ndarray]:
    X = np.random.default_rng(1).normal(size=(30, 12))
    return [VectorKernel(metric, gamma=0.1).gram(X, X[:7]) for metric in ("laplace", "rbf", "linear", "cosine")]


def normalised() -> list[np.ndarray]:
    random = np.random.default_rng(2)
    given = [random.normal(size=shape).astype(np.float32) for shape in ((9, 32), (9, 96), (96,), (32,), (32,))]
    remembered_words._add_normalised(*given)
    return given[:1]


def parsed() -> list[np.ndarray]:
    random = np.random.default_rng(3)
    n, hidden, kinds = 25, 16, [0, 1, 2, 3, 4, 2, 3, 2, 3]
    seen = random.normal(size=(n + 1, arc_eager.N_WORDS, 2 * hidden)).astype(np.float32)
    bias, weights = (random.normal(size=shape).astype(np.float32) for shape in ((2 * hidden,), (hidden, 16)))
    offsets, moves = random.normal(size=16).astype(np.float32), np.array(kinds, np.int8)
    found = [np.empty(n, np.int32) for _ in range(3)]
    arc_eager._parse(seen, bias, 2, weights, offsets, moves, np.zeros(n, np.int8), *found)
    return found


def walked() -> list[np.ndarray]:
    from sklearn.ensemble import ExtraTreesClassifier

    X = np.random.default_rng(4).normal(size=(70, 5)).astype(np.float32)
    grown = ExtraTreesClassifier(20, random_state=0).fit(X, X[:, 0] + X[:, 1] > 0)
    return [forest.Trees.from_sklearn(grown).scores(X[:n]) for n in (70, 1)]


def chained() -> list[np.ndarray]:
    random = np.random.default_rng(5)
    scores, steps, begins, ends = (random.normal(size=shape) for shape in ((40, 5), (5, 5), (5,), (5,)))
    steps[0, 1] = -np.inf
    found = [np.empty_like(scores) for _ in range(3)]
    normaliser = chain.forward_backward(scores, steps, begins, ends, *found)
    return [*found, np.array(normaliser), chain.best_labels(scores, steps, begins, ends)]


def counted() -> list[np.ndarray]:
    random = np.random.default_rng(6)
    bits, weights = random.integers(0, 2, (9, 50)).astype(np.uint8), random.integers(0, 3, (50, 4))
    cells, totals = information._cells_of_bits(bits, np.array([2, 5]), weights)
    ones = information._count_ones(bits, np.arange(9), cells, weights, len(totals))
    near = random.integers(0, 4, 30).astype(np.uint8)
    near[:3] = 255
    table = splits.count_nearest(near, 4, random.integers(0, 30, 50).astype(np.int32), cells, weights, len(totals))
    sums = splits.subset_sums(random.integers(0, 2, (7, 4)).astype(np.uint8), table)
    return [cells, totals, ones, table, sums, information.bit_terms(ones, totals, information.n_log_n(400))]


@pytest.mark.parametrize("work", [paths, vectors, normalised, parsed, walked, chained, counted])
def test_the_same_bits(work):
    with after(float("inf")):
        plain = work()
    with after(0):
        compiled = work()
    for one, other in zip(plain, compiled, strict=True):
        np.testing.assert_array_equal(one, other)
