"""Every clue has words."""

from __future__ import annotations

from relhash.explain.clue_words import CLUE_WORDS
from relhash.structures.interactions.clues import CLUES


def test_every_clue_is_said_in_words_of_its_own() -> None:
    assert list(CLUE_WORDS) == list(CLUES)
    assert len(set(CLUE_WORDS.values())) == len(CLUES)
