from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.candidates.description import is_abbreviation, likeness
from relhash.corpus import CandidatePair
from tests.candidates.description.described import describe
from tests.candidates.drawn_sentences import draw


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("tumor necrosis factor", "TNF", True),
        ("TNF-alpha", "tumor necrosis factor alpha", True),
        ("interleukin-2", "IL-2", True),
        ("IL-2", "IL-4", False),
        ("IL-2 receptor", "IL-2", True),  # by its letters; that one is inside the other is a column of its own
        ("insulin", "IGF", False),
        ("actin", "", False),
    ],
)
def test_abbreviations(first, second, expected):
    assert is_abbreviation(first, second) is is_abbreviation(second, first) is expected


@given(st.text(max_size=20), st.text(max_size=20))
def test_likeness_is_symmetric_and_within_bounds(first, second):
    values = likeness(first, second)
    assert values == likeness(second, first)
    assert all(0 <= value <= 1 for value in values)
    assert likeness(first, first)[0] == 1


def test_names_that_are_equal_nested_or_share_a_token():
    same = describe(draw("Ras binds ras", names=["Ras", "ras"]))
    assert same["same_name"] == 1
    shared = describe(draw("the Ras/Raf complex", "complex nn Ras/Raf", ["Ras", "Raf"]))
    assert (shared["shared_token"], shared["nested"], shared["has_path"], shared["followed_by_hyphen"]) == (1, 0, 0, 1)
    nested = draw("IL-2 receptor", "receptor nn IL-2", ["IL-2", "IL-2 receptor"])
    nested = describe(replace(nested, candidates=(CandidatePair("p", "T1", "T2"),)))
    assert (nested["nested"], nested["adjacent"]) == (1, 1)
