"""Whose genes a text is about."""

import pytest

from relhash.biomed.grounding import Species, species_at, species_of


@pytest.mark.parametrize(
    ("text", "species"),
    [
        ("RAF1 binds MEK1.", Species.HUMAN),
        ("Stat1 in knockout mice.", Species.MOUSE),
        ("Il6 of rats with shock", Species.RAT),
        ("in mice and in patients", Species.HUMAN),
        ("mice, mice and one rat", Species.MOUSE),
        ("expressed in Jurkat cells and murine fibroblasts", Species.HUMAN),
        ("Rpd3 of Drosophila melanogaster", Species.OTHER),
        ("from Drosophila to mammals", Species.HUMAN),
        ("a yeast two-hybrid screen with RAF1", Species.HUMAN),
        ("corporate strategy", Species.HUMAN),  # no rat in it
    ],
)
def test_what_a_text_is_about(text, species):
    assert species_of(text) is species


def test_the_word_at_the_name_counts():
    text = "Human and murine IL-3 differ; rat Fas and Fas."
    assert species_at(text, text.index("IL-3"), "IL-3") is Species.MOUSE
    assert species_at(text, text.index("Fas"), "Fas") is Species.RAT
    assert species_at(text, text.rindex("Fas"), "Fas") is None
    assert species_at(text, 0, "human RAF1") is Species.HUMAN
