"""The adapter to Kindred against a small stand-in with its documented interface; the real one is never installed here."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest

from relhash.bench.rivals import BASELINES
from relhash.bench.rivals.kindred_adapter import Kindred
from relhash.cli.main import _guarded
from relhash.errors import DataMissingError, ParameterError
from relhash.learn.metrics import auc
from tests.bench.rivals.toy_candidates import JOINING, toy_interactions, toy_pairs


class Entity:
    def __init__(self, entityType, text, position, sourceEntityID=None, externalID=None):
        assert isinstance(position, list)
        assert all(isinstance(span, tuple) and len(span) == 2 for span in position)
        self.entityType, self.text, self.position, self.sourceEntityID = entityType, text, position, sourceEntityID


class Relation:
    def __init__(self, relationType=None, entities=(), argNames=None, probability=None):
        assert all(isinstance(entity, Entity) for entity in entities)
        self.relationType, self.entities, self.argNames, self.probability = relationType, entities, argNames, probability


class Document:
    def __init__(self, text, entities=None, relations=None):
        assert isinstance(entities, list)
        for entity in entities:
            assert "".join(text[start:end] for start, end in entity.position) == entity.text
        self.text, self.entities, self.relations = text, entities, list(relations or [])

    def addRelation(self, relation):  # noqa: N802
        self.relations.append(relation)


class Corpus:
    def __init__(self):
        self.documents = []

    def addDocument(self, document):  # noqa: N802
        assert isinstance(document, Document)
        self.documents.append(document)


class RelationClassifier:
    """Counts the words of texts with and without a relation."""

    def __init__(self, classifierType="SVM", threshold=None):
        assert classifierType == "LogisticRegression"
        assert isinstance(threshold, float)
        self.threshold = threshold

    def train(self, corpus):
        related = [document for document in corpus.documents if document.relations]
        assert 0 < len(related) < len(corpus.documents)
        assert all(len(document.relations) == 2 for document in related)  # both orders
        self.words = {word for document in related for word in document.text.split()} & set(JOINING)

    def predict(self, corpus):
        for document in corpus.documents:
            assert not document.relations
            probability = 0.9 if self.words & set(document.text.split()) else 0.1
            if probability >= self.threshold:
                first, second = document.entities
                document.addRelation(Relation("relation", [first, second], ["first", "second"], probability))
                document.addRelation(Relation("relation", [second, first], ["first", "second"], probability / 2))


@pytest.fixture
def kindred(monkeypatch):
    module = types.ModuleType("kindred")
    for part in (Entity, Relation, Document, Corpus, RelationClassifier):
        setattr(module, part.__name__, part)
    monkeypatch.setitem(sys.modules, "kindred", module)


def test_speaks_with_kindred(kindred):
    train, y = toy_pairs(60)
    test, gold = toy_pairs(30, seed=1)
    estimator = Kindred(random_state=0).fit(train, y, target=test)
    scores = estimator.predict_proba(test)
    assert auc(gold, scores[:, 1]) > 0.85
    assert set(np.unique(scores[:, 1])) <= {0.1, 0.9}  # the likelier order of each pair
    assert auc(estimator.held_out_labels_, estimator.held_out_scores_) > 0.85


def test_takes_pairs_only(kindred):
    interactions, y = toy_interactions(20)
    with pytest.raises(ParameterError, match="pairs"):
        Kindred().fit(interactions, y)


def test_is_an_entry_that_asks_for_it():
    assert BASELINES["kindred"].needs == "kindred"


def test_without_its_spacy_model_there_is_one_line(kindred, monkeypatch, capsys):
    """It was spaCy's traceback."""

    def missing(self, corpus):
        raise OSError("[E050] Can't find model 'en_core_web_sm'. It doesn't seem to be a Python package.")

    monkeypatch.setattr(RelationClassifier, "train", missing)
    pairs, labels = toy_pairs(30)
    with pytest.raises(DataMissingError, match=r"kindred: the spaCy model .* python -m spacy download en_core_web_sm$") as met:
        Kindred().fit(pairs, labels)
    assert "\n" not in str(met.value)

    def command():
        raise met.value

    with pytest.raises(SystemExit) as exited:
        _guarded(command)()
    assert exited.value.code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
