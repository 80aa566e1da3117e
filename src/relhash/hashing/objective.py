"""Eq. 1 as a function of the split: what a bit would be worth, for any split of the references just drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.count_table import subset_sums
from relhash.hashing.information import bit_terms

if TYPE_CHECKING:
    from relhash.hashing.in_memory import Evaluation


@dataclass(frozen=True, slots=True)
class TermWeights:
    """How much each term of Eq. 1 counts: the paper's objective by default.

    >>> TermWeights(redundancy=0.0)(np.array([[1.5, 0.4, 0.0]]))
    array([1.5])
    """

    entropy: float = 1.0
    redundancy: float = 1.0
    labels: float = 0.0

    @property
    def are_equal(self) -> bool:
        """Whether entropy and redundancy count alike, as compiled searches take it."""
        return self.entropy == self.redundancy == 1.0

    def __call__(self, terms: NDArray[np.float64]) -> NDArray[np.float64]:
        """The objective of rows of H(x, c), I(c : c_prev) and H(y | c_prev, c)."""
        return np.asarray(self.entropy * terms[:, 0] - self.redundancy * terms[:, 1] - self.labels * terms[:, 2])


class SplitObjective:
    """``H(x, c) − I(c : c_prev) − weight · H(y | c_prev, c)``; H(x | c_prev) is left out, as no split changes it.

    Parameters
    ----------
    evaluation
        The counts that any split of the references gives, in the clusters that stand for c_prev.
    n_log_n
        :func:`relhash.hashing.information.n_log_n` up to the number of candidates.
    term_weights
        How much each term counts.
    """

    def __init__(self, evaluation: Evaluation, n_log_n: NDArray[np.float64], term_weights: TermWeights) -> None:
        self.evaluation, self.n_log_n, self.term_weights = evaluation, n_log_n, term_weights
        self.table, self.totals = evaluation.table, evaluation.clusters.totals

    @property
    def n_references(self) -> int:
        return self.evaluation.n_references

    def ones(self, splits: NDArray[np.uint8]) -> NDArray[np.int64]:
        """``(splits, clusters, kinds)``: candidates that would get a 1."""
        return self.evaluation.ones(splits) if self.table is None else subset_sums(splits, self.table)

    def terms(self, splits: NDArray[np.uint8]) -> NDArray[np.float64]:
        """H(x, c), I(c : c_prev) and H(y | c_prev, c) of each split."""
        return bit_terms(self.ones(splits), self.totals, self.n_log_n)

    def __call__(self, splits: NDArray[np.uint8]) -> NDArray[np.float64]:
        return self.term_weights(self.terms(splits))
