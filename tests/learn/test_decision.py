"""Classifier, calibration and threshold as one decision."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy import special

from relhash.errors import ModelFileError, ParameterError
from relhash.learn import CommitteeClassifier, ForestClassifier, LinearClassifier, Member, NeighbourClassifier
from relhash.learn.calibration import Calibration
from relhash.learn.decision import Decision, DecisionSettings
from relhash.learn.metrics import auc
from relhash.learn.threshold import CUT, cut_after

SETTINGS = DecisionSettings((LinearClassifier(0.1), LinearClassifier(1.0)), (NeighbourClassifier(),), few_labels=100)
DOCUMENTS = np.arange(300) // 3


@pytest.fixture(scope="module")
def decision(data):
    return Decision.fit(SETTINGS, *data, DOCUMENTS, target=data[0][:100])


def test_a_decision_scores_calibrates_and_labels(decision, data):
    scores, probabilities, labels = decision.decide(data[0])
    np.testing.assert_array_equal(labels, scores >= decision.threshold.score)
    order = np.argsort(scores)
    assert (np.diff(probabilities[order]) >= 0).all()
    assert decision.threshold.basis == "target"
    assert decision.chosen in decision.table


def test_probabilities_move_with_the_text(data):
    """On a target their mean is the share of relations in the training text; without one they are as calibrated."""
    X, y = data
    likely = X[np.argsort(Decision.fit(SETTINGS, X, y, DOCUMENTS).decide(X)[0])[150:]]
    adapted, at_home = (Decision.fit(SETTINGS, X, y, DOCUMENTS, target=target) for target in (likely, None))
    assert adapted.decide(likely)[1].mean() == pytest.approx(y.mean(), abs=1e-3)
    assert at_home.decide(likely)[1].mean() > y.mean() + 0.1
    own = Calibration.fit(at_home.out_of_fold, y)
    np.testing.assert_array_equal(at_home.decide(X)[1], own.probabilities(at_home.decide(X)[0]))


def test_few_labels_have_classifiers_of_their_own(data):
    X, y = data
    assert Decision.fit(SETTINGS, X[:60], y[:60], DOCUMENTS[:60]).kind == "neighbours"
    assert Decision.fit(SETTINGS, X, y, DOCUMENTS).kind == "linear"


def test_a_choice_that_was_made_is_taken(data):
    X, y = data
    choice = Decision.choose(SETTINGS, X, y, DOCUMENTS)
    again = Decision.fit(SETTINGS, X, y, DOCUMENTS, choice=choice)
    np.testing.assert_array_equal(again.decide(X)[1], Decision.fit(SETTINGS, X, y, DOCUMENTS).decide(X)[1])
    assert again.out_of_fold is choice.out_of_fold


def test_arrays_and_notes_bring_it_back(decision, data):
    arrays, notes = decision.to_arrays()
    again = Decision.from_arrays(arrays, json.loads(json.dumps(notes)))
    for given, expected in zip(again.decide(data[0]), decision.decide(data[0]), strict=True):
        np.testing.assert_array_equal(given, expected)
    with pytest.raises(ModelFileError):
        Decision.from_arrays({}, notes)


def test_settings_come_back_from_json():
    assert DecisionSettings.from_dict(json.loads(json.dumps(SETTINGS.to_dict()))) == SETTINGS


def test_another_threshold_is_another_decision(decision, data):
    strict = decision.accepting_from(0.9)
    _, probabilities, labels = strict.decide(data[0])
    assert (probabilities[labels] >= 0.9 - 1e-9).all()
    assert decision.threshold.strategy == "fraction"
    assert strict.threshold.strategy == "fixed:0.9"


def test_what_cannot_be_fitted_is_refused_before():
    committee = CommitteeClassifier((Member(LinearClassifier(), ["ngrams"]),))
    with pytest.raises(ParameterError, match="ngrams"):
        DecisionSettings((committee,)).check(["bits"])
    with pytest.raises(ParameterError, match="unknown strategy"):
        DecisionSettings((LinearClassifier(),), threshold="magic").check(["bits"])


def test_a_decision_does_not_depend_on_the_threads_of_blas():
    """With two threads the weights of a model with many n-grams differed by 4e-10, and so did its file."""
    script = """
import hashlib
import numpy as np
from scipy import sparse, special
from relhash.learn import LinearClassifier
from relhash.learn.decision import Decision, DecisionSettings

X, y = sparse.random(300, 60_000, density=0.02, random_state=0, format="csr"), np.arange(300) % 2
decision = Decision.fit(DecisionSettings((LinearClassifier(1.0),), n_folds=2), X, y, np.arange(300))
print(hashlib.sha256(decision.classifier.weights.tobytes()).hexdigest())
"""
    printed = [
        subprocess.run(
            [sys.executable, "-c", script], check=True, text=True, stdout=subprocess.PIPE,
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads},
        ).stdout
        for threads in ("1", "2")
    ]  # fmt: skip
    assert printed[0] == printed[1]


def test_an_expected_share_moves_threshold_and_probabilities(data):
    X, y = data
    target = X[:100]
    told = Decision.fit(replace(SETTINGS, threshold="share:0.2"), X, y, DOCUMENTS, target=target, picked=True)
    _, probabilities, labels = told.decide(target)
    assert labels.mean() == told.accepted == pytest.approx(0.2, abs=0.02)
    assert probabilities.mean() == pytest.approx(0.2, abs=1e-6)
    plain = Decision.fit(SETTINGS, X, y, DOCUMENTS, target=target)
    np.testing.assert_array_equal(plain.decide(target)[0], told.decide(target)[0])


@pytest.fixture(scope="module")
def noise():
    """Features that say nothing, and a forest that learns every training row by heart."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 8)), np.arange(300) % 10 < 3
    return Decision.fit(DecisionSettings((ForestClassifier(20),), n_folds=3), X, y, DOCUMENTS), X, y


def test_threshold_and_calibration_never_see_scores_of_rows_that_were_fitted(noise):
    """On its own rows the forest is nearly perfect. Whoever believes that accepts 30 % with a probability near 1."""
    decision, X, y = noise
    scores, probabilities, _ = decision.decide(X)
    assert auc(y, scores) > 0.99  # what it has learned by heart …
    assert auc(y, decision.out_of_fold) < 0.65  # … and what it knows
    assert decision.threshold.fraction > 0.6  # nothing is known, so accepting nearly all is best
    assert probabilities[y].mean() < 0.5
    precise = Decision.fit(DecisionSettings((ForestClassifier(20),), threshold="precision:0.9", n_folds=3), X, y, DOCUMENTS)
    assert precise.threshold.fraction < 0.1


def test_a_row_is_scored_by_a_classifier_that_has_not_seen_its_document(noise):
    """Rows of one document are copies of each other: held out one by one they would give each other away."""
    rng = np.random.default_rng(1)
    X, y = np.repeat(rng.normal(size=(60, 8)), 5, axis=0), np.repeat(np.arange(60) % 10 < 3, 5)
    settings = DecisionSettings((ForestClassifier(20),), n_folds=3)
    assert auc(y, Decision.choose(settings, X, y, np.repeat(np.arange(60), 5)).out_of_fold) < 0.7
    assert auc(y, Decision.choose(settings, X, y, np.arange(300)).out_of_fold) > 0.95


@pytest.mark.parametrize(("n_labels", "kind"), [(99, "neighbours"), (100, "linear")])
def test_the_number_of_labels_decides_who_is_asked(data, n_labels, kind):
    X, y = data
    assert Decision.fit(SETTINGS, X[:n_labels], y[:n_labels], DOCUMENTS[:n_labels]).kind == kind


def test_labels_correct_the_prior_in_the_last_column(data):
    """58 labels weighed against a prior were noise, and the prior got all of the vote; a correction says both."""
    X, y = data
    prior = np.where(y, 1.5, -1.5) + np.random.default_rng(0).normal(size=y.size) * 2
    columns = {"bits": slice(0, X.shape[1]), "prior": slice(X.shape[1], X.shape[1] + 1)}
    both = np.column_stack([X, prior])
    rows = np.arange(0, len(y), 4)
    decision = Decision.fit(SETTINGS, both[rows], y[rows], DOCUMENTS[rows], target=both, picked=True, columns=columns)
    rest = np.setdiff1d(np.arange(len(y)), rows)
    scores, probabilities, labels = decision.decide(both[rest])
    assert auc(y[rest], scores) > auc(y[rest], prior[rest])
    n_before = int((special.expit(prior) >= CUT).sum())
    np.testing.assert_allclose(scores, probabilities, atol=1e-3)  # what comes out is calibrated already
    np.testing.assert_array_equal(labels, probabilities >= cut_after(rows.size, decision.decide(both)[1], n_before))
    assert decision.accepted == pytest.approx(decision.decide(both)[2].mean())
