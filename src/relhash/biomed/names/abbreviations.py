"""Abbreviations that a text explains: "tumor necrosis factor (TNF)", "TNF (tumor necrosis factor)".

The algorithm of Schwartz and Hearst (2003): the letters of the short form are looked for in the words next to the parenthesis,
from right to left, and its first letter must begin a word. It needs no list and no training.

Schwartz A.S., Hearst M.A. (2003). A simple algorithm for identifying abbreviation definitions in biomedical text. PSB, 451–462.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from relhash.corpus.document import Span

_PARENTHESIS = re.compile(r"[(\[]([^()\[\]]{2,200})[)\]]")
_BREAK = re.compile(r"[;:()\[\]]|[.!?]\s+(?=[A-Z])|,\s")
_WORD = re.compile(r"\S+")
_LONGEST_SHORT_FORM = 10
"""Characters; the paper's bound."""


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A short form and what it stands for, with their places in the text."""

    short: str
    long: str
    short_span: Span
    long_span: Span


def abbreviations(text: str) -> list[Abbreviation]:
    """The abbreviations that the text explains, in the order of their parentheses.

    >>> [(found.short, found.long) for found in abbreviations("binding of tumor necrosis factor (TNF) to Fas")]
    [('TNF', 'tumor necrosis factor')]
    >>> [(found.short, found.long) for found in abbreviations("the GR (glucocorticoid receptor) binds")]
    [('GR', 'glucocorticoid receptor')]
    """
    found = []
    for match in _PARENTHESIS.finditer(text):
        start, end = _trimmed(text, match.start(1), match.end(1))
        abbreviation = _short_inside(text, match.start(), start, end) or _long_inside(text, match.start(), start, end)
        if abbreviation is not None:
            found.append(abbreviation)
    return found


def _short_inside(text: str, opening: int, start: int, end: int) -> Abbreviation | None:
    """``long form (SHORT)``."""
    short = text[start:end]
    if not _is_short_form(short):
        return None
    words = _words_before(text, opening, min(len(short) + 5, 2 * len(short)))
    if not words:
        return None
    begin = _long_form_start(short, text, words[0][0], words[-1][1])
    return None if begin is None else Abbreviation(short, text[begin : words[-1][1]], (start, end), (begin, words[-1][1]))


def _long_inside(text: str, opening: int, start: int, end: int) -> Abbreviation | None:
    """``SHORT (long form)``."""
    before = _words_before(text, opening, 1)
    if not before or " " not in text[start:end]:
        return None
    short = text[before[0][0] : before[0][1]]
    if not _is_short_form(short):
        return None
    begin = _long_form_start(short, text, start, end)
    return None if begin is None else Abbreviation(short, text[begin:end], before[0], (begin, end))


def _is_short_form(text: str) -> bool:
    """Two to ten characters in at most two words, the first a letter or digit, with a letter among them."""
    return (
        2 <= len(text) <= _LONGEST_SHORT_FORM
        and text[0].isalnum()
        and any(character.isalpha() for character in text)
        and len(text.split()) <= 2
    )


def _long_form_start(short: str, text: str, start: int, end: int) -> int | None:
    """Where the shortest long form that ends at ``end`` begins; nothing if ``text[start:end]`` holds none."""
    place = end
    for position in reversed(range(len(short))):
        wanted = short[position].lower()
        if not wanted.isalnum():
            continue
        place -= 1
        while place >= start and (
            text[place].lower() != wanted or (position == 0 and place > start and text[place - 1].isalnum())
        ):
            place -= 1
        if place < start:
            return None
    long = text[place:end]
    if len(long) <= len(short) or short.lower() in long.lower().split():
        return None
    return place


def _words_before(text: str, opening: int, at_most: int) -> list[Span]:
    """The words that stand before a parenthesis in the same part of the sentence, no more than so many."""
    earliest = max(0, opening - 250)
    stretch = text[earliest:opening]
    cut = max((match.end() for match in _BREAK.finditer(stretch)), default=0)
    words = list(_WORD.finditer(stretch, cut))[-at_most:]
    return [(earliest + word.start(), earliest + word.end()) for word in words]


def _trimmed(text: str, start: int, end: int) -> Span:
    """The content of a parenthesis up to its first comma or semicolon, without spaces around."""
    for mark in (";", ", "):
        place = text.find(mark, start, end)
        if place > start:
            end = place
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
