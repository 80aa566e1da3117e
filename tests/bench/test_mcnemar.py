from __future__ import annotations

import numpy as np

from relhash.bench.report import mcnemar


def test_only_candidates_on_which_systems_differ_count():
    y = np.ones(100, bool)
    first, second = np.arange(100) < 60, np.arange(100) < 50
    assert mcnemar(y, first, second) == mcnemar(y[50:60], first[50:60], second[50:60])
    assert mcnemar(y, first, second) < 0.01
    assert mcnemar(y, first, first) == 1.0
    assert mcnemar(y, first, second) == mcnemar(y, second, first)
