"""Is a row right as it stands? From the probability of a pair to that of a row whose names a recogniser found.

On raw text a row can also be wrong because a name is none, is cut wrongly, or stands for something else. So

    P(row) = P(related | both names right) · P(first name right) · P(second name right)

Each factor is a line in log-odds: of the pair's calibrated probability, and of the recogniser's certainty about a name. Hints
move it: what the words around the names say (:mod:`relhash.biomed.names.hints`), whether a name has an id, how many names and
words the sentence has; and so do the words on the path between the two. Lines and hints are few, and fitted to some thousand
judged rows (:meth:`EndToEnd.fitted`); without a fit the lines are the identity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from relhash.codec import InJson
from relhash.errors import ModelFileError, ParameterError

Floats = NDArray[np.float64]
CERTAIN = 1.0
"""The certainty of a name that people annotated: it counts as right."""
NEAREST = 1e-4
"""Probabilities count as at least so far from 0 and 1: no classifier and no recogniser is surer than that."""
ID = "id"
"""The hint that a name has an id."""
SOMETHING_ELSE = ("site", "antibody", "tag", "part", "construct", "compound", "assay")
"""Hints that a name of a protein stands for something else, by rules that were not fitted."""
_DOUBT = 3.0
SEEN_OFTEN = 5
"""Rows that must have a word before it says anything."""
EVEN = 0.5
"""Without a threshold of its own a row needs names that are more likely right than not."""


class Names(NamedTuple):
    """What is known of the names of candidates, one row per candidate and one column per name.

    ``hints`` says which of ``of_names`` each name has, ``pair_hints`` which of ``of_pairs`` each candidate has, or how much of
    them; ``words`` are those on the path between its names.
    """

    certainties: Floats
    hints: NDArray[np.bool_]
    pair_hints: Floats
    words: Sequence[Collection[str]]
    of_names: tuple[str, ...]
    of_pairs: tuple[str, ...]

    @classmethod
    def certain(cls, certainties: ArrayLike) -> Names:
        """Names of which nothing else is known."""
        given = np.asarray(certainties, np.float64)
        return cls(given, np.zeros((*given.shape, 0), bool), np.zeros((len(given), 0)), [()] * len(given), (), ())

    @property
    def are_found(self) -> NDArray[np.bool_]:
        """Which rows have a name that a recogniser found."""
        return np.asarray((self.certainties < CERTAIN).any(axis=1))

    def rows(self, chosen: ArrayLike) -> Names:
        """Some of the rows."""
        at = np.arange(len(self.words))[np.asarray(chosen)]
        words = [self.words[row] for row in at]
        return self._replace(
            certainties=self.certainties[at], hints=self.hints[at], pair_hints=self.pair_hints[at], words=words
        )


@dataclass(frozen=True)
class EndToEnd(InJson):
    """The lines of the two factors, and the probability from which a row with names that a recogniser found is accepted.

    Attributes
    ----------
    pair_slope, pair_offset
        Log-odds that two right names are related, as a line of the log-odds of the classifier's probability.
    name_slope, name_offset
        Log-odds that a name is right, as a line of the log-odds of the recogniser's certainty.
    name_hints, pair_hints, words
        What each hint adds to the log-odds of a name, and of a pair; and what each word between the two does.
    threshold
        ``None``: what the classifier's own threshold accepts, if its names are more likely right than not.

    >>> EndToEnd().probabilities([.9, .9], Names.certain([[1, 1], [1, .5]])).round(2)  # a name annotated, and half certain
    array([0.9 , 0.45])
    """

    pair_slope: float = 1.0
    pair_offset: float = 0.0
    name_slope: float = 1.0
    name_offset: float = 0.0
    name_hints: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(SOMETHING_ELSE, -_DOUBT))
    pair_hints: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)
    threshold: float | None = None

    is_whole: ClassVar[bool] = True

    def names(self, names: Names) -> Floats:
        """Probability that each name is right; 1 for annotated ones."""
        moved = names.hints @ _weights(self.name_hints, names.of_names)
        found = special.expit(self.name_slope * _log_odds(names.certainties) + self.name_offset + moved)
        return np.asarray(np.where(names.certainties >= CERTAIN, 1.0, found))

    @property
    def knows_pairs(self) -> bool:
        """Whether the line of pairs was fitted to judged rows."""
        return (self.pair_slope, self.pair_offset) != (1.0, 0.0)

    def pairs(self, probabilities: ArrayLike, names: Names) -> Floats:
        """Probability that two right names in raw text are related."""
        moved = names.pair_hints @ _weights(self.pair_hints, names.of_pairs)
        if self.words:
            moved = moved + [sum(self.words.get(word, 0.0) for word in own) for own in names.words]
        return np.asarray(special.expit(self.pair_slope * _log_odds(probabilities) + self.pair_offset + moved))

    def probabilities(self, pairs: ArrayLike, names: Names) -> Floats:
        """Probability of each row, from the calibrated one of its pair; the same where all names are annotated."""
        own = np.asarray(pairs, np.float64)
        return np.asarray(np.where(names.are_found, self.pairs(own, names) * self.names(names).prod(axis=1), own))

    def accepted(self, labels: ArrayLike, probabilities: ArrayLike, names: Names) -> NDArray[np.bool_]:
        """Which rows are accepted; ``labels`` says which the classifier's own threshold accepts."""
        own = np.asarray(labels).astype(bool)
        if self.threshold is None:
            return np.asarray(own & (self.names(names).prod(axis=1) >= EVEN))
        return np.where(names.are_found, np.asarray(probabilities) >= self.threshold, own)

    def fitted(
        self,
        pairs: ArrayLike,
        names: Names,
        right: ArrayLike,
        weights: ArrayLike | None = None,
        *,
        spread: float = 1.0,
        spread_of_words: float = 0.3,
    ) -> EndToEnd:
        """Lines and hints fitted to judged rows (1 right, .5 debatable, 0 wrong).

        It is the most likely rule, given that each weight is likely within ``spread`` of what it is now, those of words within
        ``spread_of_words``. Words that fewer than :data:`SEEN_OFTEN` rows have get none. Slopes stay above 0.
        """
        y = np.asarray(right, np.float64)
        if y.shape != (len(names.certainties),):
            raise ParameterError(f"{len(names.certainties)} rows have {y.size} labels")
        importance = np.ones_like(y) if weights is None else np.asarray(weights, np.float64)
        is_found = (names.certainties < CERTAIN).astype(np.float64)
        ones = np.ones(names.certainties.shape)
        counts = Counter(word for own in names.words for word in own)
        words = sorted({word for word, count in counts.items() if count >= SEEN_OFTEN} | self.words.keys())
        place = {word: number for number, word in enumerate(words)}
        has_word = np.zeros((len(y), len(words)))
        for row, own in enumerate(names.words):
            has_word[row, [place[word] for word in own if word in place]] = 1.0
        of_pair = np.column_stack([_log_odds(pairs), np.ones(len(y)), names.pair_hints, has_word])
        of_name = np.concatenate([np.stack([_log_odds(names.certainties), ones], axis=2), names.hints], axis=2)
        n_pair, n_hints = of_pair.shape[1], 2 + len(names.of_pairs)
        before = [self.pair_slope, self.pair_offset, *_weights(self.pair_hints, names.of_pairs), *_weights(self.words, words)]
        centre = np.array([*before, self.name_slope, self.name_offset, *_weights(self.name_hints, names.of_names)])
        scale = np.full(len(centre), spread)
        scale[n_hints:n_pair] = spread_of_words

        def loss(given: Floats) -> tuple[float, Floats]:
            a, b = of_pair @ given[:n_pair], of_name @ given[n_pair:]
            pair, name = special.expit(a), np.where(is_found > 0, special.expit(b), 1.0)
            row = np.clip(pair * name.prod(axis=1), 1e-9, 1 - 1e-9)
            value = -np.sum(importance * (y * np.log(row) + (1 - y) * np.log1p(-row)))
            slope = importance * ((1 - y) * row / (1 - row) - y)  # of the loss by the logarithm of the row
            gradient = np.concatenate(
                [(slope * (1 - pair)) @ of_pair, np.einsum("r,rk,rkh->h", slope, (1 - name) * is_found, of_name)]
            )
            away = (given - centre) / scale
            return float(value + 0.5 * away @ away), gradient + away / scale

        from scipy import optimize  # not at the top: prediction does not need it

        bounds = [(0.05, None) if place in (0, n_pair) else (None, None) for place in range(len(centre))]
        best = optimize.minimize(loss, centre, jac=True, method="L-BFGS-B", bounds=bounds).x.tolist()
        return replace(
            self,
            pair_slope=best[0],
            pair_offset=best[1],
            pair_hints=_by_name(names.of_pairs, best[2:n_hints]),
            words=_by_name(words, best[n_hints:n_pair]),
            name_slope=best[n_pair],
            name_offset=best[n_pair + 1],
            name_hints=_by_name(names.of_names, best[n_pair + 2 :]),
        )

    @classmethod
    def upgraded(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Version 0.2 had one bonus for a known name and one malus for a doubted one; the first rules knew no words."""
        given = {"words": {}, **given}
        if "known_bonus" not in given or "doubted_malus" not in given:
            return given
        rest = {name: value for name, value in given.items() if name not in ("known_bonus", "doubted_malus")}
        bonus, doubt = float(given["known_bonus"]), -float(given["doubted_malus"])  # doubted names did not get the bonus
        is_fitted = (given["pair_slope"], given["pair_offset"]) != (1.0, 0.0)
        own = {ID: bonus, **dict.fromkeys(SOMETHING_ELSE, doubt - bonus)}
        return {**rest, "name_hints": own, "pair_hints": dict.fromkeys(_BYSTANDERS, doubt) if is_fitted else {}}

    def verify(self) -> None:
        lines = [self.pair_slope, self.pair_offset, self.name_slope, self.name_offset]
        numbers = [*lines, *self.name_hints.values(), *self.pair_hints.values(), *self.words.values(), self.threshold]
        if not np.isfinite([*filter(None, numbers)]).all() or min(self.pair_slope, self.name_slope) < 0:
            raise ModelFileError("end to end: more certainty would make a row less probable")


_BYSTANDERS = ("pathway", "fusion", "either", "compared", "part of", "kind of", "same done", "own process", "contrast")
"""Hints that version 0.2 took for a sign that two names only stand side by side."""


def _weights(hints: Mapping[str, float], of: Sequence[str]) -> Floats:
    return np.array([hints.get(name, 0.0) for name in of], np.float64)


def _by_name(names: Sequence[str], weights: Sequence[float]) -> dict[str, float]:
    return {name: round(weight, 4) for name, weight in zip(names, weights, strict=True) if abs(weight) > 1e-3}


def _log_odds(probabilities: ArrayLike) -> Floats:
    return np.asarray(special.logit(np.clip(np.asarray(probabilities, np.float64), NEAREST, 1 - NEAREST)))
