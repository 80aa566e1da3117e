"""Schwartz and Hearst's algorithm: the classic examples, and properties of whatever it finds."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from relhash.biomed.names.abbreviations import abbreviations


def pairs(text):
    return [(found.short, found.long) for found in abbreviations(text)]


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("heat shock protein (HSP)", "HSP", "heat shock protein"),  # the paper's example
        ("the enzyme of Gcn5-related N-acetyltransferase (GNAT)", "GNAT", "Gcn5-related N-acetyltransferase"),
        ("methyl methanesulfonate sulfate (MMS)", "MMS", "methyl methanesulfonate sulfate"),
        ("induces tumor necrosis factor (TNF) and", "TNF", "tumor necrosis factor"),
        ("the TNF (tumor necrosis factor) gene", "TNF", "tumor necrosis factor"),
        ("nuclear factor of activated T cells (NFAT; also NF-AT)", "NFAT", "nuclear factor of activated T cells"),
        (
            "granulocyte-macrophage colony-stimulating factor (GM-CSF)",
            "GM-CSF",
            "granulocyte-macrophage colony-stimulating factor",
        ),
        ("nuclear factor-kappaB (NF-kappaB)", "NF-kappaB", "nuclear factor-kappaB"),
        ("activator protein 1 [AP-1] sites", "AP-1", "activator protein 1"),
        ("interleukin-2 (IL-2)", "IL-2", "interleukin-2"),
    ],
)
def test_classic_examples(text, short, long):
    assert pairs(text) == [(short, long)]


@pytest.mark.parametrize(
    "text",
    [
        "the kinase (see Fig. 2)",
        "was increased (P < 0.05)",
        "RAF1 (MEK1) was",
        "the gene (1999)",
        "It was found. Bound (IFB)",  # no letters for it
        "(TNF)",
        "text without",
        "the TNF (TNF) gene",
    ],
)
def test_what_is_no_abbreviation(text):
    assert pairs(text) == []


def test_a_long_form_does_not_cross_the_end_of_a_sentence():
    assert pairs("We saw the tumor. Necrosis factor (TNF) was low.") == []


@given(st.text(alphabet="abcABC12 -().,;[]", max_size=60))
def test_what_is_found_stands_in_the_text(text):
    for found in abbreviations(text):
        assert text[slice(*found.short_span)] == found.short
        assert text[slice(*found.long_span)] == found.long
        assert found.short_span[1] <= found.long_span[0] or found.long_span[1] <= found.short_span[0]
        remaining = iter(found.long.lower())
        assert all(letter in remaining for letter in found.short.lower() if letter.isalnum())
        assert found.long[0].lower() == found.short[0].lower()


@given(st.lists(st.from_regex(r"[a-z]{3,8}", fullmatch=True), min_size=2, max_size=6))
def test_initials_are_always_found(words):
    short = "".join(word[0] for word in words).upper()
    assume(short.lower() not in words)  # what holds its short form explains nothing
    found = pairs(f"the {' '.join(words)} ({short})")
    assert [pair[0] for pair in found] == [short]
    assert " ".join(words).endswith(found[0][1])


def test_a_long_form_has_at_most_twice_as_many_words_as_the_short_one_letters():
    """The bound of Schwartz and Hearst: min(n + 5, 2 n) words for n letters."""
    assert [one.long for one in abbreviations("interferon of the lymphocytes (IL)")] == ["interferon of the lymphocytes"]
    assert abbreviations("interferon of the new lymphocytes (IL)") == []
    assert len(abbreviations("t u m o r f a b c z (TUMORZ)")) == 1
    assert abbreviations("t u m o r a b c d e f z (TUMORZ)") == []
