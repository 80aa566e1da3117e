"""A look at a model on a text: which parts and bits matter, what bits separate, how even and how redundant they are.

A hash function as people can read it: its two groups of reference paths, and the side on which a candidate fell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import StructureSet
from relhash.candidates.descriptors import COLUMNS
from relhash.hashing.functions import HashFunction
from relhash.hashing.hamming import unpack
from relhash.hashing.table import data_of_view
from relhash.learn.labels import has_label
from relhash.learn.metrics import Metrics, measure, precision_recall_curve
from relhash.model.answers.teaching import Taught, Teaching
from relhash.model.fitted import FittedModel
from relhash.show.reasons import Reasons, fact_in_words, part_shares

FACTS_SHOWN = 6


@dataclass(frozen=True, slots=True)
class ReadableFunction:
    """A hash function and where a candidate lies.

    Attributes
    ----------
    bit, view
        Its number, and what it compares.
    sides
        The references of side 0 and of side 1, each with the candidate's similarity to it.
    side
        The candidate's bit.
    """

    bit: int
    view: str
    sides: tuple[tuple[tuple[str, float], ...], tuple[tuple[str, float], ...]]
    side: int


def readable_function(model: FittedModel, bit: int, structures: StructureSet) -> ReadableFunction:
    """The function of a bit, for the one candidate of ``structures``."""
    function = _functions(model)[bit]
    bound = function.kernel.bind(data_of_view(structures, function.view))
    near = bound.similarities(function.references)[bound.rows[0]]
    shown = [(reference_text(function, number), float(near[number])) for number in range(function.n_references)]
    sides = tuple(tuple(one for one, side in zip(shown, function.split, strict=True) if side == wanted) for wanted in (0, 1))
    return ReadableFunction(bit, function.view, (sides[0], sides[1]), int(function.bits(bound)[bound.rows[0]]))


def functions_near(model: FittedModel, structures: StructureSet, n: int) -> list[ReadableFunction]:
    """The functions with references most like the candidate: for models whose decisions look at no single bit.

    Those that compare paths come before those that compare rows of facts, which are hard to read.
    """
    functions = _functions(model)
    paths = [bit for bit, function in enumerate(functions) if not isinstance(function.references, np.ndarray)]
    nearest = {bit: _nearest(functions[bit], structures) for bit in paths or range(len(functions))}
    chosen = sorted(nearest, key=lambda bit: (-nearest[bit], bit))[:n]
    return [readable_function(model, bit, structures) for bit in chosen]


def nearest_references(found: Sequence[ReadableFunction], n: int) -> list[tuple[str, str, float]]:
    """View, text and similarity of the references nearest to the candidate, each once."""
    told = {(one.view, text): value for one in found for side in one.sides for text, value in side}
    ordered = sorted(told.items(), key=lambda pair: -pair[1])
    return [(view, text, value) for (view, text), value in ordered[:n]]


def reference_text(function: HashFunction, number: int) -> str:
    """A reference for people: its words; of a row of facts those that hold."""
    reference = function.references[number]
    if isinstance(reference, np.ndarray):
        return _facts(reference)
    return " ".join(map(str, reference))


def _facts(row: NDArray[Any]) -> str:
    names = COLUMNS if row.size == len(COLUMNS) else [f"column {number}" for number in range(row.size)]
    held = [(name, float(value)) for name, value in zip(names, row, strict=True) if value > 0]
    rare_first = sorted(held, key=lambda pair: (pair[0].startswith("log_"), -pair[1]))[:FACTS_SHOWN]
    more = f", and {len(held) - FACTS_SHOWN} more" if len(held) > FACTS_SHOWN else ""
    return ", ".join(fact_in_words(name, value).removesuffix(": yes") for name, value in rare_first) + more


def _nearest(function: HashFunction, structures: StructureSet) -> float:
    bound = function.kernel.bind(data_of_view(structures, function.view))
    return float(bound.similarities(function.references)[bound.rows[0]].max())


def _functions(model: FittedModel) -> Sequence[HashFunction]:
    functions: Sequence[HashFunction] = [] if model.features.code is None else model.features.code.learner.functions_
    return functions


Floats = NDArray[np.float64]

BITS_COMPARED = 48
"""Bits in the heat map."""
BINS = 10


@dataclass(frozen=True, slots=True)
class BitView:
    """A hash function: what it compares and separates, the share of ones, and how much it moves decisions.

    ``before`` is the share of ones in the text that the model was adapted to, ``here`` in the text at hand; ``moved`` is
    ``None`` where decisions look at no single bit.
    """

    bit: int
    view: str
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    here: float
    before: float | None
    moved: float | None


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Candidates of about one probability: its mean, the share of relations, and how many they are."""

    probability: float
    right: float
    n: int


@dataclass(frozen=True)
class GoldView:
    """How good the model is on the text, which has labels."""

    measured: Metrics
    curve: Sequence[tuple[float, float]]
    bins: Sequence[Calibrated]
    share: float


@dataclass(frozen=True)
class ModelView:
    """What is to be seen of a model; parts that are not known are empty.

    Attributes
    ----------
    parts
        How much of all movement of decisions is the doing of each part.
    bits
        The hash functions, those that move most first.
    redundancy
        Correlation without its sign between the first bits of ``bits``, on the text at hand.
    trace
        The learner's objective by trial, and the trials whose functions were not kept (``rejected``, ``deleted``).
    gold
        Precision, recall and calibration, where the text has labels.
    """

    parts: Mapping[str, float]
    bits: Sequence[BitView]
    redundancy: Floats
    trace: Mapping[str, Any] | None
    gold: GoldView | None


def view_of_model(text: Teaching, judged: Taught, reasons: Sequence[Reasons]) -> ModelView:
    """Look at a model on a text, with the reasons of some of its rows."""
    bits = _bits(text, reasons)
    chosen = [one.bit for one in bits[:BITS_COMPARED]]
    return ModelView(
        part_shares(reasons), bits, _redundancy(text, chosen), text.model.card.get("trace"), _gold(text, judged)
    )  # fmt: skip


def _bits(text: Teaching, reasons: Sequence[Reasons]) -> list[BitView]:
    code = text.model.features.code
    if code is None or text.codes is None:
        return []
    shares = unpack(text.codes, code.n_bits).mean(axis=0)
    known = text.model.familiar
    moved: dict[int, float] = {}
    for of_candidate in reasons:
        for reason in of_candidate.reasons:
            if reason.bit is not None:
                moved[reason.bit] = moved.get(reason.bit, 0.0) + abs(reason.value) / max(len(reasons), 1)
    views = []
    for bit, function in enumerate(code.learner.functions_):
        shown = [reference_text(function, number) for number in range(function.n_references)]
        sides = tuple(tuple(one for one, side in zip(shown, function.split, strict=True) if side == n) for n in (0, 1))
        before = None if known is None else float(known.shares[bit])
        own = moved.get(bit, 0.0) if moved else None
        views.append(BitView(bit, function.view, (sides[0], sides[1]), float(shares[bit]), before, own))
    return sorted(views, key=lambda view: (-(view.moved or 0.0), view.bit))


def _redundancy(text: Teaching, chosen: Sequence[int]) -> Floats:
    code = text.model.features.code
    if code is None or text.codes is None or len(text.codes) < 2:
        return np.empty((0, 0))
    rows = unpack(text.codes, code.n_bits)[:, list(chosen)].astype(np.float64)
    centred = rows - rows.mean(axis=0)
    spread = np.sqrt((centred**2).sum(axis=0))
    spread[spread == 0] = np.inf  # a bit that is the same everywhere goes along with none
    return np.asarray(np.abs((centred / spread).T @ (centred / spread)))


def _gold(text: Teaching, judged: Taught) -> GoldView | None:
    labelled = has_label(text.candidates)
    y = np.array([candidate.is_positive for candidate in text.candidates])[labelled]
    if not 0 < y.sum() < y.size:
        return None
    scores, probabilities = judged.scores[labelled], judged.probabilities[labelled]
    precision, recall, _ = precision_recall_curve(y, scores)
    edges = np.quantile(probabilities, np.linspace(0, 1, BINS + 1)[1:-1])
    bins = np.searchsorted(edges, probabilities, side="right")
    calibrated = [
        Calibrated(float(probabilities[bins == one].mean()), float(y[bins == one].mean()), int((bins == one).sum()))
        for one in np.unique(bins)
    ]
    measured = measure(y, scores, judged.accepted[labelled])
    return GoldView(measured, tuple(zip(recall.tolist(), precision.tolist(), strict=True)), calibrated, float(y.mean()))
