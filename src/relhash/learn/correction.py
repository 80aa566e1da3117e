"""What labels add to a model that knows something already: a small correction of its log-odds, never a model against it.

    logit p = (1 + b) · prior + a + w · features + Σᵢ αᵢ · nearness(row, answer i)

``prior`` are the calibrated log-odds of the model before. All terms are normal with mean 0 (a Gaussian process), so without a
label the prior is what comes out, with few it is moved a little, and with many it follows them; a prior that is of no use
fades, because *b* may be −1. How large the terms may be is not chosen but averaged: each setting of a small grid is fitted
(Laplace's approximation) and weighs as much as its evidence. The linear term generalises; nearness moves sentences that say
the same as an answered one at once.

Where a label comes from matters. Labels of **other text** share a correction of their own beside the common one, and **chosen**
questions a line of their own: both explain a part of what is special about them, so that the common line stays with labels that
were drawn at random from the text that is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse, special

from relhash.blas import one_blas_thread
from relhash.codec import Arrays, pack_strings, prefixed, under, unpack_strings
from relhash.errors import ModelFileError, ParameterError
from relhash.learn.calibration import Calibration
from relhash.learn.classifier import (
    CLASSIFIERS,
    Classifier,
    FittedClassifier,
    Fitting,
    check_width,
    document_folds,
    from_log_odds,
    read_classifier,
)
from relhash.learn.look import Look, SeenRows, dense, nearness

Floats = NDArray[np.float64]

PRIOR = "prior"
"""Name of the feature part whose one column are the prior's log-odds; it stands behind all others."""
DRAWN, CHOSEN, OTHER_TEXT = 0, 1, 2
"""Where a label comes from: drawn from the text to be read, chosen there by a queue of questions, or from other text."""
MOST_EXACT = 1000
"""With more labels a correction is a line and the own classifier alone, which then knows more than single features do."""
FURTHEST = 7.0
"""Log-odds of a prior count as at most so far from 0."""
LINES = ((0.5, 0.3, 0.8), (2.0, 0.6, 0.2))
"""Standard deviations of offset and slope, and how probable each is beforehand."""
AMPLITUDES = (0.3, 1.0)
"""Variances of the linear term and of nearness, beside none; larger ones let single draws of labels do harm."""
OWN_AMPLITUDES = (0.3, 1.0)
"""Variances of the weight of the own classifier's votes, beside none."""
FEWEST_OF_OWN = 150
"""Labels from which their own classifier is asked: held out from fewer its votes are noise, and turn against the labels."""
LEAST_SPREAD = 0.3
"""Votes of the own classifier whose spread is less say nothing, and are not brought to unit spread."""
PRIVATE = 1.0
"""Variance of what is special about labels of other text or about chosen questions, relative to what they share."""
FOLDS = 5
"""Of the labels, by documents, to see how good the correction is on labels that it has not seen."""
NEAR = 0.5
"""Variance of nearness relative to that of the linear term."""
NO_CORRECTION = 0.1
"""Probability beforehand that the line is all there is to correct."""


class Terms(NamedTuple):
    """What was learned, averaged over the grid.

    Attributes
    ----------
    offset, slope
        The line of the prior's log-odds.
    linear, near
        What each label adds to the linear term and to rows near it.
    own
        The weight of the own classifier's votes.
    evidence
        How probable it is that there is more to correct than the line.
    """

    offset: float
    slope: float
    linear: Floats
    near: Floats
    own: float
    evidence: float


def fit_terms(
    prior: Floats,
    y: ArrayLike,
    products: Floats,
    lengths: Floats,
    origins: NDArray[np.int64],
    own: Floats | None = None,
    added: ArrayLike = 0.0,
    nearby: float = NEAR,
) -> Terms:
    """The terms that explain labels, from the products of labelled rows with each other (see :meth:`SeenRows.products`).

    ``added`` is what the log-odds of rows have beside all terms, ``nearby`` the variance of nearness relative to that of the
    linear term.
    """
    gold = np.asarray(y).astype(np.float64)
    if not gold.size:
        return Terms(0.0, 1.0, np.zeros(0), np.zeros(0), 0.0, 0.0)
    if gold.size > MOST_EXACT:
        return _line_only(prior, gold, own)
    mean = prior + np.asarray(added, np.float64)
    near = nearness(products, lengths, lengths)
    is_other = origins == OTHER_TEXT
    apart = np.outer(is_other, is_other) * PRIVATE
    special_line = apart + np.outer(origins == CHOSEN, origins == CHOSEN) * PRIVATE
    along = np.outer(prior, prior)
    of_own = np.zeros_like(along) if own is None else np.outer(own, own)
    found: list[tuple[float, Floats, tuple[float, float, float, float]]] = []
    for offset_sd, slope_sd, chance in LINES:
        line = (offset_sd**2 + slope_sd**2 * along) * (1 + special_line)
        start = np.zeros(gold.size)
        for amplitude, own_amplitude, share in _grid(own is not None):
            kernel = line + amplitude * (products + nearby * near) * (1 + apart) + own_amplitude * of_own
            start, evidence = _laplace(kernel, mean, gold, start)
            found.append((evidence + np.log(chance * share), start, (offset_sd, slope_sd, amplitude, own_amplitude)))
    weights = special.softmax([evidence for evidence, _, _ in found])
    offset = slope = weight_of_own = corrected = 0.0
    alpha = np.zeros(gold.size)
    for weight, (_, one, (offset_sd, slope_sd, amplitude, own_amplitude)) in zip(weights, found, strict=True):
        offset += weight * offset_sd**2 * one.sum()
        slope += weight * slope_sd**2 * (prior @ one)
        alpha += weight * amplitude * one
        weight_of_own += 0.0 if own is None else weight * own_amplitude * (own @ one)
        corrected += weight * (amplitude + own_amplitude > 0)
    # few labels may rank backwards by chance; that a model knows the opposite of the truth is not believed
    slope, weight_of_own = max(1 + float(slope), 0.0), max(float(weight_of_own), 0.0)
    return Terms(float(offset), slope, alpha, nearby * alpha, weight_of_own, float(corrected))


def _grid(has_own: bool) -> Iterator[tuple[float, float, float]]:
    """Amplitudes of the features and of the own classifier, and how probable each setting is beforehand."""
    settings = [(one, other) for other in ((0.0, *OWN_AMPLITUDES) if has_own else (0.0,)) for one in (0.0, *AMPLITUDES)]
    for one, other in settings:
        yield one, other, NO_CORRECTION if not (one or other) else (1 - NO_CORRECTION) / (len(settings) - 1)


def _line_only(prior: Floats, gold: Floats, own: Floats | None) -> Terms:
    X = np.column_stack([prior, np.ones(gold.size), np.zeros(gold.size) if own is None else own])
    slope, offset, weight = fitted_line(X, gold, np.array([1.0, 0.0, 0.0]), np.array([1.5, 2.0, 1.0]), free=(1,))
    nothing = np.zeros(gold.size)
    return Terms(offset, slope, nothing, nothing, weight, 1.0)


def _laplace(kernel: Floats, mean: Floats, gold: Floats, start: Floats) -> tuple[Floats, float]:
    """Weights of the labels at the mode of a Gaussian process classifier, and its log evidence.

    Newton's method as in Rasmussen and Williams (2006), Algorithm 3.1, with a mean that is not 0 and with halved steps.
    """
    from scipy import linalg  # not at the top: who only predicts does not wait for it

    alpha, value = start, -np.inf
    latent = mean + kernel @ alpha
    identity = np.eye(gold.size)
    for _ in range(30):
        p = special.expit(latent)
        root = np.sqrt(np.maximum(p * (1 - p), 1e-9))
        factor = linalg.cho_factor(identity + root[:, None] * kernel * root, lower=True, overwrite_a=True, check_finite=False)
        wanted = root**2 * (latent - mean) + gold - p
        step = wanted - root * linalg.cho_solve(factor, root * (kernel @ wanted), check_finite=False) - alpha
        before, size = value, 1.0
        while True:
            moved = alpha + size * step
            latent = mean + kernel @ moved
            value = float(-0.5 * moved @ (latent - mean) - np.logaddexp(0, latent).sum() + gold @ latent)
            if value >= before - 1e-9 or size < 1e-3:
                break
            size /= 2
        alpha = moved
        if value - before < 1e-4:
            break
    return alpha, value - float(np.log(np.diag(factor[0])).sum())


@dataclass(frozen=True, eq=False)
class FittedCorrection(FittedClassifier):
    """A prior and what labels have added to it.

    Attributes
    ----------
    look, answers, terms
        How rows are seen, the labelled rows as they are seen, and what was learned from them.
    before, calibration
        The classifier that is corrected and the map to its probabilities; ``None``: the prior's log-odds are the last column
        of the features.
    own, own_line
        The classifier of the labels alone, mean and spread of its votes.
    examples
        The labelled rows for people, to explain by; may be empty.
    """

    look: Look
    answers: SeenRows
    terms: Terms
    n_features: int
    before: FittedClassifier | None = None
    before_kind: str = ""
    calibration: Calibration | None = None
    own: FittedClassifier | None = None
    own_kind: str = ""
    own_line: tuple[float, float] = (0.0, 1.0)
    examples: tuple[str, ...] = ()

    def scores(self, X: Any) -> Floats:
        return np.asarray(special.expit(self.log_odds(X)))

    def log_odds(self, X: Any) -> Floats:
        check_width(CorrectionClassifier.kind, X, self.n_features)
        return self.corrected(self.prior(X), X)

    def prior(self, X: Any) -> Floats:
        """Log-odds before the labels."""
        if self.before is None or self.calibration is None:
            return _column(X, self.n_features - 1)
        return clipped_log_odds(self.calibration.probabilities(self.before.scores(X)))

    def calibrated(self, log_odds: Floats) -> Floats:
        """Log-odds of the classifier before (as members of committees vote) as calibrated ones."""
        if self.calibration is None:
            return log_odds
        is_plain = getattr(type(self.before), "log_odds", None) is not FittedClassifier.log_odds
        return clipped_log_odds(self.calibration.probabilities((special.expit if is_plain else from_log_odds)(log_odds)))

    def corrected(self, prior: ArrayLike, X: Any) -> Floats:
        """Log-odds of rows whose prior log-odds are known."""
        rows = self.look(X)
        votes = self.terms.slope * np.asarray(prior, np.float64) + self.terms.offset
        dense, grams = self.weights
        votes = votes + (rows.dense * dense).sum(axis=1) + rows.grams @ grams
        if self.own is not None and self.terms.own:
            votes = votes + self.terms.own * self.own_votes(X)
        if self.terms.near.any():
            votes = votes + (self.nearness(rows) * self.terms.near).sum(axis=1)
        return np.asarray(votes)

    @property
    def weights(self) -> tuple[Floats, Floats]:
        """Of the dense columns and of the n-grams as they are seen."""
        return self.answers.dense.T @ self.terms.linear, np.asarray(self.answers.grams.T @ self.terms.linear)

    def own_votes(self, X: Any) -> Floats:
        """Of the classifier of the labels alone, brought to unit spread."""
        centre, spread = self.own_line
        own_X = X[:, : self.n_features - 1] if self.before is None else X
        return np.zeros(X.shape[0]) if self.own is None else (self.own.log_odds(own_X) - centre) / spread

    def nearness(self, rows: SeenRows) -> Floats:
        """Of each row to each answer; a row's values depend on no other row, to the last bit."""
        # row by row: a product of whole tables may round a row otherwise in other company
        dense = np.array([self.answers.dense @ row for row in rows.dense]).reshape(len(rows.dense), len(self.answers.dense))
        grams = (rows.grams @ self.answers.grams.T).toarray()
        return nearness(dense + grams, rows.lengths, self.answers.lengths)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        terms, grams = self.terms, self.answers.grams
        numbers = [terms.offset, terms.slope, terms.own, terms.evidence, *self.own_line]
        arrays: dict[str, NDArray[Any]] = {
            "kinds": pack_strings([self.before_kind, self.own_kind]),
            "numbers": np.array(numbers),
            **prefixed("look/", self.look.to_arrays()),
            "labels": np.array([terms.linear, terms.near]),
            "answers": self.answers.dense,
            "grams.data": grams.data,
            "grams.indices": grams.indices,
            "grams.indptr": grams.indptr,
            "grams.shape": np.array(grams.shape),
            "examples": pack_strings(self.examples),
        }
        for name, part in (("before", self.before), ("own", self.own)):
            arrays |= prefixed(f"{name}/", part.to_arrays() if part else {})
        if self.calibration is not None:
            arrays |= prefixed("calibration/", self.calibration.to_arrays())
        return arrays


@dataclass(frozen=True)
class CorrectionClassifier(Classifier):
    """The kind under which model files know a :class:`FittedCorrection`; :func:`corrected` makes them."""

    kind: ClassVar[str] = "correction"

    def fit(self, X: Any, y: ArrayLike, **how: Unpack[Fitting]) -> FittedCorrection:
        raise ParameterError("correction: it needs a prior; relhash fit makes one of labels and a prior model")

    @classmethod
    def read(cls, arrays: Arrays) -> FittedCorrection:
        try:
            before_kind, own_kind = unpack_strings(arrays["kinds"])
            look = Look.from_arrays(under(arrays, "look/"))
            offset, slope, own, evidence, centre, spread = map(float, arrays["numbers"])
            linear, near = np.asarray(arrays["labels"], np.float64)
            matrix = (arrays["grams.data"], arrays["grams.indices"], arrays["grams.indptr"])
            grams = sparse.csr_matrix(matrix, shape=tuple(map(int, arrays["grams.shape"])))
            dense = np.asarray(arrays["answers"], np.float64).reshape(linear.size, arrays["answers"].shape[-1])
            before, others = under(arrays, "before/"), under(arrays, "own/")
            kept = under(arrays, "calibration/")
            examples = tuple(unpack_strings(arrays["examples"]))
        except (KeyError, ValueError, TypeError) as error:
            raise ModelFileError(f"correction: its arrays do not fit together ({error})") from error
        numbers = np.concatenate([[offset, slope, own, evidence, centre], linear, near])
        width = sum(part.stop - part.start for name, part in look.parts.items() if name != "ngrams")
        if not (np.isfinite(numbers).all() and spread > 0 and grams.shape[0] == linear.size and dense.shape[1] == width):
            raise ModelFileError("correction: its numbers make no sense")
        return FittedCorrection(
            look,
            SeenRows(dense, grams),
            Terms(offset, slope, linear, near, own, evidence),
            look.centre.size + (not before),
            read_classifier(before_kind, before) if before else None,
            before_kind,
            Calibration.from_arrays(kept, kind="platt") if kept else None,
            read_classifier(own_kind, others) if others else None,
            own_kind,
            (centre, spread),
            examples,
        )


CLASSIFIERS.register(CorrectionClassifier.kind, CorrectionClassifier)


def corrected(
    prior: ArrayLike,
    X: Any,
    y: ArrayLike,
    columns: Mapping[str, slice] | None = None,
    *,
    origins: ArrayLike | None = None,
    background: Any = None,
    own: ArrayLike | None = None,
    examples: Sequence[str] = (),
    nearby: float = NEAR,
) -> FittedCorrection:
    """A correction learned from labelled rows.

    Parameters
    ----------
    prior
        Calibrated log-odds of the rows before any label.
    X, columns
        Features of the rows, and the columns of each part; by default all columns are one part.
    y
        Labels; there may be none.
    origins
        Where each label comes from: :data:`DRAWN` (by default), :data:`CHOSEN` or :data:`OTHER_TEXT`.
    background
        Features of text like that to be read, for the look at features; by default ``X``.
    own
        Votes of a classifier of the labels alone on documents that it was not fitted on.
    examples
        The rows for people.
    nearby
        Variance of nearness relative to that of the linear term; with 0 only the linear term generalises.

    Examples
    --------
    A prior that knows the first of two facts; ten labels teach it the second:

    >>> X = np.random.default_rng(0).normal(size=(400, 2))
    >>> truth, prior = X.sum(axis=1) > 0, 2 * X[:, 0]
    >>> fitted = corrected(prior[:40], X[:40], truth[:40], background=X)
    >>> before, after = (np.mean((votes[40:] > 0) == truth[40:]) for votes in (prior, fitted.corrected(prior, X)))
    >>> bool(before < .8 < .9 < after)
    True
    """
    parts = {"features": slice(0, X.shape[1])} if columns is None else columns
    gold, known = np.asarray(y).astype(bool), np.clip(np.asarray(prior, np.float64), -FURTHEST, FURTHEST)
    if known.shape != gold.shape or X.shape[0] != gold.size:
        raise ParameterError(f"{X.shape[0]} rows have {known.size} prior log-odds and {gold.size} labels")
    with one_blas_thread():
        look = Look.at(X if background is None else background, parts)
        rows = look(X)
        votes, line = _unit_spread(own)
        origin = origins_of(origins, gold.size)
        terms = fit_terms(known, gold, rows.products(rows), rows.lengths, origin, votes, nearby=nearby)
    used = not terms.linear.any()
    answers = rows.of(slice(0, 0)) if used else rows
    terms = terms._replace(linear=terms.linear[:0], near=terms.near[:0]) if used else terms
    return FittedCorrection(look, answers, terms, X.shape[1] + 1, own_line=line, examples=() if used else tuple(examples))


def held_out_log_odds(
    fitted: FittedCorrection, prior: ArrayLike, X: Any, y: ArrayLike, documents: ArrayLike, *, n_folds: int = FOLDS,
    origins: ArrayLike | None = None, own: ArrayLike | None = None,
) -> Floats:  # fmt: skip
    """What the labelled rows get from corrections that have not seen the labels of their documents."""
    gold, known = np.asarray(y).astype(bool), np.clip(np.asarray(prior, np.float64), -FURTHEST, FURTHEST)
    found, origin = known.copy(), origins_of(origins, gold.size)
    votes, _ = _unit_spread(own)
    with one_blas_thread():
        rows = fitted.look(X)
        products, lengths = rows.products(rows), rows.lengths
        for train, test in document_folds(gold, documents, n_folds, quiet=True):
            inside = np.ix_(train, train)
            mine = None if votes is None else votes[train]
            terms = fit_terms(known[train], gold[train], products[inside], lengths[train], origin[train], mine)
            across = products[np.ix_(test, train)]
            found[test] = terms.slope * known[test] + terms.offset + across @ terms.linear
            found[test] += nearness(across, lengths[test], lengths[train]) @ terms.near
            found[test] += 0.0 if votes is None else terms.own * votes[test]
    return found


def clipped_log_odds(probabilities: ArrayLike) -> Floats:
    """Log-odds that are no further from 0 than :data:`FURTHEST`."""
    return np.clip(special.logit(np.clip(np.asarray(probabilities, np.float64), 1e-4, 1 - 1e-4)), -FURTHEST, FURTHEST)


def origins_of(given: ArrayLike | None, n: int) -> NDArray[np.int64]:
    """Where ``n`` labels come from; drawn at random by default."""
    return np.full(n, DRAWN) if given is None else np.asarray(given, np.int64)


def _unit_spread(own: ArrayLike | None) -> tuple[Floats | None, tuple[float, float]]:
    votes = np.asarray([] if own is None else own, np.float64)
    if votes.size < FEWEST_OF_OWN:
        return None, (0.0, 1.0)
    line = float(votes.mean()), max(float(votes.std()), LEAST_SPREAD)
    return (votes - line[0]) / line[1], line


def _column(X: Any, number: int) -> Floats:
    return dense(X[:, [number]]).ravel()


def fitted_line(X: Floats, y: ArrayLike, centre: Floats, spread: Floats, *, free: tuple[int, ...]) -> list[float]:
    """Logistic regression with a normal prior around ``centre``; coefficients that are not ``free`` cannot fall below 0."""
    right = np.asarray(y).astype(np.float64)
    if right.shape != (len(X),):
        raise ParameterError(f"{len(X)} rows have {right.size} labels")

    def loss(weights: Floats) -> tuple[float, Floats]:
        margin, away = X @ weights, (weights - centre) / spread
        value = np.sum(np.logaddexp(0, margin) - right * margin) + 0.5 * np.dot(away, away)
        return float(value), X.T @ (special.expit(margin) - right) + away / spread

    bounds = [(None if number in free else 0.0, None) for number in range(len(centre))]
    from scipy import optimize  # not at the top: prediction does not need it

    return [float(weight) for weight in optimize.minimize(loss, centre, jac=True, method="L-BFGS-B", bounds=bounds).x]
