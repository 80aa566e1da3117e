"""From the probability of a pair to that of a row whose names a tagger found: both names are right, *and* they are related.

A classifier is fitted and calibrated on entities that people annotated. On raw text a row can also be wrong because a name is
none, or is cut wrongly, and that happens more often than a wrong relation. So

    P(row) = P(related | both names right) · P(first name right) · P(second name right)

Each factor is a line in log-odds: of the pair's calibrated probability, and of the tagger's certainty about a name, raised
where the name has a database id and lowered where its own words say that it is something else (the standing of a name). Without
a fit the lines are the identity: classifier and tagger are taken at their word. There are few parameters, so that a hundred
rows that somebody has read can move them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from relhash.errors import ModelFileError, ParameterError

Floats = NDArray[np.float64]
CERTAIN = 1.0
"""The certainty of a name that people annotated: it counts as right."""
NEAREST = 1e-4
"""Probabilities count as at least so far from 0 and 1: no classifier and no tagger is surer than that."""
DOUBTED, UNKNOWN, KNOWN = -1, 0, 1
"""Standings of a name: its own words say that it is something else; nothing is known; it has an id."""
EVEN = 0.5
"""Without a threshold of its own a row needs names that are more likely right than not."""


@dataclass(frozen=True)
class EndToEnd:
    """The lines of the two factors, and the probability from which a row with names that a tagger found is accepted.

    Attributes
    ----------
    pair_slope, pair_offset
        Log-odds that two right names are related, as a line of the log-odds of the classifier's probability.
    name_slope, name_offset, known_bonus, doubted_malus
        Log-odds that a name is right, as a line of the log-odds of the tagger's certainty; what an id adds, and what words
        take away that say it is something else.
    threshold
        ``None``: what the classifier's own threshold accepts, if its names are more likely right than not.

    Examples
    --------
    A pair with probability .9, its names annotated; then one name of which the tagger is half sure:

    >>> EndToEnd().probabilities([.9, .9], [[1, 1], [1, .5]]).round(2)
    array([0.9 , 0.45])
    """

    pair_slope: float = 1.0
    pair_offset: float = 0.0
    name_slope: float = 1.0
    name_offset: float = 0.0
    known_bonus: float = 0.0
    doubted_malus: float = 3.0
    threshold: float | None = None

    def names(self, certainties: ArrayLike, standings: ArrayLike = UNKNOWN) -> Floats:
        """Probability that each name is right; 1 for annotated ones."""
        certain, standing = np.asarray(certainties, np.float64), np.asarray(standings)
        moved = self.known_bonus * (standing == KNOWN) - self.doubted_malus * (standing == DOUBTED)
        found = special.expit(self.name_slope * _log_odds(certain) + self.name_offset + moved)
        return np.asarray(np.where(certain >= CERTAIN, 1.0, found))

    @property
    def knows_pairs(self) -> bool:
        """Whether the line of pairs was fitted, to rows that somebody has read."""
        return (self.pair_slope, self.pair_offset) != (1.0, 0.0)

    def pairs(self, probabilities: ArrayLike, bystanders: ArrayLike = False) -> Floats:
        """Probability that two right names in raw text are related.

        ``bystanders`` are pairs whose words say that they are only named together. Readers call them wrong, so a line that
        was fitted to what they say doubts them as it doubts a name; without one the classifier is taken at its word.
        """
        doubt = self.doubted_malus * np.asarray(bystanders, np.float64) if self.knows_pairs else 0.0
        return np.asarray(special.expit(self.pair_slope * _log_odds(probabilities) + self.pair_offset - doubt))

    def probabilities(
        self, pairs: ArrayLike, certainties: ArrayLike, standings: ArrayLike = UNKNOWN, bystanders: ArrayLike = False
    ) -> Floats:
        """Probability of each row; where all names are annotated, the classifier's own.

        Parameters
        ----------
        pairs
            The classifier's calibrated probability, one per row.
        certainties, standings
            How sure the tagger is of each name, and its standing: one row per row, one column per name.
        bystanders
            Which pairs are only named together (:meth:`pairs`), one per row.
        """
        own = np.asarray(pairs, np.float64)
        given = np.asarray(certainties, np.float64)
        of_found = self.pairs(own, bystanders) * self.names(given, standings).prod(axis=1)
        return np.asarray(np.where((given >= CERTAIN).all(axis=1), own, of_found))

    def accepted(
        self, labels: ArrayLike, probabilities: ArrayLike, certainties: ArrayLike, standings: ArrayLike = UNKNOWN
    ) -> NDArray[np.bool_]:
        """Which rows are accepted; ``labels`` says which the classifier's own threshold accepts."""
        given, own = np.asarray(certainties, np.float64), np.asarray(labels).astype(bool)
        if self.threshold is None:
            return np.asarray(own & (self.names(given, standings).prod(axis=1) >= EVEN))
        return np.where((given >= CERTAIN).all(axis=1), own, np.asarray(probabilities) >= self.threshold)

    def with_pairs(self, probabilities: ArrayLike, related: ArrayLike, *, spread: tuple[float, float] = (0.5, 2.0)) -> EndToEnd:
        """The line of pairs fitted to pairs of right names, ``spread`` being how far slope and offset may easily move."""
        X = np.column_stack([_log_odds(probabilities), np.ones(np.size(probabilities))])
        slope, offset = fitted_line(X, related, np.array([self.pair_slope, self.pair_offset]), np.array(spread), free=(1,))
        return replace(self, pair_slope=slope, pair_offset=offset)

    def with_names(
        self,
        certainties: ArrayLike,
        standings: ArrayLike,
        right: ArrayLike,
        *,
        spread: tuple[float, float, float, float] = (0.5, 2.0, 1.0, 1.0),
    ) -> EndToEnd:
        """The line of names fitted to names of which somebody knows whether they are right."""
        standing = np.asarray(standings)
        known, doubted = (standing == KNOWN).astype(np.float64), (standing == DOUBTED).astype(np.float64)
        X = np.column_stack([_log_odds(certainties), np.ones(standing.size), known, -doubted])
        centre = np.array([self.name_slope, self.name_offset, self.known_bonus, self.doubted_malus])
        slope, offset, bonus, malus = fitted_line(X, right, centre, np.array(spread), free=(1,))
        return replace(self, name_slope=slope, name_offset=offset, known_bonus=bonus, doubted_malus=malus)

    def with_precision(self, probabilities: ArrayLike, wanted: float) -> EndToEnd:
        """The lowest threshold from which on rows like these are expected to be right in a share of ``wanted``.

        >>> EndToEnd().with_precision([.95, .9, .7, .5, .1], .8).threshold
        0.7
        """
        ordered = np.sort(np.asarray(probabilities, np.float64))[::-1]
        expected = np.cumsum(ordered) / np.arange(1, ordered.size + 1)
        last_of_equals = np.append(np.diff(ordered) < 0, True)  # equal rows are accepted together
        good = np.flatnonzero((expected >= wanted) & last_of_equals)
        if not good.size:
            raise ParameterError(f"no threshold has an expected precision of {wanted}: no row of this text is as probable")
        return replace(self, threshold=float(ordered[good[-1]]))

    def to_dict(self) -> dict[str, Any]:
        """As JSON takes it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> EndToEnd:
        """The inverse of :meth:`to_dict`."""
        names = [field.name for field in fields(cls)]
        if not isinstance(given, Mapping) or sorted(given) != sorted(names):
            raise ModelFileError(f"end to end: expected {', '.join(names)}")
        lines = {name: float(given[name]) for name in names if name != "threshold"}
        read = cls(**lines, threshold=None if given["threshold"] is None else float(given["threshold"]))
        numbers = [number for number in asdict(read).values() if number is not None]
        if not np.isfinite(numbers).all() or min(read.pair_slope, read.name_slope, read.known_bonus, read.doubted_malus) < 0:
            raise ModelFileError("end to end: more certainty would make a row less probable")
        return read


AT_THEIR_WORD = EndToEnd()
"""What a model has that nobody calibrated on raw text."""


def _log_odds(probabilities: ArrayLike) -> Floats:
    return np.asarray(special.logit(np.clip(np.asarray(probabilities, np.float64), NEAREST, 1 - NEAREST)))


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
    from scipy import optimize  # not at the top: who only predicts does not wait for it

    return [float(weight) for weight in optimize.minimize(loss, centre, jac=True, method="L-BFGS-B", bounds=bounds).x]
