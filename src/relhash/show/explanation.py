"""Everything that a report on a model and a text shows, computed: evidence for the most probable rows, and a look at the model.

Nearest labelled candidates come from the model file as codes and labels (it holds no sentences: some corpora may not be passed
on), and with their sentences from a labelled corpus, if somebody has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import StructureSet
from relhash.candidates.evidence import Evidence
from relhash.candidates.scene import Scene
from relhash.corpus.read_write import CorpusLike
from relhash.hashing.hamming import nearest_codes
from relhash.learn.labels import has_label
from relhash.model.answers.teaching import Taught, Teaching
from relhash.model.fitted import FittedModel
from relhash.model.prediction import Prediction
from relhash.model.reading.found_names import names_of
from relhash.model.seen import UNLABELLED
from relhash.show.model_view import ModelView, ReadableFunction, functions_near, readable_function, view_of_model
from relhash.show.reasons import Reasons, reasons_of

NEIGHBOURS = 5
FUNCTIONS = 3
AT_ONCE = 64
"""Candidates whose contributions are computed at a time: rows are dense then."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A labelled candidate: how many bits differ, whether it is related, and its sentence if there is a corpus."""

    distance: int
    is_related: bool
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Explained:
    """A row with its evidence.

    Attributes
    ----------
    pair_probability, names_probability
        Their product is the probability of the row: the names are related if they are right, and they are right. (For names
        that people annotated the second is 1.)
    seen, n_seen
        How often the training text has such sentences, and how many of its candidates are as near as is usual there; empty if
        the model file does not tell.
    """

    prediction: Prediction
    reasons: Reasons
    functions: tuple[ReadableFunction, ...]
    neighbours: tuple[Neighbour, ...]
    pair_probability: float
    names_probability: float
    seen: str = ""
    n_seen: int = 0


@dataclass(frozen=True)
class Explanation:
    """The content of a report."""

    title: str
    model: FittedModel
    rows: Sequence[Explained]
    view: ModelView
    n_candidates: int
    n_accepted: int
    labelled: str = ""
    """What the neighbours are from."""


def explain(
    model: FittedModel,
    corpus: CorpusLike,
    *,
    top: int = 50,
    labelled: CorpusLike | None = None,
    title: str = "Why the model says so",
) -> Explanation:
    """Explain the ``top`` rows of a text, those that are accepted first, then by probability.

    Parameters
    ----------
    labelled
        A labelled corpus in which to look for the nearest candidates; without it they come from the model file.

    Examples
    --------
    >>> import relhash
    >>> found = explain(relhash.load("ppi"), "RAF1 binds to MEK1.", top=1)
    >>> row = found.rows[0]
    >>> abs(row.reasons.base + sum(one.value for one in row.reasons.reasons) - row.reasons.log_odds) < 1e-6
    True
    """
    text = Teaching.of(model, corpus)
    judged = text.untaught
    order = np.lexsort((np.arange(len(text.candidates)), -judged.probabilities, ~judged.accepted))[:top]
    neighbours = Neighbours(model, labelled)
    rows = explained_rows(text, judged, order, neighbours)
    view = view_of_model(text, judged, [row.reasons for row in rows])
    origin = neighbours.origin if any(row.neighbours for row in rows) else ""
    return Explanation(title, model, rows, view, len(text.candidates), int(judged.accepted.sum()), origin)


def explained_rows(text: Teaching, judged: Taught, order: NDArray[np.int64], neighbours: Neighbours) -> list[Explained]:
    """Some candidates of a text with their evidence, as a model of it judges them: that before any answer, or a taught one."""
    model = judged.model
    structures = model._structures([text.scenes[row] for row in order])
    reasons: list[Reasons] = []
    for start in range(0, order.size, AT_ONCE):
        some = np.arange(start, min(start + AT_ONCE, order.size))
        reasons += reasons_of(model, text.features[order[some]], structures[some])
    found = neighbours.of(text.codes, order)
    pairs = _pair_probabilities(text, judged, order)
    how_often, counts = _seen(model, text.codes, order)
    rows = []
    for number, row in enumerate(order.tolist()):
        prediction = text.prediction(row, judged)
        pair = float(pairs[number])
        rows.append(
            Explained(
                prediction,
                reasons[number],
                _functions(model, reasons[number], structures[[number]]),
                found[number],
                pair,
                prediction.probability / pair if pair else 1.0,
                how_often[number],
                counts[number],
            )
        )
    return rows


def _functions(model: FittedModel, reasons: Reasons, structures: StructureSet) -> tuple[ReadableFunction, ...]:
    """The hash functions that moved the decision most; if it looks at no single bit, those most like the candidate."""
    if model.features.code is None:
        return ()
    bits = [reason.bit for reason in reasons.reasons if reason.bit is not None][:FUNCTIONS]
    if bits:
        return tuple(readable_function(model, bit, structures) for bit in bits)
    return tuple(functions_near(model, structures, FUNCTIONS))


def _pair_probabilities(text: Teaching, judged: Taught, order: NDArray[np.int64]) -> NDArray[np.float64]:
    """Probability of each pair, its names being right."""
    model = judged.model
    pairs = model.decision.calibration.probabilities(judged.scores[order])
    names = names_of([text.candidates[row] for row in order])
    is_found = (names.certainties < 1).any(axis=1)
    return np.where(is_found, model.end_to_end.pairs(pairs, names.bystanders), pairs)


def _seen(model: FittedModel, codes: NDArray[np.uint64] | None, order: NDArray[np.int64]) -> tuple[list[str], list[int]]:
    if model.seen is None or codes is None or not order.size:
        return [""] * order.size, [0] * order.size
    return model.seen.how_often(codes[order]).tolist(), model.seen.counts(codes[order]).tolist()


class Neighbours:
    """Nearest labelled candidates, of a corpus or of the model file."""

    def __init__(self, model: FittedModel, labelled: CorpusLike | None) -> None:
        self._scenes: list[Scene] = []
        self.codes, self.labels = np.empty((0, 0), np.uint64), np.empty(0, bool)
        self.origin = ""
        if labelled is not None:
            corpus = Teaching.of(model, labelled)
            rows = np.flatnonzero(has_label(corpus.candidates))
            if corpus.codes is not None:
                self.codes, self.origin = corpus.codes[rows], "the labelled corpus"
            self.labels = np.array([corpus.candidates[row].is_positive for row in rows], bool)
            self._scenes = [corpus.scenes[row] for row in rows]
        elif model.seen is not None:
            told = model.seen.labels != UNLABELLED
            self.codes, self.labels = model.seen.codes[told], model.seen.labels[told] == 1
            self.origin = "the training text (its codes; the model file holds no sentences)"

    def of(self, codes: NDArray[np.uint64] | None, order: NDArray[np.int64]) -> list[tuple[Neighbour, ...]]:
        """The neighbours of some rows."""
        if codes is None or not len(self.codes):
            return [()] * order.size
        distances, found = nearest_codes(codes[order], self.codes, min(NEIGHBOURS, len(self.codes)))
        return [
            tuple(
                Neighbour(int(distance), bool(self.labels[row]), Evidence.of(self._scenes[row]) if self._scenes else None)
                for distance, row in zip(own, rows, strict=True)
            )
            for own, rows in zip(distances, found, strict=True)
        ]
