"""What every network promises, whatever its architecture."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from tests.baselines.toy_interactions import toy_events, toy_pairs, toy_vectors

torch = pytest.importorskip("torch", reason="needs the extra neural")

from sklearn.base import clone  # noqa: E402

from relhash.baselines import BASELINES  # noqa: E402
from relhash.baselines.registry import NETWORKS  # noqa: E402
from relhash.errors import ModelFileError, ParameterError  # noqa: E402
from relhash.learning.metrics import auc  # noqa: E402

NAMES = [entry.name for entry in NETWORKS]


def made(name: str, seed: int = 0, **parameters):
    small = {"width": 8, "max_epochs": 12, "patience": 12, "batch_size": 16, "learning_rate": 0.01, "dropout": 0.1}
    return BASELINES[name].made(seed).set_params(**(small | {"vectors": toy_vectors()} | parameters))


@pytest.fixture(scope="module")
def toy():
    return toy_pairs(90), toy_pairs(60, seed=1)


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
def test_same_seed_same_scores(name, toy):
    (train, y), (test, _) = toy
    quick = {"max_epochs": 1}
    torch.manual_seed(1)
    first = made(name, **quick).fit(train[:40], y[:40], target=test).predict_proba(test)
    torch.manual_seed(2)
    torch.rand(7)
    estimator = made(name, **quick)
    np.testing.assert_array_equal(clone(estimator).fit(train[:40], y[:40], target=test).predict_proba(test), first)


def test_another_seed_gives_another_network(toy):
    (train, y), (test, _) = toy
    one, other = (made("CNN-Nguyen2015", seed, max_epochs=1).fit(train, y).predict_proba(test) for seed in (0, 5))
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("name", NAMES)
def test_reads_interactions_with_trigger_and_roles(name):
    train, y = toy_events(40)
    test, _ = toy_events(12, seed=1)
    estimator = made(name, max_epochs=1).fit(train, y, target=test)
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
    (train, _), _ = toy
    noise = np.random.default_rng(0).random(len(train)) < 0.5
    seen = []
    estimator = made("CNN-Nguyen2015", max_epochs=50, patience=2, callback=seen.append).fit(train, noise)
    assert seen == estimator.history_
    assert 3 <= len(seen) < 50
    best = [progress for progress in seen if progress.is_best][-1]
    assert best.validation == max(progress.validation for progress in seen)
    assert best.epoch == len(seen) - 2


def test_a_finished_fit_is_taken_from_its_checkpoint(toy, tmp_path):
    (train, y), (test, _) = toy
    path = tmp_path / "weights.safetensors"
    parameters = {"max_epochs": 2, "checkpoint": path}
    first = made("Adv-BiLSTM", **parameters).fit(train, y, target=test)
    again = made("Adv-BiLSTM", **parameters).fit(train, y, target=test)
    assert again.history_ == []
    np.testing.assert_array_equal(again.predict_proba(test), first.predict_proba(test))
    np.testing.assert_array_equal(again.held_out_scores_, first.held_out_scores_)
    assert made("Adv-BiLSTM", seed=1, **parameters).fit(train, y, target=test).history_, "another seed is another fit"


def test_an_interrupted_fit_leaves_its_best_weights_and_is_begun_anew(toy, tmp_path):
    (train, y), _ = toy
    path = tmp_path / "weights.safetensors"

    def interrupt(progress):
        if progress.is_best:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made("CNN-Garg2019", checkpoint=path, callback=interrupt).fit(train, y)
    assert path.exists()
    assert len(made("CNN-Garg2019", checkpoint=path, max_epochs=2).fit(train, y).history_) == 2


def test_a_damaged_checkpoint_is_named(toy, tmp_path):
    (train, y), _ = toy
    path = tmp_path / "weights.safetensors"
    path.write_bytes(b"not weights")
    with pytest.raises(ModelFileError, match=r"weights\.safetensors"):
        made("CNN-Garg2019", checkpoint=path).fit(train, y)


def test_bad_parameters_are_named(toy):
    (train, y), _ = toy
    with pytest.raises(ParameterError, match="patience=0"):
        made("CNN-Nguyen2015", patience=0).fit(train, y)
    with pytest.raises(ParameterError, match="both classes"):
        made("CNN-Nguyen2015").fit(train, np.ones(len(train)))
    with pytest.raises(ParameterError, match="too few"):
        made("CNN-Nguyen2015").fit(train, np.arange(len(train)) == 0)


def test_listing_the_networks_does_not_import_torch():
    code = "import sys, relhash.baselines as b; assert 'SSL-VAE' in b.BASELINES; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
