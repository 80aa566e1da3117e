"""Rules that put a threshold, by name: what each looks at, and the score that it chooses.

``fraction`` (the default) accepts the share that is best on the training side; ``share:0.2`` that share of all candidates;
``prior`` the training share of positives; ``top-k:100`` so many. ``fixed:0.5`` is a calibrated probability, ``score:0.5`` the
classifier's own score (the paper's forest). ``precision:0.8`` takes the lowest score that is that precise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from relhash.learning.calibration import Calibration
from relhash.learning.metrics import precision_recall_curve
from relhash.registry import Registry

Floats = NDArray[np.float64]

ANYWHERE, AT_MOST_TIMES = 0.3, 1.5
"""Without a target, the share of the training side that is accepted at least, up to so many times the fraction."""
PLATEAU = 0.01
"""How far below the best F1 on the training side a share may lie and still count as good."""


@dataclass(frozen=True, eq=False)
class Scored:
    """What a rule may look at.

    Attributes
    ----------
    gold, held_out
        Labels of the training candidates, and the scores that they got while their document was held out.
    target
        Scores of the (unlabelled) candidates of the text to adapt to, if there is such a text.
    calibration
        The map to probabilities; without one, scores are probabilities.
    """

    gold: NDArray[np.bool_]
    held_out: Floats
    target: Floats | None = None
    calibration: Calibration | None = None


class Put(NamedTuple):
    """Where a rule puts the threshold; see :class:`~relhash.learning.threshold.Threshold`."""

    score: float
    fraction: float | None = None
    basis: str = "none"


@dataclass(frozen=True)
class ThresholdRule:
    """A rule: ``put(scored, value)`` chooses the score.

    Attributes
    ----------
    limits
        Between which numbers its value lies; ``None`` if it takes none (it is given 0).
    needs_labels
        Whether it is refused where there are no labels. (``fraction`` is not: it then takes the share that is expected.)
    by_group
        Whether a group of candidates with positives enough may have a score of its own, put by the same rule.

    Examples
    --------
    >>> THRESHOLD_RULES["share"].put(Scored(np.zeros(4, bool), np.array([.1, .2, .3, .4])), 0.25)
    Put(score=0.35, fraction=0.25, basis='training')
    """

    put: Callable[[Scored, float], Put]
    limits: tuple[float, float] | None = None
    needs_labels: bool = False
    by_group: bool = False


def put_share(scored: Scored, share: float) -> Put:
    """The score that this share of the target reaches; without a target, of the held-out scores."""
    if scored.target is None:
        return Put(score_at_fraction(scored.held_out, share), share, "training")
    return Put(score_at_fraction(scored.target, share), share, "target")


def _put_best(scored: Scored, _: float) -> Put:
    share = best_fraction(scored.gold, scored.held_out)
    if scored.target is None:
        return Put(score_at_fraction(scored.held_out, share_for_any_text(share)), share, "training")
    return put_share(scored, share)


def _put_as_many_as_positives(scored: Scored, _: float) -> Put:
    return put_share(scored, float(scored.gold.mean()))


def _put_top(scored: Scored, n: float) -> Put:
    return put_share(scored, min(1.0, n / (scored.held_out if scored.target is None else scored.target).size))


def _put_probability(scored: Scored, probability: float) -> Put:
    return Put(probability if scored.calibration is None else scored.calibration.score_of(probability))


def _put_precision(scored: Scored, precision: float) -> Put:
    cut = _score_with_precision(scored.gold, scored.held_out, precision)
    return Put(cut, float((scored.held_out >= cut).mean()), "training")


THRESHOLD_RULES: Registry[ThresholdRule] = Registry(
    "threshold rule",
    "relhash.threshold_rules",
    {
        "fraction": ThresholdRule(_put_best, by_group=True),
        "share": ThresholdRule(put_share, (0.0, 1.0)),
        "fixed": ThresholdRule(_put_probability, (0.0, 1.0)),
        "score": ThresholdRule(lambda _, score: Put(score), (0.0, 1.0)),
        "precision": ThresholdRule(_put_precision, (0.0, 1.0), needs_labels=True),
        "prior": ThresholdRule(_put_as_many_as_positives, needs_labels=True, by_group=True),
        "top-k": ThresholdRule(_put_top, (1, float("inf"))),
    },
)
"""By the name that ``--threshold`` takes; another package offers one by an entry point of this group."""


def best_fraction(y: NDArray[np.bool_], scores: Floats) -> float:
    """The largest share of candidates whose acceptance, from the highest score down, gives nearly the highest F1.

    Around its top the curve is flat, and on other text the order of the scores is worse: what a share misses there weighs more
    than what it takes in too much. Within :data:`PLATEAU` of the top the largest share is therefore taken (chosen on transfer
    to HPRD50 and BioNLP). Equal scores are accepted together.

    >>> best_fraction(np.array([1, 1, 0, 0, 0], bool), np.array([.9, .8, .3, .2, .1]))
    0.4
    """
    order = np.argsort(-scores, kind="stable")
    found = np.cumsum(y[order])
    accepted = np.arange(1, y.size + 1)
    f1 = 2 * found / (accepted + y.sum())
    ends = np.append(np.diff(scores[order]) != 0, True)  # a cut is possible only where the score changes
    accepted, f1 = accepted[ends], f1[ends]
    return float(accepted[np.flatnonzero(f1 >= f1.max() - PLATEAU)[-1]]) / y.size


def share_for_any_text(fraction: float) -> float:
    """The share of the training side whose score is a threshold for text that nobody has seen.

    On other text the scores of a model may fall (one of AIMed accepts 10 % of BioNLP's pairs, with the score that takes 23 %
    of its own held-out ones) or rise (BioInfer); what is missed then costs more than what is taken in too much. Chosen on
    transfer from AIMed and BioInfer to BioNLP 2009 and to their own held-out documents. The remedy is a target.

    >>> share_for_any_text(0.22), share_for_any_text(0.4), round(share_for_any_text(0.06), 2)
    (0.3, 0.4, 0.09)
    """
    return max(fraction, min(ANYWHERE, AT_MOST_TIMES * fraction))


def score_at_fraction(scores: Floats, fraction: float) -> float:
    """A score that about this fraction of ``scores`` reaches, midway between two of them.

    >>> score_at_fraction(np.array([.1, .2, .3, .4]), .25)
    0.35
    """
    distinct, counts = np.unique(scores, return_counts=True)
    reached = np.append(np.cumsum(counts[::-1])[::-1], 0) / scores.size  # share at or above each distinct score; none above all
    cut = int(np.argmin(np.abs(reached - fraction)))
    below = distinct[cut - 1] if cut else 0.0
    above = distinct[cut] if cut < distinct.size else max(1.0, distinct[-1])
    if cut == distinct.size and below >= above:
        return float(np.nextafter(below, np.inf))
    return float((below + above) / 2)


def _score_with_precision(y: NDArray[np.bool_], scores: Floats, wanted: float) -> float:
    """The lowest score from which on upwards precision on the training side is at least ``wanted``.

    A handful of top candidates proves nothing, so shares are smoothed by one error. When that is out of reach, the score
    with the highest (smoothed) precision is taken: the user gets the most precise list there is.
    """
    _, recall, thresholds = precision_recall_curve(y, scores)
    accepted = np.cumsum(np.unique(scores, return_counts=True)[1][::-1])
    smoothed = recall * y.sum() / (accepted + 1)
    good = np.flatnonzero(smoothed >= wanted)
    return float(thresholds[good[-1] if good.size else int(np.argmax(smoothed))])
