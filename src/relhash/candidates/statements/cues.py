"""Words that turn a sign, or say what of a thing is meant: rows of ``resources/statements/cues.tsv``."""

from __future__ import annotations

import csv
from functools import cache, lru_cache
from typing import NamedTuple

from relhash.resources import resource_path

LOSS, DOWN, UP, FAILURE, CONTEXT, FILLER = "loss", "down", "up", "failure", "context", "filler"
AMOUNT, ACTIVITY = "amount", "activity"


class Cue(NamedTuple):
    """What a word does to a sign: its own (-1 turns it), what kind of word it is, and what it says of the object."""

    sign: int
    kind: str
    aspect: str


@lru_cache(maxsize=16384)
def cue_of(word: str) -> Cue | None:
    """What the table says of a word: its own row, else the longest row with a star that it begins with."""
    exact, beginnings = _table()
    word = word.lower()
    found = exact.get(word)
    for length in range(len(word), 1, -1) if found is None else ():
        found = beginnings.get(word[:length])
        if found is not None:
            break
    return found


@cache
def _table() -> tuple[dict[str, Cue], dict[str, Cue]]:
    exact, beginnings = {}, {}
    with resource_path("statements", "cues.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            cue = Cue({"+": 1, "-": -1}.get(row["sign"], 0), row["kind"], row["aspect"])
            if row["word"].endswith("*"):
                beginnings[row["word"][:-1]] = cue
            else:
                exact[row["word"]] = cue
    return exact, beginnings
