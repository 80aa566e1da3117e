"""Which score makes a relation, decided without a single label of the text to be read.

Scores shift between corpora, so a score that was best on the training corpus is not best elsewhere. What carries over better is
the *fraction* of candidates to accept: the one that is best on out-of-fold training scores. Turned into a score at fit time
(that quantile of the target's scores; without a target, a somewhat lower one of the out-of-fold training scores), it keeps
prediction independent of what else is in a file.

Labels that somebody *picked* carry no fraction over: a sheet of fifty rows says nothing of how common relations are. Then the
share that a person or a prior model expects in the text is accepted, or, if nobody expects anything,
:data:`USUAL_SHARE`. Without a text to adapt to it is a probability (:data:`PICKED_CUT`).

A strategy, as it is written in a command, is a rule (:mod:`relhash.learning.threshold_rules`) and its value:
``precision:0.8``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.errors import ModelFileError, ParameterError
from relhash.learning.calibration import Calibration
from relhash.learning.threshold_rules import THRESHOLD_RULES, Scored

USUAL_SHARE = 0.25
"""The share of related pairs that is supposed where labels were picked and nobody says how common relations are."""
PICKED_CUT = 1 / 3
"""The probability from which on a pair is accepted where labels were picked and there is no text to adapt to."""
PRIOR_LABELS = 400
"""Labels that weigh as much as a prior's word on how common relations are: chosen with ``benchmarks/prior_constants.py``."""
FEWEST_OF_GROUP = 40
"""So many positives must a group have for a threshold of its own."""


@dataclass(frozen=True)
class Threshold:
    """A score fixed at fit; a candidate is a relation if its score is at least this.

    ``fraction`` is the share of candidates that was aimed at, or reached on the training side by a precision; a probability or
    a score has none. ``basis`` are the scores that the threshold was put on: ``"target"``, ``"training"`` or ``"none"``.
    ``of_group`` are scores of their own for candidates of some groups, such as the types of interactions.
    """

    score: float
    strategy: str
    fraction: float | None = None
    basis: str = "none"
    of_group: Mapping[str, float] = field(default_factory=dict)

    @property
    def expected(self) -> float | None:
        """The share of relations that was expected, by a person, a prior model or as usual; ``None`` if the labels told it."""
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

    def to_dict(self) -> dict[str, Any]:
        """As JSON takes it, which has no infinity."""
        score = self.score if np.isfinite(self.score) else None
        own = {"score": score, "strategy": self.strategy, "fraction": self.fraction, "basis": self.basis}
        return {**own, "of_group": dict(self.of_group)} if self.of_group else own

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Threshold:
        """The inverse of :meth:`to_dict`."""
        score = float("inf") if given["score"] is None else float(given["score"])
        fraction = None if given["fraction"] is None else float(given["fraction"])
        of_group = {str(group): float(value) for group, value in given.get("of_group", {}).items()}
        if np.isnan([score, *of_group.values()]).any() or not (fraction is None or 0 <= fraction <= 1):
            raise ModelFileError(f"threshold: score {score} and fraction {fraction} are not possible")
        return cls(score, str(given["strategy"]), fraction, str(given["basis"]), of_group)


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
    expected_share: float | None = None,
    picked: bool = False,
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
    expected_share
        The share of relations that a prior model expects among the candidates: accepted in the place of ``fraction``, never in
        the place of a strategy that names a number itself.
    picked
        Whether the labels were picked, and are not all candidates of their text: if no share is expected, ``fraction`` then
        takes :data:`USUAL_SHARE` of the target, or, without one, all pairs of probability :data:`PICKED_CUT` or more.

    >>> y, scores = np.array([1, 1, 0, 0, 0]), np.array([.9, .8, .3, .2, .1])
    >>> choose_threshold("fraction", y, scores).fraction                                # two of five are best accepted
    0.4
    >>> round(choose_threshold("fraction", y, scores, target=[.5, .4, .3, .2, .1]).score, 2)   # the same share, elsewhere
    0.35
    >>> choose_threshold("fraction", y, scores, expected_share=.2).strategy
    'share:0.2'
    """
    name, value = parse_strategy(strategy)
    if name == "fraction" and picked and expected_share is None and target is None:
        name, value = "fixed", PICKED_CUT  # of the sheet itself no share says anything
    elif name == "fraction" and (picked or expected_share is not None):
        name, value = "share", USUAL_SHARE if expected_share is None else float(expected_share)
    rule = THRESHOLD_RULES[name]
    wanted = None if target is None or not np.size(target) else np.asarray(target, np.float64)
    given = Scored(np.asarray(y).astype(bool), np.asarray(out_of_fold, np.float64), wanted, calibration)
    return Threshold(strategy=name if rule.limits is None else f"{name}:{value:g}", **rule.put(given, value)._asdict())


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


def between(fraction: float, expected: float, n_labels: int) -> float:
    """The share to accept where labels say one thing and a prior expects another: the labels' say grows with their number.

    >>> round(between(0.5, 0.2, 25), 2), round(between(0.5, 0.2, 5000), 2)
    (0.22, 0.48)
    """
    return (n_labels * fraction + PRIOR_LABELS * expected) / (n_labels + PRIOR_LABELS)
