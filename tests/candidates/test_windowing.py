"""Long stretches between two participants are cut to what stands next to them, and it is said."""

from __future__ import annotations

import warnings

import pytest

from relhash.candidates import Candidate, build_structures
from relhash.candidates.scene import HALF, LEFT_OUT, LONGEST_STRETCH
from relhash.corpus import Dependency, Document, Mention, Sentence, Token
from relhash.errors import RelHashWarning


def pair(words_between: int) -> Candidate:
    """Two names with so many words between them, each word governed by the one before."""
    words = ["Ras", *(f"w{number}" for number in range(words_between)), "Raf"]
    places, position = [], 0
    for word in words:
        places.append((position, position + len(word)))
        position += len(word) + 1
    tokens = tuple(Token(start, end, word) for (start, end), word in zip(places, words, strict=True))
    arcs = tuple(Dependency(number, number + 1, "dep") for number in range(len(words) - 1))
    text = " ".join(words)
    names = tuple(Mention(f"T{number}", "protein", (places[number],), words[number]) for number in (0, -1))
    document = Document("d", text, (Sentence("s", 0, len(text), tokens, arcs),), names)
    return Candidate(document, 0, names, ("e1", "e2"))


@pytest.mark.parametrize("view", ["between", "path", "path+edges", "path+context", "window(3,3)"])
def test_a_long_stretch_shows_its_ends(view):
    with pytest.warns(RelHashWarning, match=f"more than {LONGEST_STRETCH} tokens"):
        (sequence,) = build_structures([pair(5000)], [view])[view]
    assert sequence.count(LEFT_OUT) == 1
    assert len(sequence) <= LONGEST_STRETCH + 3
    assert sequence[0] == "<E1>"
    assert sequence[-1] == "<E2>"
    assert "w0" in sequence
    assert "w4999" in sequence
    assert "w2500" not in sequence


@pytest.mark.parametrize("view", ["between", "path"])
def test_what_fits_is_not_touched(view):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (sequence,) = build_structures([pair(LONGEST_STRETCH)], [view])[view]
    assert sequence[1:-1] == [f"w{number}" for number in range(LONGEST_STRETCH)]


def test_both_ends_are_as_long():
    with pytest.warns(RelHashWarning):
        (sequence,) = build_structures([pair(LONGEST_STRETCH + 1)], ["between"])["between"]
    assert sequence.index(LEFT_OUT) == HALF + 1
    assert len(sequence) == 2 * HALF + 3
