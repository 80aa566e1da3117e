"""What every network promises, whatever its architecture."""

from __future__ import annotations

import numpy as np
import pytest
from toy_interactions import toy_events, toy_pairs, toy_vectors

torch = pytest.importorskip("torch", reason="needs the extra neural")

from sklearn.base import clone  # noqa: E402

from relhash.baselines import BASELINES  # noqa: E402
from relhash.baselines.neural_registry import NEURAL  # noqa: E402
from relhash.errors import ParameterError  # noqa: E402
from relhash.models.metrics import auc  # noqa: E402

NAMES = [entry.name for entry in NEURAL]


def made(name: str, seed: int = 0, **parameters):
    small = {"width": 8, "max_epochs": 12, "patience": 12, "batch_size": 16, "learning_rate": 0.02, "dropout": 0.1}
    return BASELINES[name].made(seed).set_params(**(small | {"vectors": toy_vectors()} | parameters))


@pytest.fixture(scope="module")
def toy():
    return toy_pairs(120), toy_pairs(60, seed=1)


@pytest.mark.parametrize("name", NAMES)
def test_learns_a_separable_set_and_scores_rows_independently(name, toy):
    (train, y), (test, gold) = toy
    estimator = made(name).fit(train, y, target=test)
    scores = estimator.predict_proba(test)
    assert scores.shape == (60, 2)
    np.testing.assert_allclose(scores.sum(axis=1), 1.0)
    assert auc(gold, scores[:, 1]) > 0.95
    assert auc(estimator.held_out_labels_, estimator.held_out_scores_) > 0.9
    assert estimator.held_out_scores_.shape == estimator.held_out_labels_.shape
    # longest, shortest and a random few by themselves: no padding, no neighbour changes a score
    few = [3, 17, 30, 4]
    np.testing.assert_array_equal(estimator.predict_proba([test[row] for row in few]), scores[few])
    np.testing.assert_array_equal(estimator.predict_proba(test[:1]), scores[:1])
    assert estimator.predict_proba([]).shape == (0, 2)


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_same_scores_other_seed_others(name, toy):
    (train, y), (test, _) = toy
    quick = {"max_epochs": 2}
    torch.manual_seed(1)
    first = made(name, **quick).fit(train[:60], y[:60], target=test).predict_proba(test)
    torch.manual_seed(2)
    torch.rand(7)
    estimator = made(name, **quick)
    np.testing.assert_array_equal(clone(estimator).fit(train[:60], y[:60], target=test).predict_proba(test), first)
    other = made(name, seed=5, **quick).fit(train[:60], y[:60], target=test).predict_proba(test)
    assert not np.array_equal(other, first)


@pytest.mark.parametrize("name", NAMES)
def test_reads_interactions_with_trigger_and_roles(name):
    train, y = toy_events(60)
    test, _ = toy_events(12, seed=1)
    estimator = made(name, max_epochs=2).fit(train, y, target=test)
    assert np.isfinite(estimator.predict_proba(test)).all()


def test_training_leaves_the_process_as_it_was(toy):
    (train, y), _ = toy
    threads = torch.get_num_threads()
    torch.manual_seed(3)
    expected = torch.rand(1)
    torch.manual_seed(3)
    made("CNN-Nguyen2015", max_epochs=1).fit(train, y)
    assert torch.rand(1) == expected
    assert torch.get_num_threads() == threads


def test_progress_is_reported_and_training_stops_early(toy):
    (train, y), _ = toy
    seen = []
    estimator = made("CNN-Nguyen2015", max_epochs=50, patience=2, callback=seen.append).fit(train, y)
    assert seen == estimator.history_
    assert len(seen) < 50
    best = max(progress.validation for progress in seen)
    assert [p.validation for p in seen if p.is_best][-1] == best


def test_bad_parameters_are_named(toy):
    (train, y), _ = toy
    with pytest.raises(ParameterError, match="patience=0"):
        made("CNN-Nguyen2015", patience=0).fit(train, y)
    with pytest.raises(ParameterError, match="both classes"):
        made("CNN-Nguyen2015").fit(train, np.ones(len(train)))
    with pytest.raises(ParameterError, match="too few"):
        made("CNN-Nguyen2015").fit(train, np.arange(len(train)) == 0)
