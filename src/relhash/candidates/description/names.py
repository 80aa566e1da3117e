"""How alike the names of two participants are.

"Interleukin-2 (IL-2)" is one thing named twice, "IL-2 and IL-4" are more often listed side by side than related: names say
much about a pair before anybody has looked at the words around them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from relhash.candidates.candidate import overlap
from relhash.candidates.scene import Scene, Stage

COLUMNS = ("same_name", "nested", "shared_token", "name_likeness", "name_shared_start", "name_abbreviation", "name_inside")

_SEPARATORS = re.compile(r"[\W_]+")
_DIGITS = re.compile(r"\d")
_SHORTER_BY = 3
"""An abbreviation is so many characters shorter than what it stands for."""


class NameFacts:
    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def __call__(self, scene: Scene) -> list[float]:
        first, last = scene.candidate.mentions[0], scene.candidate.mentions[-1]
        return [
            float(first.text.casefold() == last.text.casefold()),
            float(overlap(first, last)),
            float(not set(scene.tokens[0]).isdisjoint(scene.tokens[-1])),
            *likeness(first.text, last.text),
        ]


@lru_cache(maxsize=65536)
def likeness(first: str, second: str) -> tuple[float, float, float, float]:
    """Share of common trigrams; of the shorter name, the share that both begin with; abbreviation; one inside the other.

    >>> likeness("IL-2", "IL-4")[1:]
    (0.6666666666666666, 0.0, 0.0)
    """
    left, right = first.casefold(), second.casefold()
    left_grams, right_grams = _trigrams(left), _trigrams(right)
    alike = len(left_grams & right_grams) / len(left_grams | right_grams)
    left, right = _plain(left), _plain(right)
    shorter = min(len(left), len(right))
    if not shorter:
        return alike, 0.0, 0.0, 0.0
    start = next((i for i in range(shorter) if left[i] != right[i]), shorter) / shorter
    return alike, start, float(is_abbreviation(first, second)), float(left in right or right in left)


def is_abbreviation(first: str, second: str) -> bool:
    """Whether one of the names may stand for the other: by its initials, or by some of its letters in their order.

    >>> is_abbreviation("tumor necrosis factor", "TNF"), is_abbreviation("IL-2", "interleukin-2"), is_abbreviation("Ras", "Raf")
    (True, True, False)
    """
    long, short = sorted((first.casefold(), second.casefold()), key=lambda name: len(_plain(name)), reverse=True)
    letters, wanted = _plain(long), _plain(short)
    if not wanted or len(letters) < len(wanted) + _SHORTER_BY:
        return False
    words = [word for word in _SEPARATORS.split(long) if word]
    without_digits = _DIGITS.sub("", wanted)
    if without_digits and _DIGITS.sub("", "".join(word[0] for word in words)) == without_digits:
        return True
    remaining = iter(letters)
    return letters[0] == wanted[0] and len(words) > 1 and all(letter in remaining for letter in wanted)


@lru_cache(maxsize=16384)
def _trigrams(name: str) -> frozenset[str]:
    padded = f"#{name}#"
    return frozenset([padded[i : i + 3] for i in range(max(1, len(padded) - 2))])


@lru_cache(maxsize=16384)
def _plain(name: str) -> str:
    return _SEPARATORS.sub("", name)
