"""Held-out documents, and the choice they make."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import RelHashWarning
from relhash.learn import LinearClassifier, NeighbourClassifier
from relhash.learn.classifier import choose, document_folds, out_of_fold
from relhash.learn.metrics import auc


def test_folds_hold_out_whole_documents():
    rng = np.random.default_rng(0)
    documents = np.repeat(np.arange(40), 5)
    folds = document_folds(rng.integers(0, 2, 200), documents)
    assert len(folds) == 5
    for train, test in folds:
        assert not set(documents[train]) & set(documents[test])
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(200))


@pytest.mark.parametrize("n_documents", [2, 3, 7, 9])
def test_few_documents_are_not_split_either(n_documents):
    """With fewer than twice as many documents as folds they were split, and nobody was told."""
    documents = np.arange(60) % n_documents
    folds = document_folds(np.arange(60) // 7 % 2, documents, n_folds=5)
    assert len(folds) == min(5, n_documents)
    for train, test in folds:
        assert not set(documents[train]) & set(documents[test])


def test_positives_in_few_documents_make_fewer_folds():
    documents, y = np.repeat(np.arange(6), 4), np.repeat([1, 1, 0, 0, 0, 0], 4)
    folds = document_folds(y, documents, n_folds=5)
    assert folds
    assert all(0 < y[train].sum() < len(train) and not set(documents[train]) & set(documents[test]) for train, test in folds)


@pytest.mark.parametrize("documents", [["same"] * 20, ["positive", "negative"] * 10])
def test_one_document_is_split_with_a_warning(documents):
    with pytest.warns(RelHashWarning, match=r"too few documents.*too good"):
        assert len(document_folds([1, 0] * 10, documents)) == 5


def test_folds_of_few_labels():
    assert len(document_folds([0] * 20 + [1, 1], range(22))) == 2
    assert document_folds([0] * 20 + [1], range(21)) == []


def test_out_of_fold_scores_have_not_seen_the_document():
    """Labels at random: a model that has seen a candidate would score it well, out of fold it cannot."""
    rng = np.random.default_rng(0)
    X = np.eye(300)
    y = rng.integers(0, 2, 300)
    folds = document_folds(y, np.arange(300) // 3)
    assert auc(y, LinearClassifier(10.0).fit(X, y).scores(X)) > 0.95
    assert 0.3 < auc(y, out_of_fold(LinearClassifier(10.0), X, y, folds)) < 0.7


def test_choice_takes_the_better_classifier(data):
    X, y = data
    choice = choose([NeighbourClassifier(300), LinearClassifier(0.2)], X, y, np.arange(300))
    assert choice.classifier == LinearClassifier(0.2)
    assert choice.table["linear"]["auc"] == pytest.approx(auc(y, choice.out_of_fold))
    assert choice.table["linear"]["average_precision"] > choice.table["neighbours k=300"]["average_precision"]
