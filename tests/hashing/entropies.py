"""Entropies by their formulas: the reference of the compiled terms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.information import entropy


def conditional_entropy(counts: NDArray[Any]) -> float:
    """H(column | row) of a two-dimensional table of counts."""
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum()
    return float((counts.sum(axis=1) * entropy(counts)).sum() / total) if total > 0 else 0.0


def mutual_information(counts: NDArray[Any]) -> float:
    """I(row : column) of a two-dimensional table of counts; never negative."""
    return max(0.0, float(entropy(np.sum(counts, axis=0))) - conditional_entropy(counts))
