"""Parameters and held-out scores of a baseline, both from folds of whole training documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError
from relhash.learning.folds import document_folds
from relhash.learning.metrics import average_precision

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
Setting = TypeVar("Setting")


@dataclass(frozen=True)
class HeldOut(Generic[Setting]):
    """The setting with the highest out-of-fold average precision, its out-of-fold scores, and what each setting reached."""

    setting: Setting
    scores: Floats
    average_precision: dict[Setting, float]


def best_held_out(
    settings: Sequence[Setting],
    scores_of: Callable[[Setting, Rows, Rows], Floats],
    y: NDArray[np.bool_],
    documents: NDArray[np.str_],
    *,
    n_folds: int = 3,
    random_state: int = 0,
) -> HeldOut[Setting]:
    """Try each setting on folds of documents; earlier ones win ties.

    Parameters
    ----------
    scores_of
        ``scores_of(setting, train, test)``: scores of the rows ``test`` by a model trained on the rows ``train``.

    >>> y, documents = np.arange(8) % 2 == 1, np.repeat(["a", "b", "c", "d"], 2)
    >>> best_held_out([-1.0, 1.0], lambda sign, train, test: sign * y[test], y, documents, n_folds=2).setting
    1.0
    """
    if not settings:
        raise ParameterError("at least one setting of the regularisation is needed")
    folds = document_folds(y, documents, n_folds, random_state)
    scores = {setting: np.full(y.size, y.mean()) for setting in settings}
    for train, test in folds:  # outside, so that what is prepared for a fold serves all settings
        for setting in settings:
            scores[setting][test] = scores_of(setting, train, test)
    reached = {setting: average_precision(y, own) for setting, own in scores.items()}
    best = max(settings, key=lambda setting: reached[setting])
    return HeldOut(best, scores[best], reached)
