"""Networks that learn from the unlabelled target: what it gives them, on toy shifts."""

from __future__ import annotations

import numpy as np
import pytest

from tests.baselines.toy_interactions import FILLING, JOINING, PARTING, toy_pairs, toy_vectors

torch = pytest.importorskip("torch", reason="needs the extra neural")

from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import cross_val_score  # noqa: E402

from relhash.baselines import BASELINES  # noqa: E402
from relhash.errors import ParameterError  # noqa: E402
from relhash.learning.metrics import auc  # noqa: E402

FOREIGN = ("meanwhile", "notably", "hence", "yeast", "extracts", "when", "situ", "some")
VECTORS = toy_vectors(words=JOINING + PARTING + FILLING + FOREIGN)


def made(name: str, seed: int = 0, **parameters):
    small = {"width": 8, "patience": 60, "batch_size": 32, "learning_rate": 0.01, "dropout": 0.0, "vectors": VECTORS}
    return BASELINES[name].made(seed).set_params(**(small | parameters))


@pytest.fixture(scope="module")
def shifted():
    """Training text and target differ in all words that do not matter."""
    return toy_pairs(160), toy_pairs(160, seed=1, filling=FOREIGN)


def told_apart(own: np.ndarray, other: np.ndarray) -> float:
    """How well a fresh linear classifier tells two sets of features apart (chance: 0.5)."""
    origin = np.repeat([0, 1], [len(own), len(other)])
    return float(cross_val_score(LogisticRegression(max_iter=2000), np.vstack([own, other]), origin, cv=4).mean())


@pytest.mark.parametrize("name", [pytest.param("CNN-RevGrad", marks=pytest.mark.slow), "BiLSTM-RevGrad"])
def test_reversal_hides_the_domain_while_the_task_stays_right(name, shifted, monkeypatch):
    (train, y), (target, gold) = shifted
    accuracy = {}
    for strength in (0.0, 1.0):
        estimator = made(name, max_epochs=40 if strength else 15, width=4 if "CNN" in name else 8)
        monkeypatch.setattr(type(estimator), "strength", strength)
        estimator.fit(train, y, target=target)
        accuracy[strength] = told_apart(estimator.features(train), estimator.features(target))
        assert auc(gold, estimator.predict_proba(target)[:, 1]) > 0.95
    assert accuracy[1.0] < 0.6 < 0.7 < accuracy[0.0]


@pytest.mark.parametrize("name", [pytest.param("Adv-CNN", marks=pytest.mark.slow), "Adv-BiLSTM"])
def test_adversary_moves_target_features_onto_those_of_the_training_text(name, shifted, monkeypatch):
    (train, y), (target, gold) = shifted
    estimator = made(name, max_epochs=25, width=4 if "CNN" in name else 8)
    monkeypatch.setattr(type(estimator), "rounds", 40)
    monkeypatch.setattr(type(estimator), "adversarial_rate", 0.0005)
    estimator.fit(train, y, target=target)
    adapted = estimator.features(target)
    assert auc(gold, estimator.predict_proba(target)[:, 1]) > 0.95
    estimator.parts_["network"] = estimator.parts_["source"]
    own = estimator.features(train)
    assert told_apart(own, estimator.features(target)) > 0.7
    assert told_apart(own, adapted) < 0.6


@pytest.mark.parametrize("name", ["CNN-RevGrad", "Adv-BiLSTM"])
def test_an_adapting_network_asks_for_its_target(name, shifted):
    (train, y), _ = shifted
    with pytest.raises(ParameterError, match="target="):
        made(name).fit(train, y)


def test_a_supervised_network_never_looks_at_the_target(shifted):
    (train, y), (target, _) = shifted
    alone, beside = (made("CNN-Nguyen2015", max_epochs=1).fit(train, y, target=given) for given in (None, target))
    np.testing.assert_array_equal(alone.predict_proba(target), beside.predict_proba(target))


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_unlabelled_sentences_change_and_help_the_variational_autoencoder(seed):
    target, _ = toy_pairs(150, seed=1)
    test, gold = toy_pairs(100, seed=2)
    few, y = toy_pairs(16, seed=10 + seed)
    settings = {"max_epochs": 60, "batch_size": 16, "validation_share": 0.25, "dropout": 0.1, "learning_rate": 0.02}
    alone, helped = (
        auc(gold, made("SSL-VAE", seed, **settings).fit(few, y, target=given).predict_proba(test)[:, 1])
        for given in (None, target)
    )
    assert helped > alone + 0.05
    assert helped > 0.9
