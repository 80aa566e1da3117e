"""What moved a decision, in words: exact contributions of features, gathered to things that a person can name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import StructureSet
from relhash.learn.contributions import contributions
from relhash.learn.correction import FittedCorrection
from relhash.learn.descriptors import RawDescriptorsPart
from relhash.model.fitted import FittedModel

CLUE_WORDS = dict(line.split("\t") for line in files("relhash.show").joinpath("clues.tsv").read_text("utf-8").splitlines())
"""The clues of an interaction as a person would say them: *the word* is the trigger; of a cause and a theme the cause is the
first, of two themes the one that stands first."""
Floats = NDArray[np.float64]

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
