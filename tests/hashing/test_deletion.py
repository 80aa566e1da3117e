from __future__ import annotations

import numpy as np

from relhash.hashing.algorithm import current_objectives, low_functions
from relhash.hashing.information import n_log_n
from relhash.hashing.splits import TermWeights


def test_copies_and_constants_are_worth_less_than_bits_of_their_own():
    rng = np.random.default_rng(0)
    weights = np.repeat([[0, 1], [1, 0]], 300, axis=0).astype(np.int64)
    bits = rng.integers(0, 2, (12, 600)).astype(np.uint8)
    bits[3], bits[7] = bits[4], 0
    mean = np.mean(
        [current_objectives(bits, weights, n_log_n(600), 5, TermWeights(), np.random.default_rng(s)) for s in range(40)], axis=0
    )
    assert set(np.argsort(mean)[:3].tolist()) == {3, 4, 7}


def test_only_outliers_are_low():
    assert low_functions(np.ones(8), 3).tolist() == []
    assert low_functions(np.array([1.0, 1.1, 0.2, 1.0, 0.1]), 2).tolist() == [4, 2]
    assert low_functions(np.array([1.0, 0.0, 1.0]), 0).tolist() == []


def test_a_function_a_little_below_the_mean_stays():
    """One standard deviation is the margin: of an even spread nobody beyond it, however many may go."""
    objectives = np.array([0.9, 1.0, 1.0, 1.0, 1.0, 1.1, 0.5])
    assert low_functions(objectives, 7).tolist() == [6]
    assert low_functions(np.array([0.0, 1.0, 0.0, 1.0]), 4).tolist() == []  # exactly at the border is not below it


def test_no_bit_is_judged_by_itself():
    """Bits that are independent and fair are worth the same, whichever of them were drawn to judge. Beside itself a bit would
    be redundant through and through, and lose log 2."""
    rng = np.random.default_rng(0)
    weights = np.repeat([[0, 1], [1, 0]], 2000, axis=0).astype(np.int64)
    bits = rng.integers(0, 2, (8, 4000)).astype(np.uint8)
    for seed in range(5):
        values = current_objectives(bits, weights, n_log_n(4000), 3, TermWeights(), np.random.default_rng(seed))
        assert np.ptp(values) < 0.05
