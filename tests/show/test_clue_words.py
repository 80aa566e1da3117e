"""Every clue has words."""

from __future__ import annotations

from relhash.candidates.statements.links import CLUES
from relhash.show.reasons import CLUE_WORDS


def test_every_clue_is_said_in_words_of_its_own() -> None:
    assert list(CLUE_WORDS) == list(CLUES)
    assert len(set(CLUE_WORDS.values())) == len(CLUES)
