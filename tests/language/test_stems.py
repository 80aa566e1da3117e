"""What the forms of a word share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.language.words import stem

FAMILIES = [
    ["phosphorylate", "phosphorylates", "phosphorylated", "phosphorylation", "Phosphorylating"],
    ["bind", "binds", "binding"],
    ["inhibit", "inhibits", "inhibitor", "inhibited"],
    ["control", "controlled", "controls"],
    ["activate", "activation", "activator", "activates"],
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family[0])
def test_forms_of_a_word_meet(family: list[str]) -> None:
    assert len(set(map(stem, family))) == 1


def test_words_of_different_meaning_do_not() -> None:
    assert len({stem(word) for word in ("bind", "inhibit", "express", "degrade", "ras", "raf")}) == 6


@pytest.mark.parametrize("name", ["p53", "IL-2", "NF-kB", "Ras", "c-Jun"])
def test_names_stay_whole(name: str) -> None:
    assert stem(name) == name.lower()


@given(st.text(max_size=20))
def test_a_stem_begins_its_word_and_is_not_emptied(word: str) -> None:
    found = stem(word)
    assert word.lower().startswith(found)
    assert bool(found) == bool(word.lower())
