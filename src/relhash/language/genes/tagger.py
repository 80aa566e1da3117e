"""Genes and proteins in text: a conditional random field over spellings, neighbours and a list of known names.

One set of weights serves two guidelines (:data:`~relhash.language.genes.model.GUIDELINES`): the broad one decides what is a
mention; the certainty of a mention is its probability by the strict one, calibrated on text that it was not fitted on.
What a spelling weighs is worked out once and remembered, so a sentence costs little more than looking its words up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled
from relhash.language import genes
from relhash.language.annotation import PredictedMention
from relhash.language.genes.boundaries import trimmed, up_to_receptors
from relhash.language.genes.chain import best_labels, forward_backward
from relhash.language.genes.forms import form_features, shape
from relhash.language.genes.known import KnownNames
from relhash.language.genes.model import BORDER, CENTRE, GUIDELINES, LABELS, OFFSETS, WIDTH, GeneModel
from relhash.language.genes.place_scores import PlaceTable, Spelling, add_places, numbered
from relhash.language.names.table import shipped_names
from relhash.language.words import Words
from relhash.resources import resource_path

BEGINS = np.array([0.0, 0.0, -np.inf, -np.inf, 0.0])
ENDS = np.array([0.0, -np.inf, -np.inf, 0.0, 0.0])
"""A sentence neither begins nor ends inside a mention."""
_FIRST = [LABELS.index("begin"), LABELS.index("single")]
_LAST = [LABELS.index("end"), LABELS.index("single")]
REMEMBERED = 100_000
"""Spellings whose weights are remembered before all are forgotten: about 20 MB."""
N_BORDERS = 2
LONGEST = 400
"""Tokens of a stretch without a full stop (a table, a list) that are looked at in one go."""


class _Spellings(NamedTuple):
    """What is remembered of spellings, a row each; the first two are what stands before and after a sentence."""

    weights: NDArray[np.float32]
    """What a spelling weighs at each offset."""
    parts: NDArray[np.uint64]
    brackets: NDArray[np.int8]
    """See :class:`~relhash.language.genes.place_scores.Spelling`."""


class GeneTagger:
    """Finds mentions of genes, their products, families and complexes; all are ``"protein"``. Threads may share it."""

    def __init__(self, model: GeneModel, known: KnownNames) -> None:
        self.model, self._known = model, known
        self._places = PlaceTable.of(model.places.rows)
        self._rows: dict[str, int] = {}
        self._spelled = _Spellings(
            np.zeros((1024, len(OFFSETS), WIDTH), np.float32), np.zeros((1024, 6), np.uint64), np.zeros(1024, np.int8)
        )
        self._spelled.weights[:N_BORDERS] = model.wide.weights[model.wide.rows[BORDER]]
        self._spelled.parts[:N_BORDERS] = [np.tile(numbered(sign), 3) for sign in ("^", "$")]
        self._lock = Lock()

    @property
    def fingerprint(self) -> str:
        """Changes with the weights; part of every cache key."""
        return f"genes {genes.VERSION} {self.model.fingerprint}"

    def mentions(self, words: Words) -> list[PredictedMention]:
        """The mentions among ``words``, in their order."""
        found: list[PredictedMention] = []
        for first, after in stretches(words):
            for start, end, certainty in self.spans(words.texts[first:after], words.spaces[first:after]):
                begins, ends = words.groups[first + start][0], words.groups[first + end - 1][1] - 1
                found.append(PredictedMention(words.spans[begins][0], words.spans[ends][1], "protein", (), certainty))
        return found

    def spans(self, texts: Sequence[str], spaces: Sequence[bool]) -> list[tuple[int, int, float]]:
        """(first token, token after the last, certainty) of each mention in a sentence of these tokens.

        ``spaces`` says of each token whether a space follows it.
        """
        return [(first, after, self._certainty(likely)) for first, after, likely in self.graded_spans(texts, spaces)]

    def graded_spans(self, texts: Sequence[str], spaces: Sequence[bool]) -> list[tuple[int, int, float]]:
        """The same with a probability instead of the certainty: that a name begins or ends where the span does, strictly."""
        broad, strict = (np.ascontiguousarray(part) for part in np.split(self.scores(texts, spaces), len(GUIDELINES), axis=1))
        labels = best_labels(broad, self.model.steps[0], BEGINS, ENDS)
        if not labels.any():
            return []
        potentials, forward, backward = np.empty_like(strict), np.empty_like(strict), np.empty_like(strict)
        forward_backward(strict, self.model.steps[1], BEGINS, ENDS, potentials, forward, backward)
        probable = forward * backward
        spans = (trimmed(texts, first, after) for first, after in mention_runs(labels))
        return [
            (first, after, float(max(probable[first, _FIRST].sum(), probable[after - 1, _LAST].sum())))
            for first, after in up_to_receptors(texts, filter(None, spans))
        ]

    def scores(self, texts: Sequence[str], spaces: Sequence[bool]) -> NDArray[np.float64]:
        """The score of each label at each token, by the broad and then by the strict guideline."""
        spelled, rows = self._spellings(texts)
        scores = _summed(spelled.weights, rows)
        weights, known = self.model.places.weights, self._known.numbered(texts)
        add_places(scores, weights, self._places, rows, spelled.parts, spelled.brackets, np.array(spaces, np.bool_), known)
        return scores

    def _certainty(self, probability: float) -> float:
        slope, intercept = self.model.calibration
        return 1 / (1 + math.exp(-(slope * log_odds(probability) + intercept)))

    def _spellings(self, texts: Sequence[str]) -> tuple[_Spellings, NDArray[np.int64]]:
        """What is known of spellings, and the row of each text in it."""
        with self._lock:
            if len(self._rows) + len(texts) > REMEMBERED:
                self._rows.clear()
            rows = np.empty(len(texts), np.int64)
            for index, text in enumerate(texts):
                row = self._rows.get(text)
                if row is None:
                    row = self._rows[text] = len(self._rows) + N_BORDERS
                    if row == len(self._spelled.weights):  # another thread may be reading the old ones: not resized in place
                        self._spelled = _Spellings(*(np.concatenate([own, np.zeros_like(own)]) for own in self._spelled))
                    self._spelled.weights[row] = self._weighed(text)
                    spelling = Spelling.of(text, shape(text), self.model.groups(text)[1])
                    self._spelled.parts[row], self._spelled.brackets[row] = spelling.parts, spelling.bracket
                rows[index] = row
            return self._spelled, rows

    def _weighed(self, text: str) -> NDArray[np.float32]:
        """What the spelling says of the tokens around it: (offsets, labels)."""
        own, wide = self.model.own, self.model.wide
        names = [*form_features(text), *self.model.groups(text)]
        weights: NDArray[np.float32] = wide.weights[[wide.rows[name] for name in names if name in wide.rows]].sum(axis=0)
        weights[CENTRE] += own.weights[[own.rows[name] for name in names if name in own.rows]].sum(axis=0)
        return weights


@compiled
def _summed(table: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Scores of the labels: what the spellings around a token weigh."""
    n_tokens, n_labels = len(rows), table.shape[2]
    reach = table.shape[1] // 2
    scores = np.zeros((n_tokens, n_labels))
    for t in range(n_tokens):
        for k in range(table.shape[1]):
            at = t + k - reach
            row = rows[at] if 0 <= at < n_tokens else 0
            for y in range(n_labels):
                scores[t, y] += table[row, k, y]
    return scores


def log_odds(probability: float) -> float:
    """The logarithm of the odds, kept within what a float can tell from certainty."""
    return math.log(max(probability, 1e-6)) - math.log(max(1 - probability, 1e-6))


def mention_runs(labels: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """(first token, token after the last) of each mention that the labels spell."""
    first = 0
    for index, label in enumerate(labels.tolist()):
        if LABELS[label] in ("begin", "single"):
            first = index
        if LABELS[label] in ("end", "single"):
            yield first, index + 1


def stretches(words: Words) -> Iterator[tuple[int, int]]:
    """(first word, word after the last) of pieces that are about sentences: the tagger runs before the parser, which knows."""
    first = 0
    for index in range(1, len(words.texts)):
        begins = words.starts[index] or (
            words.texts[index - 1] in (".", "?", "!")
            and words.spaces[index - 1]
            and words.starts[index] is None
            and not words.texts[index][0].islower()
        )
        if begins or index - first == LONGEST:
            yield first, index
            first = index
    if words.texts:
        yield first, len(words.texts)


@cache
def shipped_gene_tagger() -> GeneTagger:
    """The tagger that ships, read once."""
    return GeneTagger(GeneModel.read(resource_path("genes", "model.npz")), KnownNames(shipped_names()))
