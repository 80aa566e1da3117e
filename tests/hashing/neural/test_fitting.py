"""Fitting: right derivatives, networks that do not disturb each other, references on their sides."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.hashing.neural.network import Architecture, Sequences, decisions
from relhash.hashing.splits import all_splits

torch = pytest.importorskip("torch", reason="needs the extra neural")

from relhash.hashing.neural.fitting import LstmLayer, Training, fit_networks  # noqa: E402


@pytest.fixture
def references():
    """Four sequences of up to six vectors, one of them empty."""
    rng = np.random.default_rng(0)
    lengths = np.array([3, 0, 6, 1])
    block = rng.normal(size=(4, 6, 20)).astype(np.float32)
    block[np.arange(6) >= lengths[:, None]] = 0
    return block, lengths


@pytest.mark.parametrize("n_networks", [1, 3])
def test_derivatives_of_the_layer(n_networks):
    rng = torch.Generator().manual_seed(0)
    given = torch.randn(n_networks, 4, 3, 8, dtype=torch.double, generator=rng, requires_grad=True)
    recurrent = torch.randn(n_networks, 2, 8, dtype=torch.double, generator=rng, requires_grad=True)
    assert torch.autograd.gradcheck(LstmLayer.apply, (given, recurrent))


class TestFitted:
    def fit(self, references, splits, epochs=60):
        architecture = Architecture(20)
        start = architecture.initial(np.random.default_rng(5))
        return architecture, fit_networks(architecture, start, *references, splits, Training(epochs, 0.02, 0.1))

    def test_references_lie_on_their_sides(self, references):
        architecture, weights = self.fit(references, all_splits(4))
        block, lengths = references
        vectors = np.concatenate([block[number, :length] for number, length in enumerate(lengths)])
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        found = decisions(architecture, weights, Sequences(vectors, np.arange(len(vectors), dtype=np.int32), offsets))
        assert ((found > 0) == all_splits(4)).all()

    def test_alone_or_in_company(self, references):
        """Up to rounding: the library may order the sums of one product and of many differently."""
        splits = all_splits(4)
        _, together = self.fit(references, splits, epochs=5)
        _, alone = self.fit(references, splits[[3]], epochs=5)
        np.testing.assert_allclose(alone[0], together[3], atol=1e-3)

    def test_twice_the_same(self, references):
        _, first = self.fit(references, all_splits(4), epochs=5)
        _, second = self.fit(references, all_splits(4), epochs=5)
        assert (first == second).all()

    def test_decay_keeps_weights_small(self, references):
        architecture = Architecture(20)
        start = architecture.initial(np.random.default_rng(5))
        norms = [
            np.linalg.norm(fit_networks(architecture, start, *references, all_splits(4), Training(30, 0.02, decay)))
            for decay in (0.0, 1.0, 10.0)
        ]
        assert norms[0] > norms[1] > norms[2]
