"""Documents of any number through a model: some at a time, in order, nothing taken before it is needed."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from relhash.candidates.scene import Scene
from relhash.model import judging
from relhash.model.judging import Prepared, candidates_of, hashed_stream, portions, whole


@pytest.fixture
def taken(monkeypatch, fulltext):
    """Documents that are counted as they are taken, two of them a batch."""
    monkeypatch.setattr(judging, "BATCH", 2)
    monkeypatch.setattr(judging, "BATCH_OF_PARSED", 2)
    seen = []

    def documents():
        for document in list(fulltext)[:7]:
            seen.append(document.id)
            yield document

    return documents, seen


def test_no_more_is_taken_than_a_batch(small_model, taken):
    documents, seen = taken
    first, _ = next(whole(portions(small_model.model_, documents())))
    assert first.id == seen[0]
    assert len(seen) == 2


def test_every_document_comes_out_with_its_own_candidates(small_model, taken):
    documents, seen = taken
    model = small_model.model_
    out = list(whole(portions(model, documents()), all_candidates=True))
    assert [document.id for document, _ in out] == seen
    for document, judged in out:
        assert [one.candidate.key for one in judged] == [one.key for one in candidates_of(model, [document])]


def test_without_all_candidates_only_relations_come(small_model, taken):
    documents, _ = taken
    model = small_model.model_
    everything = [found for _, found in whole(portions(model, documents()), all_candidates=True)]
    accepted = [[one.score for one in found if one.is_relation] for found in everything]
    assert [[one.score for one in found] for _, found in whole(portions(model, documents()))] == accepted
    assert sum(map(len, everything)) > sum(map(len, accepted)) > 0


def test_codes_of_a_stream_are_those_of_all_at_once(small_model, taken):
    documents, _ = taken
    model = small_model.model_
    code = model.features.code
    hashed = list(hashed_stream(model, code, documents()))
    together = np.concatenate([codes for _, codes in hashed])
    found = [candidate for own, _ in hashed for candidate in own]
    assert (together == code.learner.codes(Prepared(model, found).structures)).all()


def rows(model, documents):
    return [(one.as_row(), one.score) for one in model.stream(documents, all_candidates=True)]


@pytest.mark.parametrize("at_a_time", [1, 2, 7])
def test_a_document_in_portions_has_the_rows_of_the_whole(small_model, taken, monkeypatch, at_a_time):
    """All rows of a document were held until the last was there: a megabyte without punctuation took gigabytes."""
    documents, seen = taken
    model = small_model.model_
    expected = rows(model, documents())
    n_documents = len(seen)
    monkeypatch.setattr(judging, "CANDIDATES_AT_A_TIME", at_a_time)
    read = list(portions(model, documents()))
    assert [(one.as_row(), one.score) for portion in read for one in portion.predictions] == expected
    assert len(read) > sum(portion.is_last for portion in read) == n_documents
    for portion in read:
        sentences = [one.candidate.sentence for one in portion.predictions]
        assert sum(number != sentences[-1] for number in sentences) < at_a_time  # no more than asked for, and the last sentence
    places = [{(portion.document.id, one.candidate.sentence) for one in portion.predictions} for portion in read]
    assert sum(map(len, places)) == len(set().union(*places))  # a sentence stays whole
    assert rows(model, documents()) == expected


def test_no_more_is_paired_than_a_portion(small_model, fulltext, monkeypatch):
    """What is not taken is not made: the pairs of a long document need no memory."""
    monkeypatch.setattr(judging, "CANDIDATES_AT_A_TIME", 1)
    made = []
    pair = judging.candidates_of

    def counted(model, documents):
        for candidate in pair(model, documents):
            made.append(candidate.sentence)
            yield candidate

    monkeypatch.setattr(judging, "candidates_of", counted)
    longest = max(fulltext, key=lambda document: len(document.entities))
    first = next(portions(small_model.model_, [longest]))
    assert not first.is_last
    assert len(made) == len(first.predictions) + 1
    assert made[-1] != made[0]


def test_what_was_given_out_is_let_go(small_model, fulltext, monkeypatch):
    """However long a document is, no more of its pairs are in memory than a portion has."""
    monkeypatch.setattr(judging, "CANDIDATES_AT_A_TIME", 1)
    longest = max(fulltext, key=lambda document: len(document.entities))
    model = small_model.model_
    sizes = [len(portion.predictions) for portion in portions(model, [longest])]
    gc.collect()
    before = _scenes()
    held = [_scenes() - before for _ in model.stream([longest], all_candidates=True)]
    assert len(held) == sum(sizes)
    assert max(held) <= max(sizes) + 1 < len(held)  # and the one that comes next


def _scenes():
    # `isinstance` would ask other people's weak proxies for their class, and a dead one answers with an error.
    return sum(type(one) is Scene for one in gc.get_objects())
