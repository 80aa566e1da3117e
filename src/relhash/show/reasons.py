"""Why a model decides as it does: exact contributions of features in words, and a look at its parts and bits on a text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import StructureSet
from relhash.candidates.descriptors import COLUMNS
from relhash.hashing.functions import HashFunction
from relhash.hashing.hamming import unpack
from relhash.hashing.table import data_of_view
from relhash.learn.contributions import contributions
from relhash.learn.correction import FittedCorrection
from relhash.learn.descriptors import RawDescriptorsPart
from relhash.learn.labels import has_label
from relhash.learn.metrics import Metrics, measure, precision_recall_curve
from relhash.model.answers.teaching import Taught, Teaching
from relhash.model.fitted import FittedModel

CLUE_WORDS = dict(line.split("\t") for line in files("relhash.show").joinpath("clues.tsv").read_text("utf-8").splitlines())
"""The clues of an interaction as a person would say them: *the word* is the trigger; of a cause and a theme the cause is the
first, of two themes the one that stands first."""
WHOLE_PARTS = {
    "coordinates": "how near it is to the reference paths of the hash functions",
    "encoder": "what the transformer says",
    "prior": "what the prior model says",
}
"""Parts whose columns say nothing one by one."""
_BIT = re.compile(r"bit (\d+)")


@dataclass(frozen=True, slots=True)
class Reason:
    """Something that moved the log-odds by ``value``; ``bit`` is the hash function, if it is one."""

    text: str
    part: str
    value: float
    bit: int | None = None


@dataclass(frozen=True, slots=True)
class Reasons:
    """All reasons of one candidate, the strongest first: with ``base`` they sum to ``log_odds``."""

    base: float
    reasons: tuple[Reason, ...]
    log_odds: float

    def strongest(self, n: int) -> tuple[Reason, ...]:
        """The ``n`` strongest, then all others, those of one part together."""
        others: dict[str, list[float]] = {}
        for reason in self.reasons[n:]:
            others.setdefault(reason.part, []).append(reason.value)
        gathered = [Reason(f"{len(values):,} more of {part}", part, sum(values)) for part, values in others.items()]
        return (*self.reasons[:n], *gathered)


def reasons_of(model: FittedModel, rows: Any, structures: StructureSet) -> list[Reasons]:
    """The reasons of each candidate, from its features (``rows``) and structures."""
    found = contributions(model.decision.classifier, rows)
    facts = structures["descriptors"] if "descriptors" in structures.views else None
    namer = _Namer(model)
    judged = []
    for number, values in enumerate(found.values):
        gathered: dict[tuple[str, str, int | None], float] = {}
        for column in np.flatnonzero(values):
            key = namer.name(int(column), None if facts is None else np.asarray(facts[number]))
            gathered[key] = gathered.get(key, 0.0) + float(values[column])
        reasons = [Reason(text, part, value, bit) for (text, part, bit), value in gathered.items()]
        reasons.sort(key=lambda reason: (-abs(reason.value), reason.text))
        judged.append(Reasons(float(found.base[number]), tuple(reasons), float(found.total[number])))
    return judged


def part_shares(reasons: Sequence[Reasons]) -> dict[str, float]:
    """How much each part moves decisions on the average, as shares of all movement."""
    moved: dict[str, float] = {}
    for of_candidate in reasons:
        sums: dict[str, float] = {}
        for reason in of_candidate.reasons:
            sums[reason.part] = sums.get(reason.part, 0.0) + reason.value
        for part, value in sums.items():
            moved[part] = moved.get(part, 0.0) + abs(value)
    total = sum(moved.values()) or 1.0
    return {part: value / total for part, value in sorted(moved.items(), key=lambda pair: -pair[1])}


class _Namer:
    """The name of each column for people."""

    def __init__(self, model: FittedModel) -> None:
        classifier = model.decision.classifier
        labelled = classifier if isinstance(classifier, FittedCorrection) else None
        self.n_features = max((part.stop for part in model.features.columns.values()), default=0)
        self.examples = [] if labelled is None else labelled.examples or ["a labelled row"] * labelled.terms.near.size
        self.parts: list[tuple[slice, str, Sequence[str], dict[str, int]]] = []
        for part in model.features.parts:
            where = model.features.columns[part.name]
            names = part.names_ if isinstance(part, RawDescriptorsPart) else ()
            places = {name: number for number, name in enumerate(names)}
            self.parts.append((where, part.name, part.columns, places))

    def name(self, column: int, facts: NDArray[Any] | None) -> tuple[str, str, int | None]:
        if column >= self.n_features:  # a labelled row that it is near to
            return f"like {self.examples[column - self.n_features]}", "labels", None
        where, part, names, places = next(one for one in self.parts if one[0].start <= column < one[0].stop)
        if part in WHOLE_PARTS:
            return WHOLE_PARTS[part], part, None
        name = names[column - where.start]
        if bit := _BIT.match(name):
            return f"hash function {bit[1]}", "hash functions", int(bit[1])
        if places:
            fact = name.partition(" > ")[0]
            value = None if facts is None else float(facts[places[fact]])
            return fact_in_words(fact, value), "descriptors", None
        if part == "ngrams":
            view, _, words = name.partition(": ")
            return f"“{words}” ({view})", part, None
        if part == "clues":
            return CLUE_WORDS[name.removeprefix("clue: ")], part, None
        return f"{part}: {name}", part, None


def fact_in_words(name: str, value: float | None = None) -> str:
    """A descriptor as a person would say it.

    >>> fact_in_words("log_words_between", 1.6094379), fact_in_words("between:with", 1.0), fact_in_words("adjacent", 0.0)
    ('words between: 4', '“with” between: yes', 'adjacent: no')
    """
    place, _, word = name.partition(":")
    text = f"“{word}” {place}" if word else place
    text = text.removeprefix("log_").replace("_", " ")
    if value is None:
        return text
    if name.startswith("log_"):
        return f"{text}: {round(float(np.expm1(value)))}"
    return f"{text}: {'yes' if value == 1 else 'no' if value == 0 else f'{value:.2f}'}"


FACTS_SHOWN = 6
BITS_COMPARED = 48
"""Bits in the heat map."""
BINS = 10


@dataclass(frozen=True, slots=True)
class ReadableFunction:
    """A hash function as people can read it: the references of its two sides, each with the candidate's similarity to it.

    ``side`` is the candidate's bit.
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
    return ReadableFunction(bit, function.view, _by_side(function, shown), int(function.bits(bound)[bound.rows[0]]))


def functions_near(model: FittedModel, structures: StructureSet, n: int) -> list[ReadableFunction]:
    """The functions with references most like the candidate: for models whose decisions look at no single bit.

    Those that compare paths come before those that compare rows of facts, which are hard to read.
    """

    def nearest(function: HashFunction) -> float:
        bound = function.kernel.bind(data_of_view(structures, function.view))
        return float(bound.similarities(function.references)[bound.rows[0]].max())

    functions = _functions(model)
    paths = [bit for bit, function in enumerate(functions) if not isinstance(function.references, np.ndarray)]
    found = {bit: nearest(functions[bit]) for bit in paths or range(len(functions))}
    return [readable_function(model, bit, structures) for bit in sorted(found, key=lambda bit: (-found[bit], bit))[:n]]


def reference_text(function: HashFunction, number: int) -> str:
    """A reference for people: its words; of a row of facts those that hold."""
    row = function.references[number]
    if not isinstance(row, np.ndarray):
        return " ".join(map(str, row))
    names = COLUMNS if row.size == len(COLUMNS) else [f"column {number}" for number in range(row.size)]
    held = [(name, float(value)) for name, value in zip(names, row, strict=True) if value > 0]
    rare_first = sorted(held, key=lambda pair: (pair[0].startswith("log_"), -pair[1]))[:FACTS_SHOWN]
    more = f", and {len(held) - FACTS_SHOWN} more" if len(held) > FACTS_SHOWN else ""
    return ", ".join(fact_in_words(name, value).removesuffix(": yes") for name, value in rare_first) + more


def _by_side(function: HashFunction, shown: Sequence[Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    zero, one = (tuple(text for text, own in zip(shown, function.split, strict=True) if own == side) for side in (0, 1))
    return zero, one


def _functions(model: FittedModel) -> Sequence[HashFunction]:
    functions: Sequence[HashFunction] = [] if model.features.code is None else model.features.code.learner.functions_
    return functions


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


@dataclass(frozen=True)
class GoldView:
    """How good the model is on the text, which has labels."""

    measured: Metrics
    curve: Sequence[tuple[float, float]]
    bins: Sequence[Mapping[str, float]]
    """Candidates of about one probability: its mean, the share that is ``right``, and how many (``n``)."""
    share: float


@dataclass(frozen=True)
class ModelView:
    """What is to be seen of a model; parts that are not known are empty."""

    parts: Mapping[str, float]
    """How much of all movement of decisions is the doing of each part."""
    bits: Sequence[BitView]
    """The hash functions, those that move most first."""
    redundancy: NDArray[np.float64]
    """Correlation without its sign between the first bits of ``bits``, on the text at hand."""
    trace: Mapping[str, Any] | None
    """The learner's objective by trial, and the trials whose functions were not kept (``rejected``, ``deleted``)."""
    gold: GoldView | None
    """Precision, recall and calibration, where the text has labels."""


def view_of_model(text: Teaching, judged: Taught, reasons: Sequence[Reasons]) -> ModelView:
    """Look at a model on a text, with the reasons of some of its rows."""
    code = text.model.features.code
    ones = np.empty((0, 0)) if code is None or text.codes is None else unpack(text.codes, code.n_bits).astype(np.float64)
    bits = _bits(text.model, ones.mean(axis=0), reasons) if ones.size else []
    alike = _redundancy(ones[:, [one.bit for one in bits[:BITS_COMPARED]]]) if len(ones) > 1 else np.empty((0, 0))
    return ModelView(part_shares(reasons), bits, alike, text.model.card.get("trace"), _gold(text, judged))


def _bits(model: FittedModel, shares: NDArray[np.float64], reasons: Sequence[Reasons]) -> list[BitView]:
    moved: dict[int, float] = {}
    for reason in (reason for own in reasons for reason in own.reasons):
        if reason.bit is not None:
            moved[reason.bit] = moved.get(reason.bit, 0.0) + abs(reason.value) / max(len(reasons), 1)
    views = []
    for bit, function in enumerate(_functions(model)):
        sides = _by_side(function, [reference_text(function, number) for number in range(function.n_references)])
        before = None if model.familiar is None else float(model.familiar.shares[bit])
        own = moved.get(bit, 0.0) if moved else None
        views.append(BitView(bit, function.view, sides, float(shares[bit]), before, own))
    return sorted(views, key=lambda view: (-(view.moved or 0.0), view.bit))


def _redundancy(ones: NDArray[np.float64]) -> NDArray[np.float64]:
    centred = ones - ones.mean(axis=0)
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
    members = [bins == one for one in np.unique(bins)]
    calibrated = [{"probability": probabilities[own].mean(), "right": y[own].mean(), "n": int(own.sum())} for own in members]
    measured = measure(y, scores, judged.accepted[labelled])
    return GoldView(measured, tuple(zip(recall.tolist(), precision.tolist(), strict=True)), calibrated, float(y.mean()))
