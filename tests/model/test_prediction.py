"""Predictions as annotations of documents; what the model that ships accepts, by what the sentence says."""

from __future__ import annotations

import pytest

import relhash
from relhash.errors import ParameterError
from relhash.model.prediction import annotated, with_predictions


def test_documents_are_annotated_with_what_was_found(small_model, fulltext):
    found = small_model.predict(fulltext)
    documents = list(annotated(fulltext, found))
    assert [document.id for document in documents] == [document.id for document in fulltext]
    assert sum(len(document.relations) for document in documents) == len(found)
    for document in documents:
        document.check()
        assert len([a for a in document.attributes if a.type == "Probability"]) == len(document.relations)


def test_relations_take_the_place_of_those_that_were_there(small_model, fulltext):
    document, found = next((d, f) for d, f in small_model.annotate(fulltext.documents) if f)
    changed = with_predictions(document, found)
    assert [relation.type for relation in changed.relations] == [p.relation for p in found]
    assert [set(relation.targets) for relation in changed.relations] == [{m.id for m in p.candidate.mentions} for p in found]
    nothing = with_predictions(document, [])
    assert nothing.relations == ()
    assert nothing.mentions == document.mentions


@pytest.fixture(scope="module")
def ppi():
    return relhash.load("ppi", cache=False)


@pytest.mark.parametrize(
    ("text", "assertion", "accepted"),
    [
        ("RAF1 binds to MEK1.", "asserted", True),
        ("RAF1 does not bind to MEK1.", "negated", False),
        ("RAF1 failed to interact with MEK1.", "negated", False),
        ("No interaction between RAF1 and MEK1 was observed.", "negated", False),
        ("We investigated whether RAF1 binds to MEK1.", "questioned", False),
        ("RAF1 may bind MEK1.", "speculative", True),
    ],
)
def test_what_a_sentence_denies_or_asks_is_not_accepted(ppi, text, assertion, accepted):
    """The sentences of issue 15: each was accepted with a probability of 0.9 or more."""
    (found,) = ppi.predict(text, all_candidates=True)
    assert found.assertion == assertion
    assert found.as_row()["assertion"] == assertion
    assert found.is_relation is accepted
    assert len(ppi.predict(text)) == accepted


def test_what_is_kept_is_another_model_with_the_same_scores(ppi):
    text = "No interaction between RAF1 and MEK1 was observed."
    (kept,) = ppi.keeping("negated").predict(text)
    assert kept.score == ppi.predict(text, all_candidates=True)[0].score
    assert not ppi.keeping("questioned").predict(text)
    with pytest.raises(ParameterError, match="keep: 'denied' is none of asserted, speculative, questioned, negated"):
        ppi.keeping("denied")


def test_of_two_pairs_of_a_sentence_only_the_denied_one_goes(ppi):
    found = ppi.predict("RAF1, which does not bind GRB2, binds MEK1.", all_candidates=True)
    told = {tuple(mention.text for mention in one.candidate.mentions): one.assertion for one in found}
    assert told["RAF1", "GRB2"] == "negated"
    assert told["RAF1", "MEK1"] == "asserted"


def test_documents_say_what_is_not_simply_stated(ppi):
    denied = "No interaction between RAF1 and MEK1 was observed."
    for text, expected in ((denied, ["negated"]), ("RAF1 binds to MEK1.", [])):
        ((document, found),) = ppi.keeping("negated").annotate([relhash.Document("d", text)])
        changed = with_predictions(document, found).check()
        assert [attribute.value for attribute in changed.attributes if attribute.type == "Assertion"] == expected
