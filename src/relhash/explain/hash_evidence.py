"""A hash function as people can read it: its two groups of reference paths, and the side on which a candidate fell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.explain.reasons import fact_in_words
from relhash.hashing.functions import HashFunction
from relhash.hashing.sources import data_of_view
from relhash.models.fitted import FittedModel
from relhash.structures import StructureSet
from relhash.structures.descriptors import COLUMNS

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

    Those that compare paths come before those that compare rows of facts, which nobody likes to read.
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
