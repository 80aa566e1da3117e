"""Which score makes a relation, decided without a single label of the text to be read.

Scores shift between corpora, so a score that was best on the training corpus is not best elsewhere. What carries over better is
the *fraction* of candidates to accept: the one that is best on out-of-fold training scores. Turned into a score at fit time
(that quantile of the target's scores; without a target, a somewhat lower one of the out-of-fold training scores), it keeps
prediction independent of what else is in a file.

Labels that were *picked* carry no fraction over: a sheet of fifty rows says nothing of how common relations are. Then a pair is
accepted from a probability on (:data:`CUT`), and where labels correct a prior, as :func:`cut_after` says, unless a person says
what share to expect.

A strategy, as it is written in a command, is a rule and its value. ``fraction`` (the default) accepts the share that is best
on the training side; ``share:0.2`` that share of all candidates; ``prior`` the training share of positives; ``top-k:100`` so
many. ``fixed:0.5`` is a calibrated probability, ``score:0.5`` the classifier's own score (the paper's forest).
``precision:0.8`` takes the lowest score that is that precise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.codec import LATER, InJson
from relhash.errors import ModelFileError, ParameterError
from relhash.learn.calibration import Calibration
from relhash.learn.metrics import precision_recall_curve
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
    """Where a rule puts the threshold; see :class:`~relhash.learn.threshold.Threshold`."""

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
    """The share of the training side whose score is a threshold for unseen text.

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


CUT = 1 / 3
"""The probability from which on a pair is accepted where labels tell no share. F1 is highest at half of itself (Lipton et al.
2014), and models of relations reach about .6 to .7."""
TRUSTED_FROM = 20
"""With so many labels the probabilities of a text count as much as what was accepted before (benchmarks/results/teach)."""


def cut_after(n_labels: int, probabilities: ArrayLike, n_before: int) -> float:
    """The probability from which on pairs of a text are accepted, once so many labels have corrected a prior.

    At first as many pairs as the prior accepts (``n_before``); the more labels, the nearer to the number with the highest F1
    that the probabilities themselves expect, which few labels would put anywhere.

    >>> [round(cut_after(n, [.9, .8, .3, .1, .05], 4), 2) for n in (0, 20)]
    [0.08, 0.55]
    """
    ordered = np.append(np.sort(np.asarray(probabilities, np.float64))[::-1], 0.0)
    best = 1 + int(np.argmax(np.cumsum(ordered) / (np.arange(1, ordered.size + 1) + ordered.sum())))
    weight = n_labels / (n_labels + TRUSTED_FROM)
    n = int(np.clip(max(n_before, 1) ** (1 - weight) * best**weight, 1, ordered.size - 1))
    n = min(int(np.searchsorted(-ordered, -ordered[n - 1], "right")), ordered.size - 1)  # equal pairs are judged alike
    return float(np.clip((ordered[n - 1] + ordered[n]) / 2, 0.01, 0.99))


FEWEST_OF_GROUP = 40
"""So many positives must a group have for a threshold of its own."""


@dataclass(frozen=True)
class Threshold(InJson):
    """A score fixed at fit; a candidate is a relation if its score is at least this.

    ``fraction`` is the share of candidates that was aimed at, or reached on the training side by a precision; a probability or
    a score has none. ``basis`` are the scores that the threshold was put on: ``"target"``, ``"training"`` or ``"none"``.
    ``of_group`` are scores of their own for candidates of some groups, such as the types of interactions.
    """

    score: float
    strategy: str
    fraction: float | None = None
    basis: str = "none"
    of_group: Mapping[str, float] = field(default_factory=dict, metadata=LATER)

    @property
    def expected(self) -> float | None:
        """The share of relations that a person expected; ``None`` if none was given."""
        return self.fraction if self.strategy.startswith("share:") else None

    def labels(self, scores: ArrayLike, groups: Sequence[str] | None = None) -> NDArray[np.bool_]:
        """Which scores make a relation; ``groups`` says which group each candidate is of, if there are any.

        >>> Threshold(0.5, "prior", of_group={"Binding": 0.3}).labels([0.4, 0.4], ["Binding", "Regulation"])
        array([ True, False])
        """
        least: NDArray[np.float64] | float = self.score
        if groups is not None and self.of_group:
            least = np.array([self.of_group.get(group, self.score) for group in groups])
        return np.asarray(scores, np.float64) >= least

    def verify(self) -> None:
        if np.isnan([self.score, *self.of_group.values()]).any() or not (self.fraction is None or 0 <= self.fraction <= 1):
            raise ModelFileError(f"threshold: score {self.score} and fraction {self.fraction} are not possible")


def parse_strategy(strategy: str | float) -> tuple[str, float]:
    """Name and value of a strategy; a bare number is a fixed probability.

    >>> parse_strategy("precision:0.8"), parse_strategy(0.5)
    (('precision', 0.8), ('fixed', 0.5))
    >>> parse_strategy("fraction")                    # no value: 0
    ('fraction', 0.0)
    """
    if isinstance(strategy, int | float):
        strategy = f"fixed:{strategy}"
    name, _, text = strategy.partition(":")
    if name not in THRESHOLD_RULES:
        try:
            float(strategy)
        except ValueError:
            known = ", ".join(rule if THRESHOLD_RULES[rule].limits is None else f"{rule}:N" for rule in THRESHOLD_RULES)
            raise ParameterError(f"threshold: unknown strategy {strategy!r}; there are {known}") from None
        name, text = "fixed", strategy
    limits = THRESHOLD_RULES[name].limits
    if limits is None:
        if text:
            raise ParameterError(f"threshold: {name!r} takes no value, {strategy!r} was given")
        return name, 0.0
    try:
        value = float(text)
    except ValueError:
        raise ParameterError(f"threshold: {name!r} needs a number, as in {name}:0.5; {strategy!r} was given") from None
    if not limits[0] <= value <= limits[1]:
        raise ParameterError(
            f"threshold: the value of {name!r} must lie between {limits[0]:g} and {limits[1]:g}, not {value:g}"
        )
    return name, value


def choose_threshold(
    strategy: str | float,
    y: ArrayLike,
    out_of_fold: ArrayLike,
    *,
    target: ArrayLike | None = None,
    calibration: Calibration | None = None,
    cut: float | None = None,
) -> Threshold:
    """The score at which ``strategy`` puts the threshold.

    Parameters
    ----------
    strategy
        A rule and its value.
    y, out_of_fold
        Labels of the training candidates and the scores they got while their document was held out.
    target
        Scores of the (unlabelled) candidates of the text to adapt to.
    calibration
        The map to probabilities, for ``fixed``.
    cut
        Where labels tell no share, because they were picked or only correct a prior: the probability from which on pairs are
        accepted in the place of ``fraction``, never in the place of a strategy that a person names.

    >>> y, scores = np.array([1, 1, 0, 0, 0]), np.array([.9, .8, .3, .2, .1])
    >>> choose_threshold("fraction", y, scores).fraction                                # two of five are best accepted
    0.4
    >>> round(choose_threshold("fraction", y, scores, target=[.5, .4, .3, .2, .1]).score, 2)   # the same share, elsewhere
    0.35
    >>> choose_threshold("fraction", y, scores, cut=CUT).strategy
    'fixed:0.333'
    """
    name, value = parse_strategy(strategy)
    if name == "fraction" and cut is not None:
        name, value = "fixed", cut
    rule = THRESHOLD_RULES[name]
    wanted = None if target is None or not np.size(target) else np.asarray(target, np.float64)
    given = Scored(np.asarray(y).astype(bool), np.asarray(out_of_fold, np.float64), wanted, calibration)
    return Threshold(strategy=name if rule.limits is None else f"{name}:{value:.3g}", **rule.put(given, value)._asdict())


def with_groups(general: Threshold, y: ArrayLike, out_of_fold: ArrayLike, groups: Sequence[str]) -> Threshold:
    """The threshold with a score of its own for each group that has positives enough, put by the same strategy.

    Groups differ in how sure their scores are: what accepts the right share of all may accept hardly any of a hard type. Only
    strategies that take a share of the training side have such scores.
    """
    gold, scores, names = np.asarray(y).astype(bool), np.asarray(out_of_fold, np.float64), np.asarray(groups)
    if general.basis != "training" or not THRESHOLD_RULES[parse_strategy(general.strategy)[0]].by_group:
        return general
    of_group = {}
    for name in np.unique(names).tolist():
        own = names == name
        if gold[own].sum() >= FEWEST_OF_GROUP:
            cut = choose_threshold(general.strategy, gold[own], scores[own]).score
            if np.isfinite(cut):
                of_group[str(name)] = cut
    return replace(general, of_group=of_group)
