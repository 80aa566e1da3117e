"""A prior's vote is worth what held-out labels say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from relhash.errors import ModelFileError, ParameterError
from relhash.learn import LinearClassifier
from relhash.learn.blend import PRIOR, USUAL_WEIGHT, BlendClassifier, FittedBlend, blended, choose_weight
from relhash.learn.classifier import FittedClassifier
from relhash.learn.decision import Decision, DecisionSettings
from relhash.learn.metrics import auc

SETTINGS = DecisionSettings((LinearClassifier(0.1),), n_folds=3)


def problem(n, *, own=1.0, prior=1.5, seed=0):
    """Features (a signal and noise), the prior's vote behind them, labels, documents of three candidates each."""
    rng = np.random.default_rng(seed)
    y = rng.uniform(size=n) < 0.3
    signal = own * y[:, None] + rng.normal(size=(n, 1))
    vote = prior * y + rng.normal(size=n)
    X = np.hstack([signal, rng.normal(size=(n, 10)), ((vote - vote.mean()) / vote.std())[:, None]])
    return X, y, np.arange(n) // 3


COLUMNS = {"own": slice(0, 11), PRIOR: slice(11, 12)}


def weight(n, **how):
    X, y, documents = problem(n, **how)
    return Decision.choose(SETTINGS, X, y, documents, columns=COLUMNS).classifier.weight


def test_few_labels_follow_the_prior_and_many_weigh_it():
    assert weight(30) > 0.45
    assert weight(2000, own=2.0, prior=1.0) < weight(60, own=2.0, prior=1.0)


@pytest.mark.parametrize("seed", range(4))
def test_a_prior_about_something_else_is_switched_off(seed):
    assert weight(300, own=2.0, prior=0.0, seed=seed) <= 0.15
    assert weight(300, own=2.0, prior=-1.0, seed=seed) <= 0.1


def test_a_wrong_prior_costs_nothing_on_new_text():
    X, y, documents = problem(150, own=2.0, prior=0.0)
    new, gold, _ = problem(2000, own=2.0, prior=0.0, seed=1)
    with_prior = Decision.fit(SETTINGS, X, y, documents, columns=COLUMNS).decide(new)[0]
    alone = Decision.fit(SETTINGS, X[:, :11], y, documents, columns={"own": slice(0, 11)}).decide(new[:, :11])[0]
    assert auc(gold, with_prior) > auc(gold, alone) - 0.005


def test_the_own_classifier_never_sees_the_prior():
    X, y, _ = problem(200)
    one = BlendClassifier(LinearClassifier(0.1), 0.5).fit(X, y)
    X[:, -1] = 0
    other = BlendClassifier(LinearClassifier(0.1), 0.5).fit(X, y)
    np.testing.assert_array_equal(one.scores(X), other.scores(X))


def test_held_out_scores_are_the_vote_that_new_text_gets():
    """Threshold and calibration are chosen on the former, and used on the latter."""
    X, y, documents = problem(300)
    choice = Decision.choose(SETTINGS, X[:, :11], y, documents, columns={"own": slice(0, 11)})
    weighed = blended(choice, y, X[:, 11])
    assert 0 < weighed.classifier.weight < 1

    class Held(FittedClassifier):
        def scores(self, X):
            return choice.out_of_fold

        def to_arrays(self):
            return {}

    vote = FittedBlend(Held(), "linear", weighed.classifier.scale, weighed.classifier.weight, 12)
    np.testing.assert_allclose(weighed.out_of_fold, vote.scores(X))


def test_weight_one_is_the_prior_alone():
    X, y, _ = problem(50)
    fitted = BlendClassifier(LinearClassifier(0.1), 1.0).fit(X, y)
    alone = FittedBlend(None, "linear", 1.0, 1.0, 12)
    np.testing.assert_array_equal(fitted.scores(X), alone.scores(X))
    np.testing.assert_array_equal(BlendClassifier.read(alone.to_arrays()).scores(sparse.csr_matrix(X)), alone.scores(X))


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.integers(4, 40))
def test_the_weight_is_a_share_whatever_the_votes(seed, n):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    assert 0 <= choose_weight(y, rng.normal(size=n), rng.normal(size=n)) <= 1
    assert choose_weight(y, np.zeros(n), np.zeros(n)) == 0, "a prior that says nothing has no vote"


def test_a_prior_has_all_votes_at_most():
    """An own classifier that is wrong would be best turned round, and that is not asked for."""
    rng = np.random.default_rng(0)
    y = rng.uniform(size=300) < 0.4
    assert choose_weight(y, own=-2.0 * y + rng.normal(size=300), prior=y + rng.normal(size=300)) == 1.0


def test_a_strong_pull_leaves_a_telling_prior_its_usual_weight():
    rng = np.random.default_rng(0)
    y = rng.uniform(size=300) < 0.4
    for own, prior in ((3, 1), (1, 3)):
        votes = own * y + rng.normal(size=300), prior * y + rng.normal(size=300)
        assert choose_weight(y, *votes, pull=1e6) == pytest.approx(USUAL_WEIGHT)


@pytest.mark.parametrize("n", [100, 400])
def test_votes_that_know_nothing_of_the_labels_are_switched_off(n):
    """With a pull to the usual weight alone, shuffled votes cost .011 of AUC at 100 labels."""
    weights = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        y = rng.uniform(size=n) < 0.25
        weights.append(choose_weight(y, y + rng.normal(size=n), rng.normal(size=n)))
    assert np.mean(weights) < 0.1


@pytest.mark.parametrize(
    "change", [{"numbers": np.array([0.0, 0.5])}, {"numbers": np.array([1.0, 2.0])}, {"kind": None}, {"numbers": np.array([1])}]
)
def test_damaged_arrays_are_refused(change):
    X, y, _ = problem(50)
    arrays = {**BlendClassifier(LinearClassifier(0.1), 0.5).fit(X, y).to_arrays(), **change}
    with pytest.raises(ModelFileError):
        BlendClassifier.read({name: array for name, array in arrays.items() if array is not None})


def test_settings_are_checked():
    with pytest.raises(ParameterError, match="between 0 and 1"):
        BlendClassifier(LinearClassifier(), 1.5)


def test_few_labels_accept_about_the_share_that_the_prior_expects():
    X, y, documents = problem(30)
    new, _, _ = problem(2000, seed=1)
    few = Decision.fit(SETTINGS, X, y, documents, columns=COLUMNS, target=new, expected_share=0.1)
    assert few.threshold.strategy.startswith("share:")
    assert few.threshold.fraction < 0.2
    X, y, documents = problem(2000)
    many = Decision.fit(SETTINGS, X, y, documents, columns=COLUMNS, target=new, expected_share=0.1)
    assert many.threshold.fraction > few.threshold.fraction
    X, y, documents = problem(300, own=2.0, prior=0.0)
    assert Decision.fit(SETTINGS, X, y, documents, columns=COLUMNS, expected_share=0.1).threshold.strategy == "fraction"
