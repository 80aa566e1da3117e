"""Which labels a fit sees, and what follows from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from relhash.candidates import PairPolicy, candidates
from relhash.errors import ParameterError
from relhash.model.fitted import PairTypes
from relhash.model.fitting import SOURCE, TrainingLabels
from relhash.model.reading.reader import ParseSettings
from relhash.model.training_text import TrainingText
from tests.model.conftest import part


@pytest.fixture(scope="module")
def text():
    train = list(candidates(part("abstracts", 12), PairPolicy()))
    return TrainingText(train, [], ParseSettings(), "", PairTypes.of(train, PairPolicy()), PairPolicy())


def test_all_labels_are_all_pairs(text):
    told = TrainingLabels.of(text, None)
    assert told.rows.tolist() == list(range(len(text.train)))
    assert told.gold.tolist() == [candidate.is_positive for candidate in text.train]
    assert told.are_all_pairs
    assert told.documents.tolist() == [candidate.document.id for candidate in text.train]


def test_of_some_the_others_are_not_seen(text):
    told = TrainingLabels.of(text, 10, random_state=1)
    assert told.rows.size == 10
    assert set(told.gold.tolist()) == {True, False}
    assert not told.are_all_pairs
    hidden = np.setdiff1d(np.arange(len(text.train)), told.rows)
    assert all(label is None for label in told.visible[hidden])
    assert told.visible[told.rows].tolist() == told.gold.tolist()
    assert [candidate.key for candidate in told.candidates] == [text.train[row].key for row in told.rows]
    assert TrainingLabels.of(text, 10, random_state=1).rows.tolist() == told.rows.tolist()


def test_labels_by_key(text):
    told = TrainingLabels.of(text, {text.train[3].key: True, text.train[5].key: False})
    assert dict(zip(told.rows.tolist(), told.gold.tolist(), strict=True)) == {3: True, 5: False}


def test_one_class_teaches_nothing(text):
    with pytest.raises(ParameterError):
        TrainingLabels.of(text, {text.train[3].key: True, text.train[5].key: True})


def test_sources_are_told_where_there_are_several(text):
    assert TrainingLabels.of(text, None).sources == {}

    def of_corpus(candidate, name):
        return replace(candidate, document=replace(candidate.document, metadata={SOURCE: name}))

    mixed = [of_corpus(candidate, "ab"[number % 2]) for number, candidate in enumerate(text.train)]
    told = TrainingLabels.of(replace(text, train=mixed), None)
    assert told.sources["sources"].tolist() == ["ab"[number % 2] for number in range(len(mixed))]
