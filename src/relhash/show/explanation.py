"""Why a model says so: evidence for the most probable rows of a text, and a look at the model, computed and as one HTML file.

Nearest labelled candidates come with their sentences, by exact similarity, from a labelled corpus, an index of one, or what
ships of the model's training text; else from the model file, as codes and labels (some corpora may not be passed on).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

import relhash
from relhash.candidates import Candidate, StructureSet, build_structures
from relhash.corpus.read_write import CorpusLike
from relhash.files import replacing
from relhash.hashing.hamming import nearest_codes
from relhash.learn.labels import has_label
from relhash.model.adaptation import UNLABELLED
from relhash.model.answers.alike import Alike, learned_examples
from relhash.model.answers.teaching import Taught, Teaching
from relhash.model.fitted import FittedModel
from relhash.model.index import NO_RELATION, Found, Index
from relhash.model.judging import accepted_text
from relhash.model.prediction import Prediction
from relhash.model.tables.columns import marked_sentence_of
from relhash.show.pages import render
from relhash.show.plots import draw_calibration, draw_curves, draw_redundancy, draw_trace
from relhash.show.reasons import (
    ModelView,
    ReadableFunction,
    Reasons,
    functions_near,
    readable_function,
    reasons_of,
    view_of_model,
)
from relhash.show.sentence_drawing import LONGEST, draw_interactions, interaction_of

NEIGHBOURS = 5
FUNCTIONS = 3
REASONS = 10
BITS_SHOWN = 40
SEEN = {
    "often": "sentences of this kind are frequent in the training text",
    "rarely": "the training text has few sentences of this kind",
    "never": "the training text has no sentence of this kind: read it twice",
}
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

    The probability of the row is the product of ``pair_probability`` (the names are related if they are right) and
    ``names_probability`` (they are right; 1 for names that people annotated). ``seen`` says how often the training text has
    such sentences, empty if the model file does not tell, ``n_seen`` how many of its candidates are as near as is usual there.
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

    ``labelled`` is a corpus, or an index of one, in which to look for the most similar sentences; without it they are what
    ships of the model's training text, or codes of the model file.

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
    structures = text.text.structures[order]
    reasons: list[Reasons] = []
    for start in range(0, order.size, AT_ONCE):
        some = np.arange(start, min(start + AT_ONCE, order.size))
        reasons += reasons_of(model, text.features[order[some]], structures[some])
    found = neighbours.of(text, order)
    pairs = model.decision.calibration.probabilities(judged.scores[order])
    names = text.text.names.rows(order)
    pairs = np.where(names.are_found, model.end_to_end.pairs(pairs, names), pairs).tolist()
    how_often, counts = [""] * order.size, [0] * order.size
    if model.seen is not None and text.codes is not None and order.size:
        how_often, counts = (of(text.codes[order]).tolist() for of in (model.seen.how_often, model.seen.counts))
    rows = []
    for number, row in enumerate(order.tolist()):
        prediction, pair = text.prediction(row, judged), pairs[number]
        functions = _functions(model, reasons[number], structures[[number]])
        chances = pair, prediction.probability / pair if pair else 1.0
        seen = how_often[number], counts[number]
        rows.append(Explained(prediction, reasons[number], functions, found[number], *chances, *seen))
    return rows


def _functions(model: FittedModel, reasons: Reasons, structures: StructureSet) -> tuple[ReadableFunction, ...]:
    """The hash functions that moved the decision most; if it looks at no single bit, those most like the candidate."""
    if model.features.code is None:
        return ()
    bits = [reason.bit for reason in reasons.reasons if reason.bit is not None][:FUNCTIONS]
    if bits:
        return tuple(readable_function(model, bit, structures) for bit in bits)
    return tuple(functions_near(model, structures, FUNCTIONS))


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
            labelled_rows = model.seen.labels != UNLABELLED
            self._codes, self._labels = model.seen.codes[labelled_rows], model.seen.labels[labelled_rows] == 1
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
            return [tuple(_neighbour(self._candidates[row], value) for row, value in own) for own in near]
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


def _neighbour(candidate: Candidate, similarity: float) -> Neighbour:
    return Neighbour(candidate.is_positive, similarity=similarity, sentence=marked_sentence_of(candidate))


def _of_index(found: Found) -> Neighbour:
    return Neighbour(found.label != NO_RELATION, similarity=found.similarity, sentence=marked_sentence_of(found.candidate))


def write_explanation(path: str | os.PathLike[str], explanation: Explanation) -> None:
    """Write the page to ``path``; it appears complete or not at all."""
    with replacing(path) as handle:
        handle.write(render_explanation(explanation))


def render_explanation(explanation: Explanation) -> str:
    """The page as one HTML document."""
    matrix = explanation.view.redundancy
    return render(
        "explanation",
        title=explanation.title,
        found=explanation,
        accepted=accepted_text(**explanation.accepted),
        facts=_facts(explanation),
        drawn=_drawn(explanation.view),
        alike=matrix[~np.eye(len(matrix), dtype=bool)],
        seen=SEEN,
        bits_shown=BITS_SHOWN,
        reasons=_reasons,
        interaction=_interaction,
        version=relhash.__version__,
    )


def _drawn(view: ModelView) -> Mapping[str, Markup | None]:
    gold = view.gold
    curve = None
    if gold is not None:
        curve = draw_curves({"": (gold.curve, (gold.measured.recall, gold.measured.precision))}, gold.share)
    return {
        "curve": curve,
        "calibration": None if gold is None else draw_calibration(gold.bins),
        "trace": draw_trace(view.trace) if view.trace else None,
        "redundancy": draw_redundancy(view.redundancy) if len(view.redundancy) > 1 else None,
    }


def _facts(explanation: Explanation) -> list[tuple[str, str, str]]:
    """What the model is, in a few words with some more below."""
    model, card = explanation.model, explanation.model.card
    training, threshold, made_by = card.get("training", {}), model.decision.threshold, model.identity
    begin, score = explanation.accepted["lowest"], f"score {threshold.score:.3f}"
    preset = str(card.get("preset", ""))
    name, made = (preset, "") if made_by is None else (made_by.name, f"preset {preset}; ")
    return [
        ("Model", name, made + str(card.get("summary", ""))),
        ("Learned from", f"{training.get('labelled', 0):,} labelled candidates", f"{training.get('positive', 0):,} relations"),
        ("Decides by", *_decided_by(str(card.get("classifier", "")))),
        ("Accepts", f"from {score if begin is None else f'probability {begin:.2f}'} on", f"{score}, rule {threshold.strategy}"),
    ]


def _decided_by(classifier: str) -> tuple[str, str]:
    """The classifier in a word or two, and its members without their settings.

    >>> _decided_by("prior with weight 0.90, and committee of ngrams (linear C=0.1), codes (forest n_trees=75)")
    ('prior with weight 0.90, and committee', 'ngrams (linear), codes (forest)')
    >>> _decided_by("forest n_trees=75 balanced=True")
    ('forest', '')
    """
    plain = re.sub(r" \w+=[^\s,)]+", "", classifier)
    name, _, members = plain.partition(" of ")
    return name, members


def _reasons(row: Explained) -> list[tuple[str, str, float]]:
    start = ("where it starts, knowing nothing of the candidate", "", row.reasons.base)
    return [start, *((one.text, one.part, one.value) for one in row.reasons.strongest(REASONS))]


def _interaction(row: Explained) -> Any:
    """Who does what to whom; of a pair its path says all there is. A name as long as a page fits no picture."""
    if row.prediction.candidate.trigger is None or len((stated := interaction_of(row.prediction)).text) > LONGEST:
        return ""
    return Markup(f'<div class="drawing scroll">{draw_interactions(stated, styled=False)}</div>\n')
