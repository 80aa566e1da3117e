"""A model moved to other text: threshold and probabilities move, codes and scores stay, labels are never looked at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import relhash
from relhash.biomed.assertion import Assertion
from relhash.corpus import Corpus, Document, Mention, Sentence
from relhash.errors import ParameterError
from relhash.learn import ForestClassifier
from relhash.learn.end_to_end import EndToEnd
from relhash.model import FittedModel, RelationExtractor
from relhash.model.card import card_text
from tests.model.changed_text import without_parses

TINY = {"learner": {"n_bits": 40}, "classifier": ForestClassifier(15), "views": ("between",)}


@pytest.fixture(scope="module")
def fulltext(fulltext):
    return without_parses(fulltext)


@pytest.fixture(scope="module")
def model(abstracts):
    abstracts = without_parses(abstracts)
    return RelationExtractor("KLSH-NU-RF", **TINY).fit(abstracts).model_


@pytest.fixture(scope="module")
def moved(model, fulltext):
    return model.adapted_to(fulltext)


def test_the_share_moves_and_scores_stay(model, moved, fulltext):
    np.testing.assert_array_equal(moved.scores(fulltext), model.scores(fulltext))
    np.testing.assert_array_equal(moved.hashcodes(fulltext), model.hashcodes(fulltext))
    assert model.decision.threshold.basis == "training"
    assert moved.decision.threshold.basis == "target"
    assert moved.decision.threshold.fraction == model.decision.threshold.fraction
    possible = [(moved.scores(fulltext) >= cut).mean() for cut in np.unique(moved.scores(fulltext))]
    nearest = min(abs(share - moved.decision.threshold.fraction) for share in possible)
    assert abs(moved.decision.accepted - moved.decision.threshold.fraction) == pytest.approx(nearest)
    assert moved.card["accepted"] == moved.decision.accepted
    assert moved.card["adapted_to"]["candidates"] == len(model.candidates(fulltext))
    assert "moved to that text" in card_text(moved.card)
    assert "adapted_later" not in model.card


def test_labels_of_the_text_are_not_looked_at(moved, model, fulltext):
    blank = Corpus.of(replace(document, relations=()) for document in fulltext)
    again = model.adapted_to(blank)
    assert again.decision.threshold == moved.decision.threshold
    np.testing.assert_array_equal(again.predict_proba(fulltext), moved.predict_proba(fulltext))


def test_an_expected_share_moves_probabilities_too(model, fulltext):
    told = model.adapted_to(fulltext, expect=0.1)
    assert told.predict_proba(fulltext).mean() == pytest.approx(0.1, abs=1e-6)
    assert told.card["threshold"]["strategy"] == "share:0.1"
    with pytest.raises(ParameterError, match="expect="):
        model.adapted_to(fulltext, expect=0)


def test_a_row_does_not_depend_on_the_others(moved, fulltext):
    whole = {p.candidate.key: (p.probability, p.is_relation) for p in moved.predict(fulltext, all_candidates=True)}
    for p in moved.predict([fulltext.documents[3]], all_candidates=True):
        assert whole[p.candidate.key] == (p.probability, p.is_relation)


def test_a_file_brings_everything_back(moved, fulltext, tmp_path):
    moved.save(tmp_path / "moved.relhash")
    again = FittedModel.load(tmp_path / "moved.relhash")
    assert again.decision.threshold == moved.decision.threshold
    np.testing.assert_array_equal(again.predict_proba(fulltext), moved.predict_proba(fulltext))
    np.testing.assert_allclose(again.familiar.shares, moved.familiar.shares, atol=1e-6)
    assert again.adapted_to(fulltext).decision.threshold == moved.decision.threshold


def test_a_probability_does_not_move(abstracts, fulltext):
    fixed = RelationExtractor("KLSH-NU-RF", **TINY, threshold="fixed:0.5").fit(without_parses(abstracts)).model_
    with pytest.raises(ParameterError, match="--expect"):
        fixed.adapted_to(fulltext)
    assert fixed.adapted_to(fulltext, expect=0.2).decision.accepted == pytest.approx(0.2, abs=0.05)


def test_precise_models_move_by_the_share_they_accepted(abstracts, fulltext):
    precise = RelationExtractor("KLSH-NU-RF", **TINY, threshold="precision:0.6").fit(without_parses(abstracts)).model_
    share = precise.decision.threshold.fraction
    assert share == pytest.approx(precise.decision.accepted)
    assert precise.adapted_to(fulltext).decision.threshold.fraction == share
    earlier = replace(precise.decision.threshold, fraction=None)  # as files of earlier versions have it
    old = replace(precise, decision=replace(precise.decision, threshold=earlier), familiar=None)
    assert old.adapted_to(fulltext).decision.threshold.fraction == pytest.approx(share)


def test_too_little_text_is_refused(model, fulltext):
    with pytest.raises(ParameterError, match="at least 50"):
        model.adapted_to(fulltext.documents[:1])


def said(model, documents):
    found = model.candidates(documents)
    return model.unlike(found, model.scores(documents))


def test_known_text_is_not_called_unlike(moved, fulltext):
    assert said(moved, fulltext) == ""
    assert said(moved, fulltext.documents[::2]) == ""


def test_other_text_is_called_unlike(moved):
    """Sixty sentences of a list: nothing that a model of sentences has seen."""
    documents = []
    for number in range(60):
        text = f"Item{number} , , , , , , , , , , , , , and then , , , , , , , , , , , , , Part{number}"
        names = (f"Item{number}", f"Part{number}")
        mentions = tuple(
            Mention(f"T{n}", "protein", ((text.index(name), text.index(name) + len(name)),), name)
            for n, name in enumerate(names)
        )
        documents.append(Document(f"d{number}", text, (Sentence("s", 0, len(text)),), mentions))
    assert "other contexts" in said(moved, documents)
    by_rows = replace(moved, end_to_end=EndToEnd(pair_offset=-1.0, threshold=0.5))
    assert "other contexts" in said(by_rows, documents)  # the names are annotated, so that the threshold of pairs counts
    names = [tuple(replace(one, certainty=0.9) for one in document.mentions) for document in documents]
    found = [replace(document, mentions=own) for document, own in zip(documents, names, strict=True)]
    assert "other contexts" in said(moved, found)
    assert said(by_rows, found) == ""  # no text moves the cut of rows, so there is no remedy to offer


def test_an_unexpected_share_is_said(moved, fulltext):
    strange = replace(moved, familiar=None, card={**moved.card, "accepted": 0.02})
    assert "2% were expected" in said(strange, fulltext)
    assert said(replace(strange, card={**moved.card}), fulltext) == ""


def test_the_share_of_pairs_says_nothing_where_rows_have_a_cut_of_their_own(moved, fulltext):
    """``relhash predict ppi`` on raw text: the rule of rows decides, and no other text would move it."""
    strange = replace(moved, familiar=None, card={**moved.card, "accepted": 0.02})
    found = [
        replace(document, mentions=tuple(replace(one, certainty=0.9) for one in document.mentions)) for document in fulltext
    ]
    assert "2% were expected" in said(strange, found)
    assert said(replace(strange, end_to_end=EndToEnd(threshold=0.5)), found) == ""
    assert "2% were expected" in said(replace(strange, end_to_end=EndToEnd(threshold=0.5)), fulltext)


def test_rows_of_raw_text_are_accepted_by_one_cut_of_their_probability(abstracts, fulltext):
    raw = [Document(document.id, document.text) for document in fulltext]
    own = RelationExtractor("KLSH-NU-RF", parses="embedded", **TINY).fit(without_parses(abstracts), adapt_to=raw).model_
    assert own.end_to_end.threshold is not None
    found = own.keeping(*Assertion).predict(raw, all_candidates=True)
    other_names = {(one.candidate.document.id, m.id) for one in found for also in one.also for m in also}  # said by another row
    rest = [
        one.probability
        for one in found
        if not one.is_relation and other_names.isdisjoint((one.candidate.document.id, m.id) for m in one.candidate.mentions)
    ]
    accepted = [one.probability for one in found if one.is_relation]
    assert min(accepted) >= own.end_to_end.threshold > max(rest)
    moved = own.adapted_to(raw, expect=0.9)
    assert moved.end_to_end.threshold != own.end_to_end.threshold
    assert len(moved.predict(raw)) > len(accepted)


def test_a_cut_that_was_fitted_to_rows_stays(fulltext):
    shipped = relhash.load("ppi")
    raw = [Document(document.id, document.text) for document in fulltext]
    assert shipped.adapted_to(raw, expect=0.2).end_to_end == shipped.end_to_end
