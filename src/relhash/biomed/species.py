"""Whose gene a name stands for: man's, or that of the mouse, rat, fly, … of which its text speaks.

Words of species, strains, cell lines and ways of working (``resources/lexicon/species.tsv``) are looked for in the text. How
many there are in the text and the sentence, which one stands before the name, and how the document writes symbols ("Stat1" or
"STAT1") are weighed by a rule fitted to annotated papers (``tools/train_species.py``). A word right at the name decides.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property

from relhash.biomed.names.spelling import Case, case_of
from relhash.resources import resource_path


class Species(StrEnum):
    HUMAN = "human"
    MOUSE = "mouse"
    RAT = "rat"
    OTHER = "other"
    """Yeast, flies, fish, plants, bacteria and the like: genes of man would be the wrong answer."""


_AT_NAME = re.compile(r"\b(human|mouse|murine|rat)(?:\s+\w+)?[\s-]*$", re.IGNORECASE)
_BY_WORD = {"human": Species.HUMAN, "mouse": Species.MOUSE, "murine": Species.MOUSE, "rat": Species.RAT}
_SPOKEN = {
    "mouse": Species.MOUSE, "mouse line": Species.MOUSE, "rat": Species.RAT, "rat line": Species.RAT,
    "mammal": Species.HUMAN, "vertebrate": Species.OTHER, "yeast": Species.OTHER, "other": Species.OTHER,
}  # fmt: skip
"""Groups of words → whose genes these are, where they are not man's; cows and dogs have no list, man's is the nearest."""
_PIECE = re.compile(r"[A-Za-z0-9]+")
_BREAK, _STOP = re.compile(r"\n|\.(?= )"), re.compile(r"\.(?= )")
"""Where a sentence begins after, and where one ends."""
_MOST_PIECES = 3
_SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9-]{2,9}")
_PREFIXED = re.compile(r"[hm](?=[A-Z])")


def species_at(text: str, start: int, name: str) -> Species | None:
    """The species that the name itself, or the words right before it, name.

    >>> species_at("binding of murine IL-3", 18, "IL-3")
    <Species.MOUSE: 'mouse'>
    """
    found = re.match(r"(human|mouse|murine|rat)\b", name, re.IGNORECASE) or _AT_NAME.search(text, max(0, start - 30), start)
    return _BY_WORD[found[1].lower()] if found else None


class SpeciesOf:
    """Whose genes the names of one text are; ``names`` are those of its genes, with the places where they start.

    A name is one gene wherever the text has it, unless the word before it says otherwise.

    >>> text = "Stat1-deficient mice. We infected mice lacking Stat1 and their littermates."
    >>> SpeciesOf(text, [(0, "Stat1"), (47, "Stat1")])(0, "Stat1")
    <Species.MOUSE: 'mouse'>
    """

    def __init__(self, text: str, names: Iterable[tuple[int, str]]) -> None:
        self.text = text
        self.places = _places(text)
        self._starts = [start for start, _ in self.places]
        self._count = Counter(group for _, group in self.places)
        self._begins = [found.end() for found in _BREAK.finditer(text)]
        self._ends = [found.start() for found in _STOP.finditer(text)]
        self._sentences: dict[tuple[int, int], frozenset[str]] = {}
        self._mentions: dict[str, list[int]] = {}
        for start, name in names:
            self._mentions.setdefault(name, []).append(start)
        self._of_names: dict[str, Species] = {}

    def __call__(self, start: int, name: str) -> Species:
        """Of the name that starts there."""
        at_name = species_at(self.text, start, name)
        if at_name is None and name not in self._of_names:
            self._of_names[name] = self._of_text(start, name)
        return at_name or self._of_names[name]

    def _of_text(self, start: int, name: str) -> Species:
        if self.spoken is Species.HUMAN:
            return Species.HUMAN
        rule = shipped_rule()
        return Species.HUMAN if rule.probability(self.hints(start, name)) > rule.threshold else self.spoken

    @cached_property
    def spoken(self) -> Species:
        """The species but man that the text speaks of most; man where it speaks of none."""
        counts: Counter[Species] = Counter()
        for group, count in self._count.items():
            if group in _SPOKEN:
                counts[_SPOKEN[group]] += count
        return max(counts, key=lambda one: counts[one]) if counts else Species.HUMAN

    def hints(self, start: int, name: str) -> dict[str, float]:
        """What speaks for man's gene or against it, by hint; of the places where the name stands, the mean."""
        hints = dict(self._of_document)
        starts = self._mentions.get(name, [start])
        for place in starts:
            own = self._of_sentence(bisect_left(self._begins, place + 1), bisect_left(self._ends, place))
            before = bisect_left(self._starts, place)
            for hint in (*own, *([f"{self.places[before - 1][1]} before"] if before else ())):
                hints[hint] = hints.get(hint, 0.0) + 1 / len(starts)
        hints[f"written {case_of(name).name.lower()}"] = 1.0
        prefix = _PREFIXED.match(name)
        if prefix:
            hints[f"written {prefix[0]}X"] = 1.0
        return hints

    def _of_sentence(self, begin: int, end: int) -> frozenset[str]:
        """What the words between two breaks say, worked out once: of a text without breaks each name would read it all."""
        if (begin, end) not in self._sentences:
            first = self._begins[begin - 1] if begin else 0
            last = self._ends[end] if end < len(self._ends) else len(self.text)
            places = range(bisect_left(self._starts, first), bisect_left(self._starts, last))
            self._sentences[begin, end] = frozenset(f"{self.places[place][1]} in sentence" for place in places)
        return self._sentences[begin, end]

    @cached_property
    def _of_document(self) -> dict[str, float]:
        hints = {f"{group} in text": math.log1p(count) for group, count in self._count.items()}
        hints |= {f"{group} share": count / len(self.places) for group, count in self._count.items()}
        written: Counter[Case] = Counter()
        for name, starts in self._mentions.items():
            if _SYMBOL.fullmatch(name):
                written[case_of(name)] += len(starts)
        small, capital = written[Case.CAPITALISED], written[Case.UPPER]
        hints |= {"symbols like Stat1": math.log1p(small), "symbols like STAT1": math.log1p(capital)}
        hints["share of symbols like Stat1"] = small / max(1, small + capital)
        return hints


def _places(text: str) -> list[tuple[int, str]]:
    """Where words of species stand, and the group of each; of words in words the longest."""
    words, pieces = shipped_words(), [(found.start(), found[0].lower()) for found in _PIECE.finditer(text)]
    found, number = [], 0
    while number < len(pieces):
        start, key = pieces[number]
        if key in words.beginnings:
            for length in range(min(_MOST_PIECES, len(pieces) - number), 0, -1):
                group = words.groups.get("".join(piece for _, piece in pieces[number : number + length]))
                if group is not None:
                    found.append((start, group))
                    number += length - 1
                    break
        number += 1
    return found


@dataclass(frozen=True, slots=True)
class _Words:
    groups: Mapping[str, str]
    """Word without blanks and hyphens, in small letters → its group."""
    beginnings: frozenset[str]
    """First pieces of all words."""


@cache
def shipped_words() -> _Words:
    lines = resource_path("lexicon", "species.tsv").read_text(encoding="utf-8").splitlines()
    pieces = {tuple(_PIECE.findall(word.lower())): group for word, group in (line.split("\t") for line in lines)}
    beginnings = {"".join(word[:length]) for word in pieces for length in range(1, len(word) + 1)}
    return _Words(
        {"".join(word): group for word, group in pieces.items()}, frozenset(beginnings | {word[0] for word in pieces})
    )


@dataclass(frozen=True, slots=True)
class _Rule:
    """A logistic regression: how probably a name is that of a gene of man."""

    weights: Mapping[str, float]
    intercept: float
    threshold: float

    def probability(self, hints: Mapping[str, float]) -> float:
        score = self.intercept + sum(self.weights.get(hint, 0.0) * value for hint, value in hints.items())
        return 1 / (1 + math.exp(-score))


@cache
def shipped_rule() -> _Rule:
    return _Rule(**json.loads(resource_path("lexicon", "species.json").read_text(encoding="utf-8")))
