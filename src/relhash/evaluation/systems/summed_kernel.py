"""The summed kernel of several views, as features: Nyström's, and the kernel itself for a support vector machine.

The rivals that use them (:mod:`relhash.evaluation.systems.kernel_machines`) get the same views, words and target text as the
hashcodes, so that a difference is due to the method.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.features.coordinates import inverse_root
from relhash.learning.classifier import both_classes
from relhash.structures import StructureSet

Floats = NDArray[np.float64]


def fitted_kernels(kernels: Mapping[str, Any], X: StructureSet) -> dict[str, Any]:
    """The kernels with what is chosen from data (scales, γ) fixed on ``X``."""
    return {view: copy(kernel).fit(X[view]) if kernel.needs_fit else kernel for view, kernel in kernels.items()}


def summed_kernel(
    kernels: Mapping[str, Any], X: StructureSet, references: StructureSet, n_jobs: int | None = None
) -> NDArray[np.float32]:
    """Mean over the views of the normalised kernels of ``X`` (rows) and ``references`` (columns)."""
    total = np.zeros((len(X), len(references)), np.float32)
    for view, kernel in kernels.items():
        total += kernel.gram(X[view], references[view], n_jobs=n_jobs)
    return total / np.float32(len(kernels))


class Nystroem:
    """Coordinates in kernel space spanned by references drawn from both texts."""

    def __init__(self, kernels: Mapping[str, Any], n_references: int = 400, random_state: int = 0, n_jobs: int | None = None):
        self.kernels, self.n_references, self.random_state, self.n_jobs = kernels, n_references, random_state, n_jobs

    def fit(self, X: StructureSet) -> Self:
        """``X`` holds the candidates from which references are drawn."""
        rng = np.random.default_rng(self.random_state)
        self.kernels_ = fitted_kernels(self.kernels, X)
        self.references_ = X[np.sort(rng.choice(len(X), min(self.n_references, len(X)), replace=False))]
        gram = summed_kernel(self.kernels_, self.references_, self.references_, self.n_jobs)
        # equal references and a word kernel that is not quite definite give values near 0
        self.map_: Floats = inverse_root(gram, 1e-6)
        return self

    def transform(self, X: StructureSet) -> Floats:
        return summed_kernel(self.kernels_, X, self.references_, self.n_jobs).astype(np.float64) @ self.map_


class KernelMachine:
    """Support vector machine on a precomputed kernel; a classifier whose features are kernel values to the labelled candidates.

    ``fit(K, y)`` takes the square kernel of the labelled candidates, ``scores(K)`` the kernel of others with them.
    """

    kind: ClassVar[str] = "kernel-machine"

    def __init__(self, C: float = 1.0) -> None:
        self.C = C

    def fit(self, K: NDArray[Any], y: ArrayLike) -> Self:
        from sklearn.svm import SVC

        self._machine = SVC(C=self.C, kernel="precomputed", class_weight="balanced", cache_size=500)
        self._machine.fit(np.asarray(K, np.float64), both_classes(y))
        return self

    def scores(self, K: NDArray[Any]) -> Floats:
        """The decision value, squeezed into the unit interval so that it reads like the other scores."""
        from scipy.special import expit

        squeezed: Floats = expit(2 * self._machine.decision_function(np.asarray(K, np.float64)))
        return squeezed
