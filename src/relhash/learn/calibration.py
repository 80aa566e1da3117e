"""From a classifier's score to a probability one may show: fitted on out-of-fold scores, kept as plain arrays.

Isotonic regression where there are labels enough, Platt's sigmoid below that. The probability holds for text like the training
text; on text with another share of relations it is off by that shift, and nothing without labels can tell how much.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from relhash.codec import APART, InArrays
from relhash.errors import ModelFileError
from relhash.learn.classifier import both_classes

Floats = NDArray[np.float64]
ENOUGH_FOR_ISOTONIC = 50
"""Members of the rarer class from which isotonic regression is used: below, its steps follow single examples."""


@dataclass(frozen=True, eq=False)
class Calibration(InArrays):
    """A monotone map from score to probability: straight lines between knots, flat beyond the ends.

    >>> rng = np.random.default_rng(0)
    >>> scores = rng.uniform(size=4000)
    >>> y = rng.uniform(size=4000) < scores ** 2          # the score overstates the probability
    >>> Calibration.fit(scores, y).probabilities(np.array([.3, .9])).round(1)
    array([0.1, 0.8])
    """

    scores: Floats
    values: Floats
    kind: str = field(metadata=APART)

    @classmethod
    def fit(cls, scores: ArrayLike, y: ArrayLike, kind: str | None = None) -> Calibration:
        """Fit on scores of candidates that the classifier was not trained on; ``kind`` is ``"isotonic"`` or ``"platt"``."""
        labels, values = both_classes(y).astype(np.float64), np.asarray(scores, np.float64)
        if kind is None:
            rarer = min(labels.sum(), labels.size - labels.sum())
            kind = "isotonic" if rarer >= ENOUGH_FOR_ISOTONIC else "platt"
        knots, heights = _isotonic(values, labels) if kind == "isotonic" else _platt(values, labels)
        return cls(knots, heights, kind)

    @classmethod
    def line(cls, slope: float, offset: float) -> Calibration:
        """The map whose log-odds are ``slope`` · log-odds of the score + ``offset``.

        >>> Calibration.line(1.0, 0.0).probabilities([0.2, 0.5]).round(3)
        array([0.2, 0.5])
        """
        grid = special.expit(np.linspace(-9, 9, 721))
        return cls(grid, special.expit(slope * special.logit(grid) + offset), "platt")

    def probabilities(self, scores: ArrayLike) -> Floats:
        return np.interp(np.asarray(scores, np.float64), self.scores, self.values)

    def score_of(self, probability: float) -> float:
        """The lowest score whose probability is at least this; infinite when there is none."""
        if probability <= self.values[0]:
            return 0.0
        if probability > self.values[-1]:
            return float("inf")
        return float(np.interp(probability, self.values, self.scores))

    def moved_to(self, share: float, scores: ArrayLike) -> Calibration:
        """The same map with its odds multiplied, so that the mean probability of ``scores`` is ``share``.

        For labels that were picked, or text in which relations are more or less common: the scores of the text tell nothing of
        that; a person has to know the share.

        >>> even = Calibration(np.array([0.0, 1.0]), np.array([0.2, 0.8]), "platt")
        >>> round(float(even.moved_to(0.2, [0.0, 0.5, 1.0]).probabilities([0.0, 0.5, 1.0]).mean()), 3)
        0.2
        """
        values = np.asarray(scores, np.float64)
        odds = special.logit(np.clip(self.values, 1e-6, 1 - 1e-6))

        def moved(offset: float) -> Calibration:
            return Calibration(self.scores, special.expit(odds + offset), self.kind)

        if not values.size:
            return self
        wanted = min(max(share, 1e-4), 1 - 1e-4)
        from scipy import optimize  # not at the top: who only predicts does not wait for it

        offset = optimize.brentq(lambda offset: moved(offset).probabilities(values).mean() - wanted, -40, 40)
        return moved(float(offset))

    def verify(self) -> None:
        knots, heights = self.scores, self.values
        if knots.ndim != 1 or knots.size < 1 or knots.shape != heights.shape:
            raise ModelFileError("calibration: its arrays do not fit together")
        if not (np.diff(knots) > 0).all() or not (np.diff(heights) >= 0).all() or not (0 <= heights[0] <= heights[-1] <= 1):
            raise ModelFileError("calibration: not a monotone map to probabilities")


def _isotonic(scores: Floats, labels: Floats) -> tuple[Floats, Floats]:
    """Knots in the middle of the steps of isotonic regression, so that the map rises between steps instead of jumping.

    Each step is shrunk by one half example of each class, so no probability is exactly 0 or 1.
    """
    from sklearn.isotonic import isotonic_regression

    distinct, place = np.unique(scores, return_inverse=True)
    count = np.bincount(place, minlength=distinct.size).astype(np.float64)
    share = np.bincount(place, labels, distinct.size) / count
    fitted = np.asarray(isotonic_regression(share, sample_weight=count), np.float64)
    step = np.concatenate([[0], np.cumsum(np.diff(fitted) > 1e-12)])
    weight = np.bincount(step, count)
    middle = np.bincount(step, count * distinct) / weight
    height = (np.bincount(step, count * fitted) + 0.5) / (weight + 1)
    return middle, np.maximum.accumulate(height)


def _platt(scores: Floats, labels: Floats) -> tuple[Floats, Floats]:
    """Sigmoid of the score's log-odds with Platt's smoothed targets, as knots on a grid."""
    n_positive = labels.sum()
    n_negative = labels.size - n_positive
    target = np.where(labels > 0, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    x = _log_odds(scores)
    scale = float(x.std()) or 1.0
    centre = float(x.mean())
    z = (x - centre) / scale

    def loss(parameters: Floats) -> tuple[float, Floats]:
        margin = parameters[0] * z + parameters[1]
        error = special.expit(margin) - target
        value = float(np.sum(np.logaddexp(0, margin) - target * margin))
        return value, np.array([np.dot(error, z), error.sum()])

    from scipy import optimize

    found = optimize.minimize(loss, np.array([1.0, special.logit(target.mean())]), jac=True, method="L-BFGS-B").x
    slope = max(float(found[0]), 0.0)  # scores that rank backwards tell nothing: then everyone gets the same probability
    offset = float(found[1]) if slope > 0 else float(special.logit(target.mean()))
    grid = special.expit(np.linspace(-9, 9, 181))
    return grid, special.expit(slope * (_log_odds(grid) - centre) / scale + offset)


def _log_odds(scores: Floats) -> Floats:
    return np.asarray(special.logit(np.clip(scores, 1e-4, 1 - 1e-4)))
