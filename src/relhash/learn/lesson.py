"""Learning from answers on one text, in a fraction of a second: the decision after each answer, and what it says of the text.

A lesson keeps what does not change from answer to answer: what the decision before says of the text, how its rows are seen, and
how near they are to the rows that were answered. A refit is then a small correction (:mod:`relhash.learn.correction`).
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
from relhash.learn.calibration import Calibration
from relhash.learn.correction import (
    PRIOR,
    CorrectionClassifier,
    FittedCorrection,
    Terms,
    clipped_log_odds,
    fit_terms,
    origins_of,
)
from relhash.learn.decision import Decision
from relhash.learn.look import Look, nearness
from relhash.learn.threshold import Threshold, cut_after, parse_strategy

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Learned:
    """What a refit gives: the decision, its scores of all candidates of the text, and how much there was to correct."""

    decision: Decision
    scores: Floats
    evidence: float = 0.0

    @property
    def probabilities(self) -> Floats:
        """Calibrated probabilities of the pairs."""
        return self.decision.calibration.probabilities(self.scores)


class Lesson:
    """A decision and a text on which it learns.

    Parameters
    ----------
    before
        The decision of the model that is taught.
    X, columns
        Features of all candidates of the text, and the columns of each feature part.
    raw_line
        Slope and offset by which the log-odds of rows hang on those of the decision, where people judge rows of raw text.
    added
        What else the log-odds of each row have, which no answer changes.
    from_nothing
        Forget what the decision before says (for comparison).

    Examples
    --------
    >>> from relhash.learn import LinearClassifier
    >>> from relhash.learn.decision import DecisionSettings
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 4))
    >>> y, columns = X[:, 0] > 0.5, {"bits": slice(0, 4)}
    >>> settings = DecisionSettings((LinearClassifier(),))
    >>> before = Decision.fit(settings, X, X[:, 1] > 0.5, np.arange(300), columns=columns)   # learned something else
    >>> after = Lesson(before, X, columns).learn(np.arange(100), y[:100])
    >>> bool(np.mean(after.decision.threshold.labels(after.scores) == y) > 0.9)
    True
    """

    def __init__(
        self,
        before: Decision,
        X: Any,
        columns: Mapping[str, slice],
        *,
        raw_line: tuple[float, float] = (1.0, 0.0),
        added: ArrayLike = 0.0,
        from_nothing: bool = False,
    ) -> None:
        own = {name: part for name, part in columns.items() if name != PRIOR}
        if not own:
            raise ParameterError("this model has no features of its own (only a prior), so it cannot be taught")
        self.before, self.n_features, self.raw_line = before, int(X.shape[1]), raw_line
        with one_blas_thread():
            self.scores = before.classifier.scores(X)
            self.look = Look.at(X, own)
            self.rows = self.look(X)
        self.prior = clipped_log_odds(before.calibration.probabilities(self.scores)) * raw_line[0] + raw_line[1]
        if from_nothing:
            self.before = replace(before, calibration=Calibration(np.array([0.0, 1.0]), np.array([0.5, 0.5]), "platt"))
            self.prior = np.zeros_like(self.prior)
        self.added = np.broadcast_to(np.asarray(added, np.float64), self.prior.shape)
        self.n_accepted = int(before.threshold.labels(self.scores).sum())
        self._lengths = self.rows.lengths
        self._near: dict[int, NDArray[np.float32]] = {}

    def learn(self, rows: ArrayLike, y: ArrayLike, origins: ArrayLike | None = None) -> Learned:
        """The decision after answers: ``rows`` are candidates of the text, ``y`` whether they are related.

        ``origins`` says which questions were drawn at random and which were chosen (:mod:`relhash.learn.correction`).
        """
        answered, gold = np.asarray(rows, np.int64), np.asarray(y).astype(bool)
        if answered.shape != gold.shape or np.unique(answered).size != answered.size:
            raise ParameterError("answers: one answer per candidate is expected")
        if not gold.size:
            return Learned(self.before, self.scores)
        order = np.argsort(answered, kind="stable")  # in whatever order they came, the same answers teach the same
        answered, gold, origin = answered[order], gold[order], origins_of(origins, gold.size)[order]
        with one_blas_thread():
            labelled = self.rows.of(answered)
            products = labelled.products(labelled)
            terms = fit_terms(self.prior[answered], gold, products, labelled.lengths, origin, added=self.added[answered])
            votes = terms.slope * self.prior + terms.offset
            votes += self.rows.dense @ (labelled.dense.T @ terms.linear)
            votes += self.rows.grams @ np.asarray(labelled.grams.T @ terms.linear)
            votes += np.column_stack([self._near_to(row) for row in answered.tolist()]) @ terms.near
        slope, offset = self.raw_line
        fitted = FittedCorrection(
            self.look,
            labelled,
            _of_pairs(terms, slope, offset),
            self.n_features,
            self.before.classifier,
            self.before.kind,
            self.before.calibration,
        )
        scores = np.asarray(special.expit((votes - offset) / slope))
        threshold = self._threshold(scores, gold.size)
        decision = replace(
            self.before,
            classifier=fitted,
            kind=CorrectionClassifier.kind,
            calibration=Calibration.line(1.0, 0.0),
            threshold=threshold,
            chosen=f"{self.before.chosen}; corrected by {gold.size} answers ({int(gold.sum())} yes)",
            table={},
            out_of_fold=None,
            accepted=float(threshold.labels(scores).mean()),
        )
        return Learned(decision, scores, terms.evidence)

    def _near_to(self, row: int) -> NDArray[np.float32]:
        if row not in self._near:
            one = self.rows.of([row])
            products = (self.rows.dense @ one.dense[0] + (self.rows.grams @ one.grams.T).toarray().ravel())[:, None]
            self._near[row] = nearness(products, self._lengths, one.lengths)[:, 0].astype(np.float32)
        return self._near[row]

    def _threshold(self, scores: Floats, n_labels: int) -> Threshold:
        name, value = parse_strategy(self.before.threshold.strategy)
        if name == "precision":
            ordered = np.sort(scores)[::-1]
            good = np.flatnonzero(np.cumsum(ordered) / np.arange(1, ordered.size + 1) >= value)
            return Threshold(float(ordered[good[-1]]) if good.size else float("inf"), self.before.threshold.strategy)
        cut = value if name == "fixed" else cut_after(n_labels, scores, self.n_accepted)
        return Threshold(Calibration.line(1.0, 0.0).score_of(cut), f"fixed:{cut:.3g}")


def _of_pairs(terms: Terms, slope: float, offset: float) -> Terms:
    """Terms of the log-odds of rows as those of the decision, on which the rows hang by a line."""
    moved = (terms.slope * offset + terms.offset - offset) / slope
    return terms._replace(offset=moved, linear=terms.linear / slope, near=terms.near / slope)
