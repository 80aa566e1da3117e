"""The latent-factor estimate on codes whose dependence is known."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.hashing.information import code_entropy, latent_factors, total_correlation
from tests.blas_threads import printed_with_threads

LOG2 = np.log(2)


def redundancy(bit, bits):
    """I(c : C) = TC(C ∪ c) − TC(C)."""
    return total_correlation(np.vstack([bits, bit[None]])) - total_correlation(bits)


@pytest.fixture(scope="module")
def coins():
    return np.random.default_rng(1).integers(0, 2, (12, 5000)).astype(np.uint8)


def test_independent_bits_have_none(coins):
    assert total_correlation(coins) < 0.02
    assert code_entropy(coins) == pytest.approx(12 * LOG2, abs=0.03)


@pytest.mark.parametrize("n_factors", [3, 5, 10])
def test_three_groups_of_three_copies(coins, n_factors):
    """TC of k copies of a fair coin is (k − 1) · log 2."""
    assert total_correlation(np.repeat(coins[:3], 3, axis=0), n_factors=n_factors) == pytest.approx(6 * LOG2, abs=0.02)


def test_redundancy_of_a_new_bit(coins):
    rng = np.random.default_rng(2)
    noisy = coins[0] ^ (rng.random(5000) < 0.1)
    assert redundancy(coins[0], coins) == pytest.approx(LOG2, abs=0.02)  # a copy
    assert redundancy(rng.integers(0, 2, 5000).astype(np.uint8), coins) < 0.01  # unrelated
    assert redundancy(noisy.astype(np.uint8), coins) == pytest.approx(LOG2 + 0.1 * np.log(0.1) + 0.9 * np.log(0.9), abs=0.03)


def test_it_is_a_lower_bound(coins):
    both = coins[0] & coins[1]
    exact = -(0.25 * np.log(0.25) + 0.75 * np.log(0.75))  # both is a function of the code: I = H(both)
    assert 0.6 * exact < redundancy(both, coins) <= exact + 0.01


def test_points_count_by_their_weights(coins):
    """Weights that leave only points where two bits agree make copies of them."""
    agree = (coins[0] == coins[1]).astype(np.int64)
    assert total_correlation(coins[:2], weights=agree, n_factors=1) == pytest.approx(LOG2, abs=0.01)
    assert total_correlation(coins[:2], n_factors=1) < 0.01


def test_factor_codes_tell_the_groups_apart(coins):
    groups = np.repeat(coins[:2], 4, axis=0)
    codes = latent_factors(groups, n_factors=2).codes(groups)
    assert len(np.unique(codes)) == 4
    for code in np.unique(codes):
        assert len(np.unique(groups[:, codes == code], axis=1).T) == 1


def test_a_bit_belongs_to_the_factor_that_tells_most_of_it():
    """Of x, b tells more than a: 0.27 nats against 0.22; where x is 0 alone, it is the other way round."""
    rng = np.random.default_rng(0)
    x = rng.random(5000) < 0.5
    a, b = x & (rng.random(5000) < 0.5), ~x & (rng.random(5000) < 0.6)
    evidence = latent_factors(np.stack([a, a, a, b, b, b, x]).astype(np.uint8), n_factors=2).evidence
    factor_of = np.abs(evidence[..., 1] - evidence[..., 0]).argmax(axis=0)
    assert len(set(factor_of[:3])) == len(set(factor_of[3:6])) == 1
    assert factor_of[0] != factor_of[3] == factor_of[6]


def test_constant_bits_do_no_harm():
    assert total_correlation(np.zeros((4, 100), np.uint8)) == pytest.approx(0, abs=1e-6)


def test_factors_do_not_depend_on_the_number_of_blas_threads():
    """Products of these shapes end in other digits when two threads share them."""
    one, two = printed_with_threads(
        "from relhash.hashing.information import latent_factors\n"
        "bits = np.random.default_rng(0).integers(0, 2, (60, 4000)).astype(np.uint8)\n"
        "factors = latent_factors(bits, n_factors=10)\n"
        "print(digest(factors.evidence, factors.prior, [factors.total_correlation]))"
    )
    assert one == two
