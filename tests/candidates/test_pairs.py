"""Pairs as candidates: types, directions, lists of the corpus, sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.candidates import PairPolicy, candidates, parse_types
from relhash.corpus import CandidatePair, Document, Mention, Relation, Sentence
from relhash.corpus.document import Argument
from relhash.errors import ParameterError, StructureError
from tests.candidates.drawn_sentences import draw


def keys(document, policy=None):
    return [candidate.key for candidate in candidates([document], policy)]


def test_all_pairs_of_a_sentence_in_surface_order():
    document = draw("Ras binds Raf and MEK .", names=["MEK", "Ras", "Raf"], related=[(1, 2)])
    found = list(candidates([document]))
    assert [tuple(m.text for m in c.mentions) for c in found] == [("Ras", "Raf"), ("Ras", "MEK"), ("Raf", "MEK")]
    assert [c.is_positive for c in found] == [False, True, False]
    assert found[1].relations == ("interaction",)
    assert {c.roles for c in found} == {("e1", "e2")}


def test_pairs_do_not_cross_sentences():
    text = "Ras binds . Raf acts ."
    mentions = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((12, 15),), "Raf"))
    document = Document("d", text, (Sentence("s0", 0, 11), Sentence("s1", 12, 22)), mentions)
    assert keys(document) == []


def test_the_list_of_the_corpus_is_kept_exactly():
    document = draw("Ras binds Raf and MEK .", names=["Ras", "Raf", "MEK"], related=[(1, 2)])
    listed = replace(document, candidates=(CandidatePair("p0", "T3", "T1"),))
    assert keys(listed) == ["d|T1|T3"]
    assert keys(replace(document, candidates=())) == []


def test_listed_pairs_may_overlap_or_be_one_mention():
    document = draw("IL-2 receptor binds", names=["IL-2", "IL-2 receptor"])
    pairs = (CandidatePair("p0", "T1", "T2"), CandidatePair("p1", "T1", "T1"))
    assert keys(replace(document, candidates=pairs)) == ["d|T1|T2", "d|T1|T1"]


def test_triggers_are_no_participants():
    document = draw("Ras binds Raf", names=["Ras", "Raf"])
    trigger = Mention("T9", "Binding", ((4, 9),), "binds", is_trigger=True)
    assert keys(replace(document, mentions=(*document.mentions, trigger))) == ["d|T1|T2"]


def test_types_are_compared_by_class_and_give_the_roles():
    document = draw("aspirin inhibits COX-2 and p53", names=["aspirin", "COX-2", "p53"], kinds=["Drug", "Gene", "protein"])
    found = list(candidates([document], PairPolicy(types=[("protein", "chemical")])))
    assert [tuple(m.text for m in c.mentions) for c in found] == [("aspirin", "COX-2"), ("aspirin", "p53")]
    assert {c.roles for c in found} == {("e2", "e1")}  # the protein is e1, though the chemical stands first
    assert found[0].key == "d|T2|T1"


def test_directed_pairs_carry_direction_in_roles():
    document = draw("Ras activates Raf", names=["Ras", "Raf"])
    relation = Relation("R1", "activates", (Argument("Agent", "T1"), Argument("Target", "T2")))
    directed = list(candidates([replace(document, relations=(relation,))], PairPolicy(directed=True)))
    assert [(c.roles, c.is_positive, c.key) for c in directed] == [
        (("e1", "e2"), True, "d|T1|T2"),
        (("e2", "e1"), False, "d|T2|T1"),
    ]
    assert all(c.mentions[0].text == "Ras" for c in directed)


def test_a_directed_policy_with_types_has_one_order():
    document = draw("aspirin inhibits COX-2", names=["aspirin", "COX-2"], kinds=["chemical", "protein"])
    policy = PairPolicy(types=[("protein", "chemical")], directed=True)
    assert [c.roles for c in candidates([document], policy)] == [("e2", "e1")]


def test_self_pairs_are_optional():
    document = draw("IL-2 receptor binds Ras", names=["IL-2", "IL-2 receptor", "Ras"])
    assert keys(document) == ["d|T1|T3", "d|T2|T3"]
    with_self = keys(document, PairPolicy(self_pairs=True))
    assert with_self == ["d|T1|T1", "d|T1|T2", "d|T1|T3", "d|T2|T2", "d|T2|T3", "d|T3|T3"]


def test_mentions_in_the_gap_of_a_discontinuous_one_do_not_overlap_it():
    document = draw("alpha and beta subunit", names=["alpha … subunit", "beta"])
    assert keys(document) == ["d|T1|T2"]


def test_unsplit_documents():
    document = replace(draw("Ras binds Raf", names=["Ras", "Raf"]), sentences=())
    with pytest.raises(StructureError, match=r"not split into sentences.*--parses embedded"):
        keys(document)
    assert keys(document, PairPolicy(unsplit="document")) == ["d|T1|T2"]
    row_of_a_spreadsheet = replace(document, candidates=(CandidatePair("p", "T1", "T2"),))
    assert keys(row_of_a_spreadsheet) == ["d|T1|T2"]


def test_a_mention_outside_all_sentences_is_an_error_that_names_it():
    document = draw("Ras binds Raf", names=["Ras", "Raf"])
    with pytest.raises(StructureError, match=r"'T2'.*'Raf'"):
        keys(replace(document, sentences=(Sentence("s", 0, 9),)))


def test_bad_policies():
    with pytest.raises(ParameterError, match="pair of entity types"):
        PairPolicy(types=["protein"])
    with pytest.raises(ParameterError, match="None for all"):
        PairPolicy(types=[])
    with pytest.raises(ParameterError, match="unsplit"):
        PairPolicy(unsplit="whatever")


def test_types_of_the_command_line():
    assert parse_types("protein:T-cell") == [("protein", "T-cell")]
    assert parse_types("protein") == [("protein", "protein")]
    for bad in ("", " , ", "protein-"):
        with pytest.raises(ParameterError):
            parse_types(bad)
