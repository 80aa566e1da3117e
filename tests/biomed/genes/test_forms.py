"""Features of spellings are plain, finite and the same every time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.biomed.genes.place_scores import _PATTERNS, form_features, shape


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("S82", "is residue"),
        ("Ser473", "is residue"),
        ("p53", "is p53"),
        ("IV", "is roman"),
        ("kappa", "is greek"),
        ("β", "is greek"),
        ("IL2", "is ABC1"),
        ("lysine", "is amino acid"),
        ("STAT5", "d=STAT0"),
        ("IL2R", "a=ilr"),
        ("kinase", "x3=ase"),
    ],
)
def test_what_is_seen(form, expected):
    assert expected in form_features(form)


def test_what_is_not_seen():
    assert "is residue" not in form_features("MEK1")
    assert "is roman" not in form_features("Mix")


@given(st.text(min_size=1, max_size=200))
def test_any_token(form):
    names = form_features(form)
    assert sorted(names) == sorted(form_features(form))
    assert len(names) == len(set(names))
    assert all(len(name) < 60 for name in names)
    assert len(shape(form)) <= 8


def test_features_come_in_one_order_in_every_process():
    """Regression: runs of three letters came in the order of a set, and sums of weights differed in their last digits."""
    runs = [name for name in form_features("insulins") if name.startswith("g=")]
    assert runs == ["g=^in", "g=ins", "g=nsu", "g=sul", "g=uli", "g=lin", "g=ns$"]


@given(st.text(st.sampled_from("abzABZ12-αé"), min_size=1, max_size=6))
def test_words_need_no_patterns(form):
    """What most tokens are is told without trying all patterns: the same features as with them."""
    expected = [f"is {name}" for name, pattern in _PATTERNS.items() if pattern.fullmatch(form)]
    others = {"is greek", "is amino acid", "is roman", "is residue"}
    assert [name for name in form_features(form) if name.startswith("is ") and name not in others] == expected
