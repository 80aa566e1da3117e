"""Threshold rules that are compared on sheets of picked labels: what each accepts of the text that was never labelled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from relhash.learning.blend import HEARD, choose_weight
from relhash.learning.calibration import Calibration
from relhash.learning.classifier import to_log_odds
from relhash.learning.threshold import USUAL_SHARE, choose_threshold
from relhash.learning.threshold_rules import score_at_fraction

Floats = NDArray[np.float64]
Decided = tuple[Floats, NDArray[np.bool_]]
"""Scores, and which candidates are accepted."""
Rule = Callable[["Sheet"], Decided | None]

PRIOR_WEIGHT = 0.6
"""Of the prior's log-odds in the average with the sheet's own, both of unit spread."""


@dataclass(frozen=True, eq=False)
class PriorView:
    """What a prior model says of the text: scores, and calibrated probabilities; and scores of what sheets are drawn from."""

    scores: Floats
    probabilities: Floats
    of_source: Floats


@dataclass(frozen=True, eq=False)
class Sheet:
    """Labels of a sheet, their held-out scores, and the scores of the text; what is known beside the sheet, if anything.

    ``rows`` are the places of the labels in what the sheet was drawn from.
    """

    y: NDArray[np.bool_]
    held_out: Floats
    scores: Floats
    prior: PriorView | None = None
    true_share: float | None = None
    rows: NDArray[np.int64] | None = None

    @property
    def calibration(self) -> Calibration:
        return Calibration.fit(self.held_out, self.y)


def expected_f1_share(probabilities: Floats) -> float:
    """The share whose acceptance, from the highest probability down, has the highest expected F1.

    >>> expected_f1_share(np.array([0.9, 0.8, 0.1, 0.0]))
    0.5
    """
    ordered = np.sort(probabilities)[::-1]
    accepted = np.arange(1, ordered.size + 1)
    return float(np.argmax(2 * np.cumsum(ordered) / (accepted + ordered.sum())) + 1) / ordered.size


def with_prior(scores: Floats, prior: Floats, weight: float = PRIOR_WEIGHT) -> Floats:
    """The weighted mean of both log-odds, each of unit spread."""

    def unit(values: Floats) -> Floats:
        odds = np.asarray(special.logit(np.clip(values, 1e-4, 1 - 1e-4)))
        return odds / (odds.std() or 1.0)

    return np.asarray(special.expit((1 - weight) * unit(scores) + weight * unit(prior)))


def _fraction(sheet: Sheet) -> Decided:
    return sheet.scores, choose_threshold("fraction", sheet.y, sheet.held_out, target=sheet.scores).labels(sheet.scores)


def _half(sheet: Sheet) -> Decided:
    return sheet.scores, sheet.calibration.probabilities(sheet.scores) >= 0.5


def _half_corrected(sheet: Sheet) -> Decided:
    moved = sheet.calibration.moved_to(USUAL_SHARE, sheet.scores)
    return sheet.scores, moved.probabilities(sheet.scores) >= 0.5


def _expected_f1(sheet: Sheet) -> Decided:
    return _share(sheet.scores, expected_f1_share(sheet.calibration.probabilities(sheet.scores)))


def _shrunk(sheet: Sheet) -> Decided:
    fraction = choose_threshold("fraction", sheet.y, sheet.held_out).fraction
    return _share(sheet.scores, (USUAL_SHARE + (fraction or 0.0)) / 2)


def _usual(sheet: Sheet) -> Decided:
    threshold = choose_threshold("fraction", sheet.y, sheet.held_out, target=sheet.scores, picked=True)
    return sheet.scores, threshold.labels(sheet.scores)


def _known(sheet: Sheet) -> Decided | None:
    return None if sheet.true_share is None else _share(sheet.scores, sheet.true_share)


def _prior_share(sheet: Sheet) -> Decided | None:
    return None if sheet.prior is None else _share(sheet.scores, float(sheet.prior.probabilities.mean()))


def _prior_scores(sheet: Sheet) -> Decided | None:
    return None if sheet.prior is None else _share(with_prior(sheet.scores, sheet.prior.scores), USUAL_SHARE)


def _prior_both(sheet: Sheet) -> Decided | None:
    if sheet.prior is None:
        return None
    return _share(with_prior(sheet.scores, sheet.prior.scores), float(sheet.prior.probabilities.mean()))


def _prior_weighed(sheet: Sheet) -> Decided | None:
    """As a fit does it: the weight by the sheet's held-out labels, the share by the prior unless these switch it off."""
    if sheet.prior is None or sheet.rows is None or np.isnan(sheet.held_out).any():
        return None
    there, source = to_log_odds(sheet.prior.scores), to_log_odds(sheet.prior.of_source[sheet.rows])
    votes, of_sheet = ((odds - there.mean()) / (there.std() or 1.0) for odds in (there, source))
    own = to_log_odds(sheet.held_out)
    spread = float(own.std()) or 1.0
    weight = choose_weight(sheet.y, own / spread, of_sheet)
    scores = np.asarray(special.expit(weight * votes + (1 - weight) * to_log_odds(sheet.scores) / spread))
    return _share(scores, float(sheet.prior.probabilities.mean()) if weight >= HEARD else USUAL_SHARE)


def _prior_alone(sheet: Sheet) -> Decided | None:
    if sheet.prior is None:
        return None
    return _share(sheet.prior.scores, float(sheet.prior.probabilities.mean()))


def _share(scores: Floats, share: float) -> Decided:
    return scores, scores >= score_at_fraction(scores, share)


RULES: Mapping[str, Rule] = {
    "fraction of the sheet": _fraction,
    "probability .5": _half,
    f"probability .5 moved to {USUAL_SHARE}": _half_corrected,
    "expected F1": _expected_f1,
    f"fraction and {USUAL_SHARE}, mean": _shrunk,
    f"share {USUAL_SHARE} (default without a prior)": _usual,
    "share known (--expect)": _known,
    "prior's share": _prior_share,
    f"prior's scores, share {USUAL_SHARE}": _prior_scores,
    "prior's scores and share": _prior_both,
    "prior weighed by the sheet (default)": _prior_weighed,
    "prior alone": _prior_alone,
}
"""By their names in the table; those with a prior are left out where there is none."""
