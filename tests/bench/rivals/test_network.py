"""What every network promises, whatever its architecture."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from relhash.bench.rivals import BASELINES
from relhash.errors import ParameterError
from tests.bench.rivals.baseline_contract import BaselineContract
from tests.bench.rivals.small_networks import small_network

torch = pytest.importorskip("torch", reason="needs the extra neural")

NAMES = [name for name in BASELINES if BASELINES[name].needs == "neural"]


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_same_scores(name, toy):
    (train, y), (test, _) = toy
    quick = {"max_epochs": 1}
    torch.manual_seed(1)
    first = small_network(name, **quick).fit(train[:40], y[:40], target=test).predict_proba(test)
    torch.manual_seed(2)
    torch.rand(7)
    estimator = small_network(name, **quick)
    np.testing.assert_array_equal(clone(estimator).fit(train[:40], y[:40], target=test).predict_proba(test), first)


def test_another_seed_gives_another_network(toy):
    (train, y), (test, _) = toy
    one, other = (small_network("CNN-Nguyen2015", seed, max_epochs=1).fit(train, y).predict_proba(test) for seed in (0, 5))
    assert not np.array_equal(one, other)


def test_bad_parameters_are_named(toy):
    (train, _), _ = toy
    with pytest.raises(ParameterError, match="both classes"):
        small_network("CNN-Nguyen2015").fit(train, np.ones(len(train)))
    with pytest.raises(ParameterError, match="too few"):
        small_network("CNN-Nguyen2015").fit(train, np.arange(len(train)) == 0)


@pytest.mark.parametrize("name", NAMES)
class TestNetworks(BaselineContract):
    quick = {"max_epochs": 1}  # noqa: RUF012

    def made(self, name, seed=0, **parameters):
        return small_network(name, seed, **parameters)
