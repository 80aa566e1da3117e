"""Sentences merged to facts."""

from __future__ import annotations

import pytest

from relhash.show.facts import merge
from tests.show.facts.said import said


def test_sentences_about_one_pair_are_one_fact():
    (fact,) = merge([
        said("RAF1=HGNC:9829", "MEK1=HGNC:6840", 0.8, "d1"),
        said("MEK-1=HGNC:6840", "c-Raf=HGNC:9829", 0.9, "d2"),
        said("RAF1=HGNC:9829", "MEK1=HGNC:6840", 0.7, "d2", assertion="speculative"),
    ])  # fmt: skip
    assert (fact.first.name, fact.second.name) == ("MEK1", "RAF1")
    assert fact.second.names == ("RAF1", "c-Raf")
    assert (len(fact.sources), fact.documents, fact.count("speculative")) == (3, 2, 1)
    assert fact.belief == pytest.approx(1 - (1 - 0.8) * (1 - 0.9) * (1 - 0.35))
    best = fact.sources[0]
    assert (best.document, best.probability) == ("d2", 0.9)
    assert best.marked == "[E1]MEK-1[/E1] binds [E2]c-Raf[/E2] in d2."
    assert fact.sources[1].marked == "[E2]RAF1[/E2] binds [E1]MEK1[/E1] in d1."  # the marks follow the order of the fact


def test_a_known_entity_is_never_merged_with_an_unknown_one():
    facts = merge([said("RAF1=HGNC:9829", "MEK1=X:1"), said("RAF1", "MEK1=X:1"), said("raf-1", "MEK1=X:1", 0.5)])
    assert sorted(len(fact.sources) for fact in facts) == [1, 2]


def test_directed_relations_keep_their_direction():
    forward, backward = merge([said("A", "B", 0.9, is_directed=True), said("B", "A", 0.5, is_directed=True)])
    assert (forward.first.name, backward.first.name) == ("A", "B")
    assert len(merge([said("A", "B", is_directed=False), said("B", "A", is_directed=False)])) == 1


def test_relations_of_other_types_are_other_facts():
    assert len(merge([said("A", "B"), said("A", "B", relation="inhibits")])) == 2


def test_a_sentence_counts_once():
    twice = [said("A", "B", 0.6, sentence="A binds B and A."), said("A", "B", 0.8, sentence="A binds B and A.")]
    (fact,) = merge(twice)
    assert [source.probability for source in fact.sources] == [0.8]
    assert fact.belief == pytest.approx(0.8)


def test_denials_count_against_it_and_what_was_not_accepted_counts_nothing():
    (fact,) = merge([
        said("A", "B", 0.8, "d1"),
        said("A", "B", 0.5, "d2", assertion="negated"),
        said("A", "B", 0.9, "d3", is_accepted=False),
    ])  # fmt: skip
    assert (fact.count("negated"), fact.documents) == (1, 2)
    assert fact.belief == pytest.approx(0.8 * 0.5)
    assert fact.sources[0].assertion == "asserted"


def test_the_order_of_the_rows_changes_nothing():
    rows = [said("A", "B", 0.5, "1"), said("C", "B", 0.5, "1"), said("b", "A", 0.5, "2"), said("C", "C", 0.9, "3")]
    one, other = merge(rows), merge(rows[::-1])
    assert [(f.first.key, f.second.key, f.belief, f.sources) for f in one] == [
        (f.first.key, f.second.key, f.belief, f.sources) for f in other
    ]
    assert [fact.belief for fact in one] == sorted((fact.belief for fact in one), reverse=True)


def test_nothing_gives_nothing():
    assert merge([]) == []


def test_a_copied_sentence_is_no_new_evidence():
    copied = "In these cells A strongly binds B in the presence of calcium."
    (fact,) = merge([said("A", "B", 0.8, document, sentence=copied) for document in ("d1", "d2", "d3")])
    assert (fact.documents, fact.belief) == (3, pytest.approx(0.8))
