"""The semi-supervised autoencoder: what unlabelled sentences give it."""

from __future__ import annotations

import pytest

from relhash.learn.metrics import auc
from tests.bench.rivals.small_networks import patient_network
from tests.bench.rivals.toy_candidates import toy_pairs

torch = pytest.importorskip("torch", reason="needs the extra neural")


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_unlabelled_sentences_change_and_help_the_variational_autoencoder(seed):
    target, _ = toy_pairs(150, seed=1)
    test, gold = toy_pairs(100, seed=2)
    few, y = toy_pairs(16, seed=10 + seed)
    settings = {"max_epochs": 60, "batch_size": 16, "validation_share": 0.25, "dropout": 0.1, "learning_rate": 0.02}
    alone, helped = (
        auc(gold, patient_network("SSL-VAE", seed, **settings).fit(few, y, target=given).predict_proba(test)[:, 1])
        for given in (None, target)
    )
    assert helped > alone + 0.05
    assert helped > 0.9
