"""Where strings that were annotated without offsets stand in their text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from relhash.corpus.document import Span


def find_strings(text: str, strings: Iterable[str]) -> dict[str, list[Span]]:
    """All occurrences of each string: longest strings first, none over another; what does not occur is not in the result.

    Whole words come before pieces of words, the spelling as it stands before other case.

    >>> find_strings("The p53 protein binds MDM2, and p53 binds p300.", ["p53", "p53 protein", "MDM2", "p63"])
    {'p53 protein': [(4, 15)], 'MDM2': [(22, 26)], 'p53': [(32, 35)]}
    >>> find_strings("It was RAS.", ["as", "ras"])            # a whole word of other case before a piece of a word
    {'ras': [(7, 10)], 'as': [(4, 6)]}
    """
    lower = text.lower()
    can_ignore_case = len(lower) == len(text)  # some capitals have two small letters
    taken: list[Span] = []
    found: dict[str, list[Span]] = {}
    for string in sorted(dict.fromkeys(strings), key=lambda one: (-len(one), one)):
        small = string.lower()
        if not string.strip() or (can_ignore_case and small not in lower):
            continue
        as_written = list(_occurrences(text, string))
        tries = [[span for span in as_written if _is_word(text, span)], as_written]
        if can_ignore_case:
            tries.insert(1, [span for span in _occurrences(lower, small) if _is_word(text, span)])
        for spans in tries:
            free = [(a, b) for a, b in spans if all(b <= start or a >= end for start, end in taken)]
            if free:
                found[string] = free
                taken += free
                break
    return found


def _occurrences(text: str, string: str) -> Iterator[Span]:
    place = text.find(string)
    while place >= 0:
        yield place, place + len(string)
        place = text.find(string, place + len(string))


def _is_word(text: str, span: Span) -> bool:
    """Whether neither side of the span continues a word."""
    start, end = span
    joins_before = start > 0 and _in_word(text[start - 1]) and _in_word(text[start])
    joins_after = end < len(text) and _in_word(text[end]) and _in_word(text[end - 1])
    return not joins_before and not joins_after


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"
