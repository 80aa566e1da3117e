"""Networks that learn from labels alone."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bench.rivals.small_networks import patient_network

torch = pytest.importorskip("torch", reason="needs the extra neural")


def test_a_supervised_network_never_looks_at_the_target(toy):
    (train, y), (target, _) = toy
    alone, beside = (patient_network("CNN-Nguyen2015", max_epochs=1).fit(train, y, target=given) for given in (None, target))
    np.testing.assert_array_equal(alone.predict_proba(target), beside.predict_proba(target))
