"""From the numbers of sightings to probabilities that claims are what their sentences say; fitted to verdicts of your own.

The judge that ships is a weighted sum: no label of any judged row is in it but its calibration. ``relhash check --fit`` adds
boosted trees over all numbers and a linear model over numbers and words; both see the sum, too. How much each of the three
counts is chosen on papers that none of them has seen, so that a hundred verdicts move the judge little and a thousand a lot. If
the result is not better there, the sum stays alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special

from relhash.errors import ModelFileError, ParameterError
from relhash.files import replacing
from relhash.learn.classifier import FittedClassifier
from relhash.learn.forest import BoostedClassifier
from relhash.model.checking.features import WORD
from relhash.resources import resource_path

SCHEMA = 2
SUPPORTED, UNSUPPORTED, LOOK, CANNOT_TELL = "supported", "unsupported", "look", "cannot tell"
FEWEST = 40
"""Verdicts of which a judge can be fitted, and groups of papers on which it is measured meanwhile."""
FOLDS = 5
SHARE_OF_NUMBERS = 0.1
"""Weight of a standardised number beside the words of a row, whose vector has length 1."""
Floats = NDArray[np.float64]
Numbers = Sequence[Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class Correction:
    """What was learned from verdicts: trees over named numbers and the sum, a linear model over these and words, and how much
    the sum, the trees and the linear model count (``shares``)."""

    names: tuple[str, ...]
    trees: FittedClassifier
    weights: Sequence[float]
    words: Mapping[str, float]
    bias: float
    shares: Sequence[float]

    @classmethod
    def learned(cls, numbers: Numbers, base: Floats, right: NDArray[np.bool_]) -> Correction:
        """Trees and linear model of judged rows; the sum does not count yet."""
        from sklearn.linear_model import LogisticRegression

        names = tuple(sorted({name for one in numbers for name in one if not name.startswith(WORD)}))
        counts = Counter(name for one in numbers for name in one if name.startswith(WORD))
        words = {word: 0.0 for word, count in sorted(counts.items()) if count > 1}
        X = _matrix(numbers, base, names)
        mean, scale = X.mean(axis=0), np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0) / SHARE_OF_NUMBERS
        both = sparse.hstack([sparse.csr_matrix((X - mean) / scale), _word_rows(numbers, words)]).tocsr()
        linear = LogisticRegression(C=0.3, solver="liblinear", random_state=0).fit(both, right)
        weights, of_words = linear.coef_[0][: mean.size] / scale, linear.coef_[0][mean.size :].round(4).tolist()
        trees = BoostedClassifier(n_trees=200, depth=4, rate=0.04, rows=0.5, columns=0.1).fit(X, right, random_state=0)
        bias = float(linear.intercept_[0] - mean @ weights)
        return cls(names, trees, weights.tolist(), dict(zip(words, of_words, strict=True)), bias, (0.0, 1.0, 1.0))

    def parts(self, numbers: Numbers, base: Floats) -> Floats:
        """One row per claim: the sum, what the trees say, what the linear model says."""
        X = _matrix(numbers, base, self.names)
        words = _word_rows(numbers, self.words) @ np.array([*self.words.values()])
        linear = self.bias + np.einsum("ij,j->i", X, np.asarray(self.weights)) + words
        return np.column_stack([base, self.trees.log_odds(X), linear])

    def log_odds(self, numbers: Numbers, base: Floats) -> Floats:
        *shares, bias = self.shares
        return np.asarray(np.einsum("ij,j->i", self.parts(numbers, base), np.asarray(shares)) + bias)


@dataclass(frozen=True, eq=False)
class Judge:
    """A weighted sum of named numbers, maybe corrected, and the probabilities from which on a claim counts as supported or not.

    Attributes
    ----------
    weights, bounds
        Of the features (:mod:`relhash.model.checking.features`), and between which values they count.
    accept, reject
        Probabilities from which on a claim is supported, and up to which it is not; a person has to look at those between.
    precision
        Pairs of a probability and the share of right claims from it on, on rows that the judge was measured on.
    """

    bias: float
    weights: Mapping[str, float]
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    accept: float = 0.65
    reject: float = 0.4
    precision: Sequence[tuple[float, float]] = ()
    made_from: str = ""
    correction: Correction | None = None

    def log_odds(self, numbers: Numbers) -> Floats:
        total = np.full(len(numbers), self.bias)
        for name, weight in self.weights.items():
            low, high = self.bounds.get(name, (-np.inf, np.inf))
            total += weight * np.clip([one.get(name, 0.0) for one in numbers], low, high)
        return total if self.correction is None else self.correction.log_odds(numbers, total)

    def probabilities(self, numbers: Numbers) -> list[float]:
        found: list[float] = special.expit(self.log_odds(numbers)).tolist()
        return found

    def accepting(self, precision: float) -> Judge:
        """The judge that calls supported what was right in so many cases, on the rows that it was measured on."""
        enough = [probability for probability, share in self.precision if share >= precision]
        if not enough:
            best = max((share for _, share in self.precision), default=0.0)
            raise ParameterError(f"precision={precision}: this judge reached at most {best:.2f} on the rows it was measured on")
        return replace(self, accept=min(enough))

    def fitted(self, numbers: Numbers, right: Sequence[bool], groups: Sequence[str]) -> Judge:
        """The judge, fitted to claims with verdicts; ``groups`` (papers) are held out together."""
        from sklearn.linear_model import LogisticRegression
        from sklearn.metrics import roc_auc_score
        from sklearn.model_selection import GroupKFold

        y = np.asarray(right, bool)
        if min(y.sum(), (~y).sum()) < FEWEST // 4 or y.size < FEWEST or len(set(groups)) < FOLDS:
            raise ParameterError(
                f"{int(y.sum())} right and {int((~y).sum())} wrong rows of {len(set(groups))} papers: a judge needs {FEWEST} "
                f"rows of {FOLDS} papers, {FEWEST // 4} of them of either kind"
            )
        base = replace(self, correction=None).log_odds(numbers)
        parts = np.zeros((y.size, 3))
        for train, test in GroupKFold(FOLDS).split(base, y, groups):
            learned = Correction.learned([numbers[n] for n in train], base[train], y[train])
            parts[test] = learned.parts([numbers[n] for n in test], base[test])
        weighed = LogisticRegression(C=1.0).fit(parts, y)
        held_out = weighed.decision_function(parts)
        if roc_auc_score(y, held_out) <= roc_auc_score(y, base) or weighed.coef_[0][1:].sum() <= 0:
            return replace(self, made_from=f"{self.made_from}; {y.size} verdicts did not make it better")
        shares = [*weighed.coef_[0].tolist(), float(weighed.intercept_[0])]
        return replace(
            self,
            correction=replace(Correction.learned(numbers, base, y), shares=shares),
            precision=shares_of_right(special.expit(held_out), y),
            made_from=f"{self.made_from}; {y.size} verdicts of {len(set(groups))} papers",
        )

    def save(self, path: Path) -> None:
        own = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "correction"}
        if self.correction is not None:
            arrays = {name: array.tolist() for name, array in self.correction.trees.to_arrays().items()}
            parts = {name: getattr(self.correction, name) for name in self.correction.__dataclass_fields__}
            own["correction"] = {**parts, "trees": arrays}
        with replacing(path, "wb") as handle:
            handle.write(json.dumps({"schema": SCHEMA, **own}, indent=1, sort_keys=True).encode() + b"\n")

    @classmethod
    def load(cls, path: Path) -> Judge:
        try:
            given: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if given.pop("schema") != SCHEMA:
                raise ModelFileError(f"{path}: made by another version of RelHash; make it again with relhash check --fit")
            given["bounds"] = {name: (float(low), float(high)) for name, (low, high) in given["bounds"].items()}
            given["precision"] = tuple((float(p), float(share)) for p, share in given["precision"])
            if (parts := given.pop("correction", None)) is not None:
                arrays = {name: np.array(values) for name, values in parts.pop("trees").items()}
                given["correction"] = Correction(trees=BoostedClassifier.read(arrays), **parts)
            return cls(**given)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelFileError(f"{path}: not a judge ({error}); relhash check --fit -o my.judge makes one") from error


def shares_of_right(probabilities: Floats, right: NDArray[np.bool_], steps: int = 40) -> tuple[tuple[float, float], ...]:
    """For probabilities from 0.5 on the share of right rows among those at least as probable, of 30 rows or more."""
    found = []
    for cut in np.linspace(0.5, 0.99, steps):
        kept = probabilities >= cut
        if kept.sum() >= 30:
            found.append((round(float(cut), 4), round(float(right[kept].mean()), 4)))
    return tuple(found)


def _matrix(numbers: Numbers, base: Floats, names: Sequence[str]) -> Floats:
    return np.column_stack([[[one.get(name, 0.0) for name in names] for one in numbers], base]).astype(np.float64)


def _word_rows(numbers: Numbers, words: Mapping[str, float]) -> sparse.csr_matrix:
    """One row per claim: the words that are known, all alike, as a vector of length 1."""
    column = {word: number for number, word in enumerate(words)}
    found = [[column[name] for name in one if name in column] for one in numbers]
    values = np.concatenate([np.full(len(own), max(len(own), 1) ** -0.5) for own in found])
    starts = np.cumsum([0, *map(len, found)])
    return sparse.csr_matrix((values, [place for own in found for place in own], starts), (len(found), len(words)))


@cache
def shipped_judge() -> Judge:
    """The judge that ships."""
    return Judge.load(resource_path("statements", "judge.json"))
