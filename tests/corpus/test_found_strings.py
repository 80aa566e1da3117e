"""Strings without offsets, found in their text."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from relhash.corpus.nero import find_strings

texts = st.text(alphabet="abAB İß 1-", max_size=30)


@given(texts, st.lists(texts, max_size=5))
def test_places_hold_their_strings_and_never_overlap(text: str, strings: list[str]) -> None:
    found = find_strings(text, strings)
    spans = sorted(span for own in found.values() for span in own)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    for string, own in found.items():
        assert {text[start:end].lower() for start, end in own} == {string.lower()}


@given(texts, texts)
def test_a_single_string_that_occurs_is_found(text: str, string: str) -> None:
    assert (string in find_strings(text, [string])) >= (bool(string.strip()) and string in text)


def test_a_piece_of_a_word_is_the_last_resort() -> None:
    assert find_strings("PhosphoERK and ERK", ["ERK"]) == {"ERK": [(15, 18)]}
    assert find_strings("phosphoERK", ["ERK"]) == {"ERK": [(7, 10)]}
