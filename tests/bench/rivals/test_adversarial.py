"""Networks that adapt to the unlabelled target by an adversary, on toy shifts."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from relhash.errors import ParameterError
from relhash.learn.metrics import auc
from tests.bench.rivals.small_networks import FOREIGN, patient_network
from tests.bench.rivals.toy_candidates import toy_pairs

torch = pytest.importorskip("torch", reason="needs the extra neural")


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
        estimator = patient_network(name, max_epochs=40 if strength else 15, width=4 if "CNN" in name else 8)
        monkeypatch.setattr(type(estimator), "strength", strength)
        estimator.fit(train, y, target=target)
        accuracy[strength] = told_apart(estimator.features(train), estimator.features(target))
        assert auc(gold, estimator.predict_proba(target)[:, 1]) > 0.95
    assert accuracy[1.0] < 0.6 < 0.7 < accuracy[0.0]


@pytest.mark.parametrize("name", [pytest.param("Adv-CNN", marks=pytest.mark.slow), "Adv-BiLSTM"])
def test_adversary_moves_target_features_onto_those_of_the_training_text(name, shifted, monkeypatch):
    (train, y), (target, gold) = shifted
    estimator = patient_network(name, max_epochs=25, width=4 if "CNN" in name else 8)
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
        patient_network(name).fit(train, y)
