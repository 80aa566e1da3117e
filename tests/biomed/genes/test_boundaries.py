"""Names lose stray signs and brackets at their borders, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.biomed.genes.tagger import trimmed, up_to_receptors


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("human ;", "human"),
        ("IL - 2 )", "IL - 2"),
        ("( IL - 2 )", "( IL - 2 )"),
        ("p53 ( TP53 )", "p53 ( TP53 )"),
        ("- catenin", "catenin"),
        ("NAD ( P", None),
        ("; - ;", None),
        ("NAD ( P ) H", "NAD ( P ) H"),
        ("CD4 +", "CD4 +"),
    ],
)
def test_what_is_left(name, expected):
    texts = name.split()
    cut = trimmed(texts, 0, len(texts))
    assert (None if cut is None else " ".join(texts[slice(*cut)])) == expected


def test_residues_and_brands_are_no_names():
    assert trimmed(["at", "S82"], 1, 2) is None
    assert trimmed(["residues", "Ser", "473"], 1, 3) is None
    assert trimmed(["phosphorylated", "S6"], 1, 2) == (1, 2)  # a ribosomal protein
    assert trimmed(["at", "STAT5"], 1, 2) == (1, 2)
    assert trimmed(["TaqMan", "Gene"], 0, 2) is None


@pytest.mark.parametrize(
    ("sentence", "spans", "expected"),
    [
        ("the M factor ( M - CSF ) receptor and", [(1, 3), (4, 7)], [(1, 9)]),
        ("M factor ( M - CSF ) receptor and Fas", [(0, 2), (4, 7), (9, 10)], [(0, 8), (9, 10)]),
        ("the M factor ( M - CSF ) binds", [(1, 3), (4, 7)], [(1, 3), (4, 7)]),
        ("Fas ( of these many words which explain nothing ) receptor", [(0, 1)], [(0, 1)]),
        ("Fas ( receptor", [(0, 1)], [(0, 1)]),
        ("Fas ( ) receptor", [(0, 1)], [(0, 1)]),
        ("Fas", [(0, 1)], [(0, 1)]),
    ],
)
def test_a_receptor_after_an_abbreviation_belongs_to_the_name(sentence, spans, expected):
    named = [(*span, "protein") for span in spans]
    assert up_to_receptors(sentence.split(), named) == [(*span, "protein") for span in expected]


@given(st.lists(st.sampled_from(["Ras", "(", ")", "[", "]", ";", "-", "2"]), min_size=1, max_size=8))
def test_the_rest_is_balanced_and_inside(texts):
    cut = trimmed(texts, 0, len(texts))
    if cut is not None:
        first, after = cut
        assert 0 <= first < after <= len(texts)
        assert {texts[first], texts[after - 1]}.isdisjoint({";", "-"})
        rest = texts[first:after]
        assert rest.count("(") == rest.count(")")
        assert rest.count("[") == rest.count("]")
        assert trimmed(texts, first, after) == cut  # nothing more to do
    if "(" not in texts and ")" not in texts and "[" not in texts and "]" not in texts and {"Ras", "2"} & set(texts):
        assert cut is not None
