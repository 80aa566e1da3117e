"""From features and labels to a decision: classifier, calibration and threshold, all chosen on the training side.

A decision knows nothing of text or kernels. The extractor puts one on its features; the benchmarks put many on the same
features.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from relhash.blas import one_blas_thread
from relhash.codec import Arrays, InJson, prefixed, under
from relhash.errors import RelHashWarning
from relhash.learn.calibration import Calibration
from relhash.learn.classifier import (
    Choice,
    Classifier,
    FittedClassifier,
    Fitting,
    choose,
    read_classifier,
    to_log_odds,
)
from relhash.learn.correction import PRIOR, CorrectionClassifier, FittedCorrection, corrected, held_out_log_odds
from relhash.learn.look import dense
from relhash.learn.threshold import (
    CUT,
    THRESHOLD_RULES,
    Threshold,
    choose_threshold,
    cut_after,
    parse_strategy,
    score_at_fraction,
    with_groups,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class DecisionSettings(InJson):
    """How a decision is learned.

    Attributes
    ----------
    classifiers
        Those to choose from by document-grouped cross-validation; with one there is nothing to choose.
    few_label_classifiers, few_labels
        Those to choose from with fewer than ``few_labels`` labels (none given: the same).
    threshold
        See :mod:`relhash.learn.threshold`.
    n_folds
        Folds of the cross-validation.
    """

    classifiers: Sequence[Classifier]
    few_label_classifiers: Sequence[Classifier] = ()
    few_labels: int = 400
    threshold: str | float = "fraction"
    n_folds: int = 5

    def choices(self, n_labels: int) -> Sequence[Classifier]:
        return self.few_label_classifiers if self.few_label_classifiers and n_labels < self.few_labels else self.classifiers

    def check(self, parts: Sequence[str]) -> None:
        """An error for anything that would fail later on features of these ``parts``: before hours of learning."""
        for classifier in (*self.classifiers, *self.few_label_classifiers):
            classifier.check(tuple(parts))
        parse_strategy(self.threshold)


@dataclass(frozen=True, eq=False)
class Decision:
    """A fitted classifier with calibration and threshold.

    Attributes
    ----------
    classifier, kind
        The fitted classifier, and the name under which a model file knows it.
    chosen, table
        Its settings in words, and what each of the classifiers compared reached out of fold.
    out_of_fold
        What the training side scored while its documents were held out; a decision read from a file has none.
    accepted
        The share of candidates above the threshold: of the target, or of the held-out training side where there is none.
    """

    classifier: FittedClassifier
    kind: str
    calibration: Calibration
    threshold: Threshold
    chosen: str
    table: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    out_of_fold: Floats | None = None
    accepted: float | None = None

    @classmethod
    def fit(
        cls,
        settings: DecisionSettings,
        X: Any,
        y: ArrayLike,
        documents: ArrayLike,
        *,
        target: Any = None,
        choice: Choice | None = None,
        picked: bool = False,
        groups: Sequence[str] | None = None,
        origins: ArrayLike | None = None,
        examples: Sequence[str] = (),
        prior_cut: float = CUT,
        **how: Unpack[Fitting],
    ) -> Decision:
        """Choose, fit, calibrate, and put the threshold.

        Parameters
        ----------
        X, y, documents
            Features, labels and documents of the labelled training candidates.
        target
            Features of the candidates to adapt to.
        choice
            The choice, if :meth:`choose` has made it already on the same features and labels.
        picked
            Whether the labels tell no share: they were picked, or only correct a prior. Where the threshold is put on the
            target's scores, so are the probabilities: their mean there is the share that a person expects, or that of the
            labels.
        groups
            The group of each labelled candidate, if groups are to have thresholds of their own. A rule that puts them looks at
            the labelled side alone: of the target it would take the same share of all groups, however many relations of each
            are stated there.
        origins, examples
            Where labels come from, and the labelled rows for people, where labels correct a prior
            (:func:`~relhash.learn.correction.corrected`).
        prior_cut
            The probability from which on the prior accepts a pair.
        how
            See :class:`~relhash.learn.classifier.Fitting`.
        """
        gold = np.asarray(y).astype(bool)
        if _is_constant(X):
            warnings.warn(
                f"all {gold.size:,} labelled candidates look the same, so nothing tells relations from other pairs; label text "
                "that differs, or look at more of it (--views)",
                RelHashWarning,
                stacklevel=2,
            )
        with one_blas_thread():
            if choice is None:
                choice = cls.choose(settings, X, gold, documents, **how)
            if PRIOR in how.get("columns", {}):
                learned, held_out = _correction(choice, X, gold, documents, target, origins, examples, **how)
                calibration, kind = Calibration.line(1.0, 0.0), CorrectionClassifier.kind
                chosen = f"the prior, corrected by {gold.size} labels ({int(gold.sum())} yes)"
                chosen += f" and {choice.classifier}" if learned.terms.own else ""
                fitted: FittedClassifier = learned
            else:
                fitted, held_out = choice.classifier.fit(X, gold, **how), choice.out_of_fold
                calibration, kind = Calibration.fit(held_out, gold), choice.classifier.kind
                chosen = str(choice.classifier)
            is_by_group = groups is not None and THRESHOLD_RULES[parse_strategy(settings.threshold)[0]].by_group
            scores = None if target is None or is_by_group else fitted.scores(target)
        is_correction = kind == CorrectionClassifier.kind
        cut = CUT
        if isinstance(fitted, FittedCorrection) and scores is not None and scores.size:
            cut = cut_after(gold.size, scores, int((special.expit(fitted.prior(target)) >= prior_cut).sum()))
        threshold = choose_threshold(
            settings.threshold, gold, held_out, target=scores, calibration=calibration, cut=cut if picked else None
        )
        if groups is not None:
            threshold = with_groups(threshold, gold, held_out, groups)
        basis = held_out if scores is None else scores
        if threshold.basis == "target" and threshold.expected is not None:  # of a sheet no mean says anything
            calibration = calibration.moved_to(threshold.expected, basis)
        elif threshold.basis == "target" and not is_correction:
            calibration = calibration.moved_to(float(gold.mean()), basis)
        return cls(
            classifier=fitted,
            kind=kind,
            calibration=calibration,
            threshold=threshold,
            chosen=chosen,
            table=choice.table,
            out_of_fold=held_out,
            accepted=float(threshold.labels(basis, groups if scores is None else None).mean()),
        )

    @staticmethod
    def choose(settings: DecisionSettings, X: Any, y: ArrayLike, documents: ArrayLike, **how: Unpack[Fitting]) -> Choice:
        """The classifier that the training side favours, with its out-of-fold scores; of a prior it sees nothing."""
        gold = np.asarray(y).astype(bool)
        with one_blas_thread():
            own, how["columns"] = _own_columns(X, how.get("columns", {}))
            return choose(settings.choices(gold.size), own, gold, documents, n_folds=settings.n_folds, **how)

    def decide(self, X: Any, groups: Sequence[str] | None = None) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Scores, calibrated probabilities, and labels; ``groups`` as for :meth:`fit`."""
        with one_blas_thread():
            scores = self.classifier.scores(X)
        return scores, self.calibration.probabilities(scores), self.threshold.labels(scores, groups)

    def adapted_to(self, scores: ArrayLike, share: float, expected_share: float) -> Decision:
        """The same with threshold and probabilities moved to the (unlabelled) candidates that have these scores.

        ``share`` of them is accepted, and their mean probability becomes ``expected_share``.
        """
        target = np.asarray(scores, np.float64)
        strategy = self.threshold.strategy if share == self.threshold.fraction else f"share:{share:g}"
        threshold = Threshold(score_at_fraction(target, share), strategy, share, "target")
        return replace(
            self,
            threshold=threshold,
            calibration=self.calibration.moved_to(expected_share, target),
            accepted=float(threshold.labels(target).mean()),
        )

    @property
    def cut(self) -> float:
        """The calibrated probability from which on pairs are accepted."""
        return float(self.calibration.probabilities([min(self.threshold.score, 1.0)])[0])

    def accepting_from(self, probability: float) -> Decision:
        """The same with the threshold at a calibrated probability."""
        threshold = Threshold(self.calibration.score_of(probability), f"fixed:{probability:g}")
        return replace(self, threshold=threshold)

    def to_arrays(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Arrays, and notes as JSON takes them."""
        arrays = prefixed("classifier/", self.classifier.to_arrays()) | prefixed("calibration/", self.calibration.to_arrays())
        notes = {
            "classifier": self.kind,
            "chosen": self.chosen,
            "calibration": self.calibration.kind,
            "threshold": self.threshold.to_dict(),
        }
        return arrays, notes

    @classmethod
    def from_arrays(cls, arrays: Arrays, notes: Mapping[str, Any]) -> Decision:
        """The inverse of :meth:`to_arrays`."""
        return cls(
            classifier=read_classifier(notes["classifier"], under(arrays, "classifier/")),
            kind=str(notes["classifier"]),
            calibration=Calibration.from_arrays(under(arrays, "calibration/"), kind=notes["calibration"]),
            threshold=Threshold.from_dict(notes["threshold"]),
            chosen=str(notes["chosen"]),
        )


def _own_columns(X: Any, columns: Mapping[str, slice]) -> tuple[Any, dict[str, slice]]:
    """The features without the prior's column, and the columns of the parts that are left."""
    own = {name: part for name, part in columns.items() if name != PRIOR}
    return (X[:, : columns[PRIOR].start] if PRIOR in columns else X), own


def _correction(
    choice: Choice,
    X: Any,
    gold: NDArray[np.bool_],
    documents: ArrayLike,
    target: Any,
    origins: ArrayLike | None,
    examples: Sequence[str],
    **how: Unpack[Fitting],
) -> tuple[FittedCorrection, Floats]:
    """The prior in the last column, corrected by labels and by the classifier of the labels alone; and held-out scores."""
    last = how["columns"][PRIOR]
    prior = dense(X[:, last]).ravel()
    own, how["columns"] = _own_columns(X, how["columns"])
    votes = to_log_odds(choice.out_of_fold)
    background = own if target is None else _own_columns(target, {**how["columns"], PRIOR: last})[0]
    own_side: dict[str, Any] = {"origins": origins, "own": votes}
    fitted = corrected(prior, own, gold, how["columns"], background=background, examples=examples, **own_side)
    held_out = special.expit(held_out_log_odds(fitted, prior, own, gold, documents, **own_side))
    if fitted.terms.own:
        fitted = replace(fitted, own=choice.classifier.fit(own, gold, **how), own_kind=choice.classifier.kind)
    return fitted, held_out


def _is_constant(X: Any) -> bool:
    """Whether all rows are equal."""
    if X.shape[0] < 2 or not X.shape[1]:
        return X.shape[0] > 1
    lowest, highest = X.min(axis=0), X.max(axis=0)
    difference = highest - lowest
    return not (difference.nnz if hasattr(difference, "nnz") else np.any(difference))
