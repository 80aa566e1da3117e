"""Eq. 1 as a function of the split: what a bit would be worth, for any split of the references just drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.clusters import Clustering
from relhash.hashing.count_table import subset_sums
from relhash.hashing.functions import Responses
from relhash.hashing.information import bit_terms

__all__ = ["SplitObjective", "TermWeights"]


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
    responses
        How the structures respond to the references.
    code
        The clustering that stands for c_prev.
    rows
        The structure of each point.
    weights
        ``(points, kinds)``: candidates of each kind a point stands for.
    n_log_n
        :func:`relhash.hashing.information.n_log_n` up to the number of candidates.
    term_weights
        How much each term counts.
    """

    def __init__(
        self,
        responses: Responses,
        code: Clustering,
        rows: NDArray[np.int32],
        weights: NDArray[np.int64],
        n_log_n: NDArray[np.float64],
        term_weights: TermWeights,
    ) -> None:
        self.responses, self.code, self.rows, self.weights = responses, code, rows, weights
        self.n_log_n, self.term_weights = n_log_n, term_weights
        self.table = responses.table(code, rows, weights)

    @property
    def n_references(self) -> int:
        return self.responses.n_references

    def terms(self, splits: NDArray[np.uint8]) -> NDArray[np.float64]:
        """H(x, c), I(c : c_prev) and H(y | c_prev, c) of each split."""
        if self.table is not None:
            ones = subset_sums(splits, self.table)
        else:
            ones = self.responses.ones(splits, self.code, self.rows, self.weights)
        return bit_terms(ones, self.code.totals, self.n_log_n)

    def __call__(self, splits: NDArray[np.uint8]) -> NDArray[np.float64]:
        return self.term_weights(self.terms(splits))
