"""The supervised ancestor, KLSH-RF (Garg et al. 2019, AAAI): labels choose the shared references and the kernel.

All functions draw their references from one set of M structures; which of these a function takes and how it splits them is
left to chance. What is optimised, greedily and with labels, is the shared set and the kernel's parameters, by the mutual
information
``I(C : y) = H(C) − H(C | y)`` between the labels and the bits of a few random functions. Both entropies are estimated as
``Σ H(c_i) − TC`` (:mod:`relhash.hashing.information`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from relhash.blas import one_blas_thread
from relhash.errors import ParameterError
from relhash.hashing.algorithm import require
from relhash.hashing.functions import HashFunction
from relhash.hashing.information import code_entropy
from relhash.hashing.learner import CodeTransformer
from relhash.hashing.nearest import NearestFamily, NearestFunction, side_of_nearest
from relhash.hashing.splits import random_split
from relhash.hashing.storage import gather_references
from relhash.hashing.table import data_of_view, kernels_by_view, view_names
from relhash.hashing.trace import SharedReference
from relhash.kernels.bound import BoundKernel, Kernel, nearest_of

COMPARED_AT = 16
"""Kernels are compared by the mean I(C : y) while a set of so many references is filled; only the best fills the whole set."""


class SupervisedHashcodeLearner(CodeTransformer, BaseEstimator):
    """Random nearest-neighbour hash functions over a reference set that was optimised with labels.

    Parameters
    ----------
    n_bits
        H: number of hash functions.
    n_references
        α: references of each function.
    n_shared
        M: size of the shared reference set of each view.
    n_candidates
        Structures that compete for each place in the shared set; 1 makes the set random.
    n_trial_bits
        Random functions on which a candidate is judged.
    n_factors
        Latent factors of the entropy estimate.
    max_points
        Labelled candidates used to judge, at most.
    kernel
        As for :class:`~relhash.hashing.learner.HashcodeLearner`; of a list each view takes the best for the labels.
    views
        The views of a StructureSet to use; None: all. They share the functions evenly.
    callback
        Called with a :class:`~relhash.hashing.SharedReference` after each reference was chosen.
    random_state
        Seed.
    n_jobs
        Threads of the kernels.

    Attributes
    ----------
    functions_
        The hash functions.
    kernels_
        The chosen kernel of each view.
    information_
        I(C : y) in nats after each place was filled, by view.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 2))
    >>> learner = SupervisedHashcodeLearner(n_bits=20, n_shared=8, random_state=0).fit(X, X[:, 0] > 0)
    >>> learner.transform(X).shape
    (200, 20)
    """

    def __init__(
        self,
        n_bits: int = 1000,
        *,
        n_references: int = 4,
        n_shared: int = 50,
        n_candidates: int = 5,
        n_trial_bits: int = 30,
        n_factors: int = 4,
        max_points: int = 1000,
        kernel: Any = None,
        views: Sequence[str] | None = None,
        callback: Callable[[SharedReference], object] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_bits = n_bits
        self.n_references = n_references
        self.n_shared = n_shared
        self.n_candidates = n_candidates
        self.n_trial_bits = n_trial_bits
        self.n_factors = n_factors
        self.max_points = max_points
        self.kernel = kernel
        self.views = views
        self.callback = callback
        self.random_state = random_state
        self.n_jobs = n_jobs

    @one_blas_thread()
    def fit(self, X: Any, y: ArrayLike) -> SupervisedHashcodeLearner:
        """Choose kernel and shared references by the labels ``y`` (None or NaN: no label), then draw the functions."""
        require(self.n_bits >= 1, "n_bits", self.n_bits, "at least 1")
        require(1 <= self.n_references <= 254, "n_references", self.n_references, "from 1 to 254")
        require(self.n_shared >= self.n_references, "n_shared", self.n_shared, "at least n_references")
        for name in ("n_candidates", "n_trial_bits", "n_factors"):
            require(getattr(self, name) >= 1, name, getattr(self, name), "at least 1")
        if y is None:
            raise ParameterError("SupervisedHashcodeLearner requires y to be passed, but the target y is None")
        X = self._validated(X, reset=True)
        classes, n_classes = _numbered(y, len(X))
        seed = np.random.SeedSequence(int(check_random_state(self.random_state).randint(2**31 - 1)))
        offered = kernels_by_view(self.kernel, X, view_names(X, self.views))
        chosen: dict[str, tuple[Kernel, ...]] = {}
        information: dict[str, list[float]] = {}
        functions: list[HashFunction] = []
        compared_at = min(COMPARED_AT, self.n_shared)
        n_compared = sum(len(kernels) for kernels in offered.values() if len(kernels) > 1)
        reporter = _Reporter(self.callback, len(offered) * self.n_shared + n_compared * compared_at)
        shares = np.diff(np.linspace(0, self.n_bits, len(offered) + 1).astype(int)).tolist()
        for (view, kernels), n_functions, child in zip(offered.items(), shares, seed.spawn(len(offered)), strict=True):
            bounds = [kernel.bind(data_of_view(X, view), n_jobs=self.n_jobs) for kernel in kernels]
            # the same random numbers for all: kernels differ in nothing else
            searches = [_SharedReferences(self, one, classes, n_classes, np.random.default_rng(child)) for one in bounds]
            best = 0
            if len(kernels) > 1:
                compared = [one.fill(reporter.next_search(view, n), compared_at)[1] for n, one in enumerate(searches)]
                best = int(np.argmax(np.mean(compared, axis=1)))
                searches[best] = _SharedReferences(self, bounds[best], classes, n_classes, np.random.default_rng(child))
            kernel, bound = kernels[best], bounds[best]
            ids, gains = searches[best].fill(reporter.next_search(view, best), self.n_shared)
            chosen[view], information[view] = (kernel,), gains
            rng = np.random.default_rng(child.spawn(1)[0])
            functions += [self._draw(bound, ids, kernel, view, rng) for _ in range(n_functions)]
        gather_references(functions)
        self.functions_, self.kernels_, self.information_ = functions, chosen, information
        self.family_ = NearestFamily()
        return self

    def fit_hash(self, X: Any, y: ArrayLike, *, target: Any = None) -> tuple[Any, Any]:
        """:meth:`fit`, then :meth:`transform` of both sets (None without a target, which is hashed but not learned from)."""
        self.fit(X, y)
        return self.transform(X), None if target is None else self.transform(target)

    def _draw(
        self, bound: BoundKernel, ids: NDArray[np.int64], kernel: Kernel, view: str, rng: np.random.Generator
    ) -> HashFunction:
        chosen = rng.choice(ids, min(self.n_references, ids.size), replace=False)
        return NearestFunction(bound.unique(chosen), random_split(chosen.size, rng), kernel, view)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []  # bits, whatever the type of the data
        tags.target_tags.required = True
        return tags


def _numbered(y: Any, n_candidates: int) -> tuple[NDArray[np.int64], int]:
    """The class of each candidate as a number, -1 without a label (None or NaN), and how many classes there are."""
    values = np.asarray(y, dtype=object)
    if values.size != n_candidates:
        raise ParameterError(f"y has {values.size} labels for {n_candidates} candidates")
    labelled = [number for number, value in enumerate(values) if value is not None and value == value]  # NaN is not itself
    names, numbers = np.unique(np.array([values[number] for number in labelled]), return_inverse=True)
    classes = np.full(n_candidates, -1, np.int64)
    classes[labelled] = numbers
    return classes, int(names.size)


@one_blas_thread()
def information_about_labels(bits: NDArray[np.uint8], classes: NDArray[np.int64], n_classes: int, n_factors: int = 4) -> float:
    """``I(C : y) = H(C) − Σ_y p(y) H(C | y)`` of bits (functions × points), estimated by latent factors; at least 0.

    >>> y = np.arange(400) % 2
    >>> round(information_about_labels(np.stack([y, y]).astype(np.uint8), y, 2), 2)   # the bits are the label
    0.69
    """
    within = 0.0
    for label in range(n_classes):
        members = classes == label
        if members.any():
            within += members.mean() * code_entropy(bits[:, members], n_factors=n_factors)
    return max(0.0, code_entropy(bits, n_factors=n_factors) - float(within))


class _Reporter:
    """Tells the callback how far the searches are, one after the other."""

    def __init__(self, callback: Callable[[SharedReference], object] | None, wanted: int) -> None:
        self.callback, self.wanted, self.done, self.since = callback, wanted, 0, time.perf_counter()

    def next_search(self, view: str, kernel: int) -> Callable[[int, float], None]:
        """What to call with the size of the set and I(C : y), whenever references have joined it."""
        before = self.done

        def report(n_references: int, objective: float) -> None:
            self.done = before + n_references
            if self.callback is not None:
                seconds, self.since = time.perf_counter() - self.since, time.perf_counter()
                self.callback(SharedReference(n_references, view, kernel, objective, self.done, self.wanted, seconds))

        return report


class _SharedReferences:
    """The greedy search for a shared reference set, on the structures of labelled candidates."""

    def __init__(
        self,
        learner: SupervisedHashcodeLearner,
        bound: BoundKernel,
        classes: NDArray[np.int64],
        n_classes: int,
        rng: np.random.Generator,
    ) -> None:
        self.learner, self.bound, self.n_classes, self.rng = learner, bound, n_classes, rng
        labelled = np.flatnonzero(classes >= 0)
        if not labelled.size:
            raise ParameterError("SupervisedHashcodeLearner: no candidate has a label")
        self.distinct = np.unique(bound.rows[labelled]).astype(np.int64)
        judges = rng.choice(labelled, min(learner.max_points, labelled.size), replace=False)
        self.rows, self.classes = bound.rows[judges], classes[judges]

    def fill(self, report: Callable[[int, float], None], size: int) -> tuple[NDArray[np.int64], list[float]]:
        """``size`` shared references, and I(C : y) after each was added."""
        learner, rng = self.learner, self.rng
        order = rng.permutation(self.distinct)
        chosen = order[: learner.n_references].tolist()
        similarities = self._similarities(order[: learner.n_references])
        bits = np.stack([self._random_bit(similarities) for _ in range(learner.n_trial_bits)])
        gains = [information_about_labels(bits, self.classes, self.n_classes, learner.n_factors)]
        report(len(chosen), gains[-1])
        while len(chosen) < min(size, order.size):
            left = np.setdiff1d(self.distinct, chosen, assume_unique=True)
            rivals = rng.choice(left, min(learner.n_candidates, left.size), replace=False)
            columns = self._similarities(rivals)
            subsets = [rng.choice(len(chosen), learner.n_references - 1, replace=False) for _ in range(learner.n_trial_bits)]
            splits = [random_split(learner.n_references, rng) for _ in subsets]
            values = [self._judge(similarities, columns[:, rival], subsets, splits) for rival in range(rivals.size)]
            best = int(np.argmax(values))
            chosen.append(int(rivals[best]))
            similarities = np.column_stack([similarities, columns[:, best]])
            gains.append(values[best])
            report(len(chosen), gains[-1])
        return np.array(chosen, np.int64), gains

    def _similarities(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        return self.bound.similarities(self.bound.unique(ids))[self.rows]

    def _judge(
        self,
        similarities: NDArray[np.float32],
        rival: NDArray[np.float32],
        subsets: list[NDArray[np.int64]],
        splits: list[NDArray[np.uint8]],
    ) -> float:
        """I(C : y) of random functions that all have the rival among their references."""
        bits = np.stack(
            [
                side_of_nearest(nearest_of(np.column_stack([similarities[:, subset], rival])), split)
                for subset, split in zip(subsets, splits, strict=True)
            ]
        )
        return information_about_labels(bits, self.classes, self.n_classes, self.learner.n_factors)

    def _random_bit(self, similarities: NDArray[np.float32]) -> NDArray[np.uint8]:
        return side_of_nearest(nearest_of(similarities), random_split(similarities.shape[1], self.rng))
