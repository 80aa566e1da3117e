"""Data that the tests of all baselines share."""

from __future__ import annotations

import pytest

from tests.bench.rivals.toy_candidates import toy_pairs


@pytest.fixture(scope="session")
def toy():
    """Training and test pairs, each with labels."""
    return toy_pairs(90), toy_pairs(60, seed=1)
