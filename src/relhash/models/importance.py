"""How much each training candidate looks like the text to be read: weights from a train-vs-target classifier.

Covariate shift, the oldest way: a classifier learns to tell training from target candidates by their features; the odds it
gives to "target" are the ratio of the densities. Odds are taken out of fold (a classifier that has memorised a candidate knows
where it comes from), damped and clipped, because a few huge weights cost more than they give.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from relhash.models.classifier import LinearClassifier
from relhash.models.selection import document_folds, out_of_fold

__all__ = ["importance_weights"]


def importance_weights(
    X: Any,
    target: Any,
    documents: ArrayLike,
    target_documents: ArrayLike,
    *,
    C: float = 0.01,
    power: float = 0.5,
    largest: float = 5.0,
    n_folds: int = 3,
) -> NDArray[np.float64]:
    """One weight a training candidate, with mean 1.

    Parameters
    ----------
    X, target
        Features of the training and of the target candidates (sparse or dense).
    documents, target_documents
        Document of each, for the folds.
    power
        Damping: weights are odds to this power; 0 gives all ones.
    largest
        Weights are kept between ``1 / largest`` and ``largest`` before they are scaled to mean 1.
    """
    both = sparse.vstack([sparse.csr_matrix(X, dtype=np.float64), sparse.csr_matrix(target, dtype=np.float64)], format="csr")
    n, n_target = X.shape[0], target.shape[0]
    is_target = np.repeat([0, 1], [n, n_target])
    groups = np.concatenate(
        [np.char.add("train ", np.asarray(documents, str)), np.char.add("target ", np.asarray(target_documents, str))]
    )
    folds = document_folds(is_target, groups, n_folds)
    probability = out_of_fold(lambda: LinearClassifier(C), both, is_target, folds)[:n]
    odds = probability / (1 - probability)  # of classes made equally frequent: the ratio of the densities as it stands
    weights = np.clip(odds**power, 1 / largest, largest)
    return weights / weights.mean()
