"""Learning from answers on one text: the classifier, calibration and threshold anew, in a fraction of a second.

A lesson keeps what does not change from answer to answer: the features of the text, and what the decision before says of it.
A refit then is a few planes on the answered rows. Without answers of both kinds the decision stays as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from relhash.blas import one_blas_thread
from relhash.errors import ParameterError
from relhash.learn.blend import LEAST_SPREAD, PRIOR, choose_weight
from relhash.learn.calibration import Calibration
from relhash.learn.classifier import Fitting, out_of_fold, to_log_odds
from relhash.learn.committee import CommitteeClassifier, Member
from relhash.learn.decision import Decision
from relhash.learn.end_to_end import fitted_line
from relhash.learn.folds import document_folds
from relhash.learn.linear import LinearClassifier
from relhash.learn.taught import FittedTaught, TaughtClassifier
from relhash.learn.threshold import USUAL_SHARE, Threshold, parse_strategy, score_at_fraction

Floats = NDArray[np.float64]

FEWEST = 2
"""Answers of each kind from which something is learned."""
FEW = 25
"""Answers at which the classifier before may count one half at least: its vote never counts less than FEW / (FEW + answers)."""
SHARE_ANSWERS = 50
"""Answers that weigh as much as the decision before in how many candidates are accepted."""
N_FOLDS = 3
STRENGTHS = {"coordinates": 0.3, "descriptors": 0.01, "bits": 0.05, "nearest": 0.05, "ngrams": 0.1, "encoder": 0.1}
"""Inverse strength of the regularisation of the plane on each feature part; others are left out if any of these is there."""
OTHER = 0.01


@dataclass(frozen=True, eq=False)
class Lessoned:
    """What a refit gives: the decision, and its scores of all candidates of the text."""

    decision: Decision
    scores: Floats

    @property
    def probabilities(self) -> Floats:
        """Calibrated probabilities of the pairs."""
        return self.decision.calibration.probabilities(self.scores)

    @property
    def weight(self) -> float:
        """How much the decision before still counts."""
        classifier = self.decision.classifier
        return classifier.weight if isinstance(classifier, FittedTaught) else 1.0


class Lesson:
    """A decision and a text on which it learns.

    Parameters
    ----------
    before
        The decision of the model that is taught.
    X
        Features of all candidates of the text.
    columns
        The columns of each feature part.
    documents
        The document of each candidate: answers are held out by documents.
    start
        Probability of each pair before any answer, if it is not the decision's own.
    weight
        Of the decision before; by default the answers choose it. 0 leaves it out, with all that it says of probabilities and
        of how many are accepted (for comparison).
    random_state
        Seed of the folds.

    Examples
    --------
    >>> from relhash.learn import LinearClassifier
    >>> from relhash.learn.decision import DecisionSettings
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 4))
    >>> y, columns = X[:, 0] > 0.5, {"bits": slice(0, 4)}
    >>> settings = DecisionSettings((LinearClassifier(),))
    >>> before = Decision.fit(settings, X, X[:, 1] > 0.5, np.arange(300), columns=columns)   # learned something else
    >>> lesson = Lesson(before, X, columns, np.arange(300))
    >>> after = lesson.learn(np.arange(100), y[:100])
    >>> bool(np.mean(after.decision.threshold.labels(after.scores) == y) > 0.85), after.weight < 0.3
    (True, True)
    """

    def __init__(
        self,
        before: Decision,
        X: Any,
        columns: Mapping[str, slice],
        documents: ArrayLike,
        *,
        start: ArrayLike | None = None,
        weight: float | None = None,
        random_state: int = 0,
    ) -> None:
        self.before, self.X, self.columns = before, X, dict(columns)
        self.documents, self.weight, self.random_state = np.asarray(documents), weight, random_state
        with one_blas_thread():
            self.scores = before.classifier.scores(X)
            self.log_odds = before.classifier.log_odds(X)
        self.centre, self.spread = float(self.log_odds.mean()), float(self.log_odds.std()) or 1.0
        probabilities = before.calibration.probabilities(self.scores) if start is None else np.asarray(start, np.float64)
        self._share = float(before.threshold.labels(self.scores).mean())
        if weight == 0:
            self._share, probabilities = USUAL_SHARE, np.full(self.scores.size, USUAL_SHARE)
        self._start = special.logit(np.clip(probabilities, 1e-4, 1 - 1e-4))
        self.classifier = CommitteeClassifier(_members(self.columns))

    def learn(self, rows: ArrayLike, y: ArrayLike) -> Lessoned:
        """The decision after answers: ``rows`` are candidates of the text, ``y`` whether they are related."""
        answered, gold = np.asarray(rows, np.int64), np.asarray(y).astype(bool)
        if answered.shape != gold.shape or np.unique(answered).size != answered.size:
            raise ParameterError("answers: one answer per candidate is expected")
        order = np.argsort(answered, kind="stable")  # in whatever order they came, the same answers teach the same
        answered, gold = answered[order], gold[order]
        if min(int(gold.sum()), int((~gold).sum())) < FEWEST:
            return Lessoned(self.before, self.scores)
        how: Fitting = {"columns": self.columns, "random_state": self.random_state}
        with one_blas_thread():
            table = self.X[answered]
            # answers may well come from one document; filters of warnings are not for a thread to change
            folds = document_folds(gold, self.documents[answered], N_FOLDS, self.random_state, quiet=True)
            held_out = to_log_odds(out_of_fold(self.classifier, table, gold, folds, **how))
            scale = max(float(held_out.std()), LEAST_SPREAD)
            known = (self.log_odds[answered] - self.centre) / self.spread
            weight = self._weight(gold, held_out / scale, known)
            own = self.classifier.fit(table, gold, **how)
            fitted = FittedTaught(
                self.before.classifier, self.before.kind, self.centre, self.spread, own, self.classifier.kind, scale, weight
            )
            scores = fitted.blended(self.log_odds, own.log_odds(self.X))
        calibration = self._calibration(gold, weight * known + (1 - weight) * held_out / scale, scores)
        said = f"taught by {gold.size} answers ({int(gold.sum())} yes)"
        decision = replace(
            self.before,
            classifier=fitted,
            kind=TaughtClassifier.kind,
            calibration=calibration,
            threshold=self._threshold(calibration, scores, gold.size),
            chosen=f"{said}; before, with weight {weight:.2f}: {self.before.chosen}",
            table={},
            out_of_fold=None,
        )
        return Lessoned(replace(decision, accepted=float(decision.threshold.labels(scores).mean())), scores)

    def _weight(self, gold: NDArray[np.bool_], own: Floats, known: Floats) -> float:
        if self.weight is not None:
            return self.weight
        return max(choose_weight(gold, own, known), FEW / (FEW + gold.size))

    def _calibration(self, gold: NDArray[np.bool_], votes: Floats, scores: Floats) -> Calibration:
        """A line in log-odds through the held-out answers, drawn to the one that has the probabilities of before."""
        of_text = special.logit(np.clip(scores, 1e-6, 1 - 1e-6))
        slope = float(np.ptp(self._start) and self._start.std() / (of_text.std() or 1.0)) or 1.0
        offset = float(self._start.mean() - slope * of_text.mean())
        X = np.column_stack([votes, np.ones(votes.size)])
        found = fitted_line(X, gold, np.array([slope, offset]), np.array([0.5 * slope, 1.0]), free=(1,))
        return Calibration.line(*found)

    def _threshold(self, calibration: Calibration, scores: Floats, n_answers: int) -> Threshold:
        strategy = self.before.threshold.strategy
        name, value = parse_strategy(strategy)
        probabilities = calibration.probabilities(scores)
        if name == "fixed":
            return Threshold(calibration.score_of(value), strategy)
        if name == "precision":
            share = _share_with_precision(probabilities, value)
        else:
            told = _share_with_best_f1(probabilities)
            share = (n_answers * told + SHARE_ANSWERS * self._share) / (n_answers + SHARE_ANSWERS)
            strategy = "fraction"
        return Threshold(score_at_fraction(scores, share), strategy, share, "target")


def _members(columns: Mapping[str, slice]) -> tuple[Member, ...]:
    known = [part for part in columns if part in STRENGTHS]
    parts = known or [part for part in columns if part != PRIOR]
    if not parts:
        raise ParameterError("this model has no features of its own (only a prior), so it cannot be taught")
    return tuple(Member(LinearClassifier(STRENGTHS.get(part, OTHER)), (part,)) for part in parts)


def _share_with_best_f1(probabilities: Floats) -> float:
    """The share of candidates, from the most probable down, whose acceptance has the highest expected F1."""
    ordered = np.sort(probabilities)[::-1]
    accepted = np.arange(1, ordered.size + 1)
    return float(accepted[np.argmax(2 * np.cumsum(ordered) / (accepted + ordered.sum()))] / ordered.size)


def _share_with_precision(probabilities: Floats, wanted: float) -> float:
    """The largest share whose expected precision is at least ``wanted``."""
    ordered = np.sort(probabilities)[::-1]
    good = np.flatnonzero(np.cumsum(ordered) / np.arange(1, ordered.size + 1) >= wanted)
    return float((good[-1] + 1 if good.size else 0) / ordered.size)
