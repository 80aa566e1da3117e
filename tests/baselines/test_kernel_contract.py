"""What every kernel machine promises, whatever its kernel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone

from relhash.baselines import BASELINES, baseline
from relhash.errors import DataMissingError, ParameterError, StructureError
from relhash.learning.metrics import auc
from tests.baselines.toy_interactions import pair, toy_events, toy_pairs

NAMES = ("SVM-Airola2008", "SVM-Miwa2009", "SVM-Tikk2010", "SVM-Garg2016")


def made(name: str, seed: int = 0, n_jobs: int | None = 1):
    return BASELINES[name].made(seed, n_jobs)


@pytest.fixture(scope="module")
def toy():
    return toy_pairs(90), toy_pairs(40, seed=1)


@pytest.mark.parametrize("name", NAMES)
def test_learns_a_separable_set_and_scores_rows_independently(name, toy):
    (train, y), (test, gold) = toy
    estimator = made(name).fit(train, y, target=test)
    scores = estimator.predict_proba(test)
    assert scores.shape == (40, 2)
    np.testing.assert_allclose(scores.sum(axis=1), 1.0)
    assert (scores >= 0).all()
    assert auc(gold, scores[:, 1]) > 0.95
    assert estimator.score(test, gold) > 0.9
    np.testing.assert_array_equal(estimator.held_out_labels_, y)
    assert auc(y, estimator.held_out_scores_) > 0.9
    np.testing.assert_allclose(estimator.predict_proba([test[row] for row in (7, 2, 30)]), scores[[7, 2, 30]], atol=1e-6)
    assert estimator.predict_proba([]).shape == (0, 2)
    assert estimator.classes_.tolist() == [False, True]


@pytest.mark.parametrize("name", NAMES)
def test_held_out_scores_come_from_models_that_did_not_see_the_document(name):
    """Each document says one thing twice and nothing about others, with a label at random: folds by candidate would know it."""
    documents = [pair(number, ["Ras", f"verb{number}", "Raf"]) for number in range(30)]
    twice = [candidate for candidate in documents for _ in range(2)]
    twice = [replace(c, document=replace(c.document)) for c in twice]  # two objects, one document id
    noise = np.repeat(np.random.default_rng(0).random(30) < 0.4, 2)
    estimator = made(name).fit(twice, noise)
    assert auc(noise, estimator.held_out_scores_) < 0.7
    assert auc(noise, estimator.predict_proba(twice)[:, 1]) > 0.75


@pytest.mark.parametrize("name", NAMES)
def test_a_second_fit_and_more_threads_change_nothing(name, toy):
    (train, y), (test, _) = toy
    first = made(name).fit(train, y)
    again = clone(first).set_params(n_jobs=2).fit(train, y)
    np.testing.assert_array_equal(first.predict_proba(test), again.predict_proba(test))
    np.testing.assert_array_equal(first.held_out_scores_, again.held_out_scores_)


@pytest.mark.parametrize("name", NAMES)
def test_reads_interactions_with_trigger_and_roles(name):
    train, y = toy_events(45)
    test, gold = toy_events(20, seed=1)
    estimator = made(name).fit(train, y)
    assert auc(gold, estimator.predict_proba(test)[:, 1]) > 0.9


@pytest.mark.parametrize("name", NAMES)
def test_a_handful_of_labels_is_enough_to_run(name, toy):
    (train, y), (test, _) = toy
    few = np.concatenate([np.flatnonzero(y)[:1], np.flatnonzero(~y)[:4]])  # one positive: no fold can hold it out
    estimator = made(name).fit([train[row] for row in few], y[few])
    assert np.isfinite(estimator.predict_proba(test)).all()
    np.testing.assert_allclose(estimator.held_out_scores_, 0.2)


@pytest.mark.parametrize("name", NAMES)
def test_bad_labels_are_named(name, toy):
    (train, y), _ = toy
    with pytest.raises(ParameterError, match="both classes"):
        made(name).fit(train, np.ones(len(train)))
    with pytest.raises(ParameterError, match="89"):
        made(name).fit(train, y[:89])


@pytest.mark.parametrize("name", NAMES)
def test_text_without_a_parse_is_refused_with_the_remedy(name, toy):
    (train, y), _ = toy
    bare = [replace(c, document=replace(c.document, sentences=())) for c in train]
    with pytest.raises(StructureError, match="no parse"):
        made(name).fit(bare, y)


def test_equal_points_with_weights_are_the_same_machine_as_copies():
    """Merging candidates with the same path must not change the machine: compare with the plain one on all copies."""
    from sklearn.svm import SVC

    from relhash.baselines.path_svm import _Machine

    rng = np.random.default_rng(0)
    points = rng.normal(size=(12, 3))
    shape_of = rng.integers(0, 12, 80)
    y = (points[shape_of, 0] + 0.7 * rng.normal(size=80)) > 0
    gram = (points @ points.T).astype(np.float32)
    merged = _Machine(0.5).fit(gram, shape_of, y)
    plain = SVC(C=0.5, kernel="precomputed", class_weight="balanced", tol=1e-6).fit(gram[np.ix_(shape_of, shape_of)], y)
    expected = 1 / (1 + np.exp(-2 * plain.decision_function(gram[:, shape_of])))
    np.testing.assert_allclose(merged.scores(gram[:, merged.support]), expected, atol=2e-3)


def test_a_large_training_set_is_thinned_for_the_machine_only(toy):
    (train, y), (test, gold) = toy
    estimator = BASELINES["SVM-Tikk2010"].made().set_params(max_points=40).fit(train, y)
    assert estimator.held_out_scores_.shape == y.shape
    assert auc(y, estimator.held_out_scores_) > 0.9
    assert auc(gold, estimator.predict_proba(test)[:, 1]) > 0.95
    assert len(estimator.support_paths_) <= 40


def test_entries_say_what_is_missing(monkeypatch):
    from relhash.baselines import entry

    monkeypatch.setitem(entry._PACKAGES, "contextual", ("a_package_that_is_not_there",))
    assert not baseline("embedding-lr").is_installed
    with pytest.raises(DataMissingError, match=r"pip install 'relhash\[contextual\]'"):
        baseline("embedding-lr").made()
    with pytest.raises(ParameterError, match="SVM-Miwa2009"):
        baseline("SVM-2009")


def test_figures_of_the_paper():
    """Table 1 and 2 of Garg et al. 2019, as far as these systems stand there."""
    assert BASELINES["SVM-Airola2008"].paper_f1 == {"A→B": 0.47, "B→A": 0.47}
    assert BASELINES["SVM-Miwa2009"].paper_f1 == {"A→B": 0.53, "B→A": 0.50}
    assert BASELINES["SVM-Tikk2010"].paper_f1 == {"A→B": 0.41, "B→A": 0.42}
    assert BASELINES["SVM-Garg2016"].paper_f1 == {"train→devel13": 0.46, "subsets": 0.45}
