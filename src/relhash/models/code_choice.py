"""Which hash functions suit the text: each kind offered makes its codes, and held-out training labels decide.

The paper chooses between nearest neighbours and maximum margin on 10 % of the training points, held out at random. The codes
themselves are learned without labels, so only the classifier that judges them has to leave those points out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from relhash.features import FeatureMap
from relhash.kernels import WordVectors
from relhash.learning.metrics import measure
from relhash.models.presets import Preset
from relhash.structures import StructureSet

__all__ = ["FittedFeatures", "fit_features"]

HELD_OUT = 0.1
FEWEST_HELD_OUT = 20
"""With fewer labels held out, or one class only among them, the first kind is taken: the choice would be a throw of dice."""


@dataclass(frozen=True, eq=False)
class FittedFeatures:
    """The preset with the choice made, its features, and their rows for both texts."""

    settings: Preset
    features: FeatureMap
    rows: sparse.csr_matrix
    target_rows: sparse.csr_matrix | None


def fit_features(
    preset: Preset,
    X: StructureSet,
    target: StructureSet | None,
    y: ArrayLike,
    *,
    vectors: WordVectors | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    callback: Callable[[Any], object] | None = None,
) -> FittedFeatures:
    """Fit the features of a preset; of several ``learner_choices`` those with the best held-out AUC.

    ``y`` holds True, False, or None for a candidate without a label.
    """
    choices: list[Mapping[str, Any]] = [dict(one) for one in preset.learner_choices] or [{}]
    labels = np.asarray(y, dtype=object)
    fit_rows, held_out = _held_out(labels, random_state) if len(choices) > 1 else (np.empty(0, int), np.empty(0, int))
    if not held_out.size:
        choices = choices[:1]
    best: FittedFeatures | None = None
    best_score = -np.inf
    for choice in choices:
        settled = replace(preset, learner={**preset.learner, **choice}, learner_choices=())
        code = None
        if settled.has_codes:
            code = settled.code.make(vectors=vectors, random_state=random_state, n_jobs=n_jobs, callback=callback)
        features = FeatureMap(settled.parts, code)
        rows, target_rows = features.fit_transform(X, target=target, y=labels)
        score = 0.0
        if len(choices) > 1:
            judge = settled.decision.classifiers[0].fit(
                rows[fit_rows],
                labels[fit_rows].astype(bool),
                columns=features.columns,
                random_state=random_state,
                n_jobs=n_jobs,
            )
            gold = labels[held_out].astype(bool)
            score = measure(gold, judge.scores(rows[held_out]), np.zeros(gold.size, bool)).auc
        if score > best_score:
            best, best_score = FittedFeatures(settled, features, rows, target_rows), score
    assert best is not None
    return best


def _held_out(labels: NDArray[np.object_], random_state: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows to fit the judge on, and a tenth of the labelled rows to judge by; none where they would say nothing."""
    labelled = np.flatnonzero([label is not None for label in labels])
    shuffled = np.random.default_rng(random_state).permutation(labelled)
    size = int(HELD_OUT * labelled.size)
    judged, fitted = shuffled[:size], shuffled[size:]
    mixed = all(0 < labels[rows].astype(bool).sum() < rows.size for rows in (judged, fitted))
    return (fitted, judged) if size >= FEWEST_HELD_OUT and mixed else (fitted, judged[:0])
