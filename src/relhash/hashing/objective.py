"""Eq. 1 as a function of the split: what a bit would be worth, for any split of the references just drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.clusters import Clustering
from relhash.hashing.count_table import subset_sums
from relhash.hashing.functions import Responses
from relhash.hashing.information import bit_terms

__all__ = ["SplitObjective"]


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
    supervised_weight
        Weight of the label term.
    """

    def __init__(
        self,
        responses: Responses,
        code: Clustering,
        rows: NDArray[np.int32],
        weights: NDArray[np.int64],
        n_log_n: NDArray[np.float64],
        supervised_weight: float = 0.0,
    ) -> None:
        self.responses, self.code, self.rows, self.weights = responses, code, rows, weights
        self.n_log_n, self.supervised_weight = n_log_n, supervised_weight
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
        terms = self.terms(splits)
        return np.asarray(terms[:, 0] - terms[:, 1] - self.supervised_weight * terms[:, 2])
