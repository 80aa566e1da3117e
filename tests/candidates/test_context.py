"""A path with what modifies it."""

from __future__ import annotations

from relhash.biomed.cues import NEGATIONS
from tests.candidates.description.described import describe
from tests.candidates.drawn_sentences import draw
from tests.candidates.shown_views import NEGATED, show


def test_path_with_context_has_negation_auxiliaries_and_prepositions():
    assert show("path+context", NEGATED) == "<E1> did not bind to domain of <E2>"
    passive = draw(
        "Raf is not phosphorylated by Ras", "phosphorylated nsubjpass Raf, phosphorylated auxpass is, phosphorylated neg not, "
        "phosphorylated agent Ras", ["Raf", "Ras"],
    )  # fmt: skip
    assert show("path+context", passive) == "<E1> is not phosphorylated by <E2>"


def test_path_with_context_shows_what_governs_a_coordination():
    document = draw(
        "interaction between Ras and Raf",
        "interaction prep_between Ras, interaction prep_between Raf, Ras conj_and Raf",
        ["Ras", "Raf"],
    )
    assert show("path", document) == "<E1> <E2>"
    assert show("path+context", document) == "<E1> interaction between and <E2>"


def test_path_with_context_of_a_tree():
    tree = draw(
        "no Ras interacts with Raf or MEK",
        "Ras det no, interacts nsubj Ras, interacts prep with, with pobj Raf, Raf cc or, Raf conj MEK",
        ["Ras", "Raf", "MEK"],
        scheme="craft",
    )
    assert show("path+context", tree) == "<E1> no interacts with <E2>"  # a participant comes first


def test_path_and_descriptors_know_the_same_negations():
    """There were two lists: "hardly" negated a path but not the words between, "lacks" the other way round."""
    for word in sorted(NEGATIONS):
        document = draw(f"Ras {word} binds Raf", f"binds nsubj Ras, binds advmod {word}, binds dobj Raf", ["Ras", "Raf"])
        assert show("path+context", document) == f"<E1> {word} binds <E2>"
        row = describe(document)
        assert row["negation_between"] == row["negation_near"] == row["path_negation"] == 1
