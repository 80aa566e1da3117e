"""Everything that a report on a model and a text shows, computed: evidence for the most probable rows, and a look at the model.

Nearest labelled candidates come with their sentences, by exact similarity, from a labelled corpus, an index of one, or what
ships of the model's training text; else from the model file, as codes and labels (some corpora may not be passed on).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import Candidate, StructureSet, build_structures
from relhash.corpus.read_write import CorpusLike
from relhash.hashing.hamming import nearest_codes
from relhash.learn.labels import has_label
from relhash.model.adaptation import UNLABELLED
from relhash.model.answers.alike import Alike, learned_examples
from relhash.model.answers.teaching import Taught, Teaching
from relhash.model.fitted import FittedModel
from relhash.model.index import NO_RELATION, Found, Index
from relhash.model.prediction import Prediction
from relhash.model.reading.found_names import names_of
from relhash.model.tables.columns import marked_sentence_of
from relhash.show.model_view import ModelView, ReadableFunction, functions_near, readable_function, view_of_model
from relhash.show.reasons import Reasons, reasons_of

NEIGHBOURS = 5
FUNCTIONS = 3
AT_ONCE = 64
"""Candidates whose contributions are computed at a time: rows are dense then."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A labelled candidate: whether it is related, its sentence and how similar it is (0 to 1) if there is a corpus.

    Of the model's own training text there are only codes: ``distance`` is the number of bits that differ.
    """

    is_related: bool
    distance: int = 0
    similarity: float | None = None
    sentence: str = ""
    source: str = ""
    """The corpus, of a sentence that ships."""


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
    accepted: Mapping[str, Any]
    """How many rows of the text are accepted, as ``predict`` counts them."""
    labelled: str = ""
    """What the neighbours are from."""


def explain(
    model: FittedModel,
    corpus: CorpusLike,
    *,
    top: int = 50,
    labelled: CorpusLike | Index | None = None,
    title: str = "Why the model says so",
) -> Explanation:
    """Explain the ``top`` rows of a text, those that are accepted first, then by probability.

    Parameters
    ----------
    labelled
        A labelled corpus, or an index of one, in which to look for the most similar sentences; without it they are what ships
        of the model's training text, or codes of the model file.

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
    return Explanation(title, model, rows, view, judged.rows, origin)


def explained_rows(text: Teaching, judged: Taught, order: NDArray[np.int64], neighbours: Neighbours) -> list[Explained]:
    """Some candidates of a text with their evidence, as a model of it judges them: that before any answer, or a taught one."""
    model = judged.model
    structures = model._structures([text.scenes[row] for row in order])
    reasons: list[Reasons] = []
    for start in range(0, order.size, AT_ONCE):
        some = np.arange(start, min(start + AT_ONCE, order.size))
        reasons += reasons_of(model, text.features[order[some]], structures[some])
    found = neighbours.of(text, order)
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
    return np.where(names.are_found, model.end_to_end.pairs(pairs, names), pairs)


def _seen(model: FittedModel, codes: NDArray[np.uint64] | None, order: NDArray[np.int64]) -> tuple[list[str], list[int]]:
    if model.seen is None or codes is None or not order.size:
        return [""] * order.size, [0] * order.size
    return model.seen.how_often(codes[order]).tolist(), model.seen.counts(codes[order]).tolist()


class Neighbours:
    """Nearest labelled candidates, of a labelled corpus, of an index of one, or of the model file."""

    def __init__(self, model: FittedModel, labelled: CorpusLike | Index | None) -> None:
        self.origin = ""
        self._model = model
        self._index = labelled if isinstance(labelled, Index) else None
        self._alike: Alike | None = None
        self._codes, self._labels = np.empty((0, 0), np.uint64), np.empty(0, bool)
        self._candidates: list[Candidate] = []
        if isinstance(labelled, Index):
            self.origin = f"the index {labelled.folder}"
        elif labelled is not None:
            corpus = Teaching.of(model, labelled)
            rows = np.flatnonzero(has_label(corpus.candidates))
            self._candidates, self.origin = [corpus.candidates[row] for row in rows], "the labelled corpus"
            if corpus.codes is not None:
                self._alike = Alike.of(model, [corpus.scenes[row] for row in rows], corpus.codes[rows])
        elif model.seen is not None:
            told = model.seen.labels != UNLABELLED
            self._codes, self._labels = model.seen.codes[told], model.seen.labels[told] == 1
            self.origin = "the training text (its codes; the model file holds no sentences)"

    def of(self, text: Teaching, order: NDArray[np.int64]) -> list[tuple[Neighbour, ...]]:
        """The neighbours of some rows of a text."""
        if self._index is not None:
            asked = [text.candidates[row] for row in order]
            found = self._index.similar_to(asked, n=3 * NEIGHBOURS) if asked else []
            return [tuple(_of_index(one) for one in own if one.label)[:NEIGHBOURS] for own in found]
        if text.codes is None or not order.size:
            return [()] * order.size
        if self._alike is not None:
            queries = build_structures([text.scenes[row] for row in order], list(self._alike.kernels))
            near = self._alike.nearest(text.codes[order], queries, NEIGHBOURS)
            return [tuple(self._labelled(row, value) for row, value in own) for own in near]
        if not len(self._codes):
            return [()] * order.size
        if shown := learned_examples(self._model, [text.scenes[row] for row in order], NEIGHBOURS):
            self.origin = "its training text, as far as it may be shown"
            return [tuple(Neighbour(one.is_related, 0, value, one.marked, one.source) for one, value in own) for own in shown]
        distances, rows = nearest_codes(text.codes[order], self._codes, min(NEIGHBOURS, len(self._codes)))
        return [
            tuple(Neighbour(bool(self._labels[row]), int(distance)) for distance, row in zip(own, near, strict=True))
            for own, near in zip(distances, rows, strict=True)
        ]

    def _labelled(self, row: int, similarity: float) -> Neighbour:
        candidate = self._candidates[row]
        return Neighbour(candidate.is_positive, similarity=similarity, sentence=marked_sentence_of(candidate))


def _of_index(found: Found) -> Neighbour:
    return Neighbour(found.label != NO_RELATION, similarity=found.similarity, sentence=marked_sentence_of(found.candidate))
