"""What every kernel machine promises, whatever its kernel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from relhash.bench.rivals import BASELINES
from relhash.errors import StructureError
from relhash.learn.metrics import auc
from tests.bench.rivals.baseline_contract import BaselineContract
from tests.bench.rivals.toy_candidates import pair

NAMES = ("SVM-Airola2008", "SVM-Miwa2009", "SVM-Tikk2010", "SVM-Garg2016")


def made(name: str, seed: int = 0, n_jobs: int | None = 1):
    return BASELINES[name].made(seed, n_jobs)


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
def test_a_handful_of_labels_is_enough_to_run(name, toy):
    (train, y), (test, _) = toy
    few = np.concatenate([np.flatnonzero(y)[:1], np.flatnonzero(~y)[:4]])  # one positive: no fold can hold it out
    estimator = made(name).fit([train[row] for row in few], y[few])
    assert np.isfinite(estimator.predict_proba(test)).all()
    np.testing.assert_allclose(estimator.held_out_scores_, 0.2)


@pytest.mark.parametrize("name", NAMES)
def test_text_without_a_parse_is_refused_with_the_remedy(name, toy):
    (train, y), _ = toy
    bare = [replace(c, document=replace(c.document, sentences=())) for c in train]
    with pytest.raises(StructureError, match="no parse"):
        made(name).fit(bare, y)


@pytest.mark.parametrize("name", NAMES)
class TestKernelMachines(BaselineContract):
    tolerance = 1e-6

    def made(self, name, seed=0, **parameters):
        return made(name, seed).set_params(**parameters)

    def test_every_training_candidate_has_a_held_out_score(self, name, toy):
        (train, y), _ = toy
        np.testing.assert_array_equal(self.made(name).fit(train, y).held_out_labels_, y)
