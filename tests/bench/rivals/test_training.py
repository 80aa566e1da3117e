"""The loop that trains networks: it stops early, and leaves the process as it was."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bench.rivals.small_networks import small_network

torch = pytest.importorskip("torch", reason="needs the extra neural")


def test_training_leaves_the_process_as_it_was(toy):
    (train, y), _ = toy
    threads = torch.get_num_threads()
    torch.manual_seed(3)
    expected = torch.rand(1)
    torch.manual_seed(3)
    small_network("CNN-Nguyen2015", max_epochs=1).fit(train, y)
    assert torch.rand(1) == expected
    assert torch.get_num_threads() == threads


def test_its_epochs_are_kept_and_training_stops_early(toy):
    (train, _), _ = toy
    noise = np.random.default_rng(0).random(len(train)) < 0.5
    seen = small_network("CNN-Nguyen2015", max_epochs=50, patience=2).fit(train, noise).history_
    assert 3 <= len(seen) < 50
    best = [progress for progress in seen if progress.is_best][-1]
    assert best.validation == max(progress.validation for progress in seen)
    assert best.epoch == len(seen) - 2
