"""Weights that a fit leaves behind: taken up again, begun anew, or named if damaged."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ModelFileError
from tests.bench.rivals.small_networks import small_network

torch = pytest.importorskip("torch", reason="needs the extra neural")


def test_a_finished_fit_is_taken_from_its_checkpoint(toy, tmp_path):
    (train, y), (test, _) = toy
    path = tmp_path / "weights.safetensors"
    parameters = {"max_epochs": 2, "checkpoint": path}
    first = small_network("Adv-BiLSTM", **parameters).fit(train, y, target=test)
    again = small_network("Adv-BiLSTM", **parameters).fit(train, y, target=test)
    assert again.history_ == []
    np.testing.assert_array_equal(again.predict_proba(test), first.predict_proba(test))
    np.testing.assert_array_equal(again.held_out_scores_, first.held_out_scores_)
    assert small_network("Adv-BiLSTM", seed=1, **parameters).fit(train, y, target=test).history_, "another seed is another fit"


def test_an_interrupted_fit_leaves_its_best_weights_and_is_begun_anew(toy, tmp_path):
    (train, y), _ = toy
    path = tmp_path / "weights.safetensors"

    def interrupt(progress):
        if progress.is_best:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        small_network("CNN-Garg2019", checkpoint=path, callback=interrupt).fit(train, y)
    assert path.exists()
    assert len(small_network("CNN-Garg2019", checkpoint=path, max_epochs=2).fit(train, y).history_) == 2


def test_a_damaged_checkpoint_is_named(toy, tmp_path):
    (train, y), _ = toy
    path = tmp_path / "weights.safetensors"
    path.write_bytes(b"not weights")
    with pytest.raises(ModelFileError, match=r"weights\.safetensors"):
        small_network("CNN-Garg2019", checkpoint=path).fit(train, y)
