"""Features of spellings are plain, finite and the same every time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.language.genes.forms import form_features, shape


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
