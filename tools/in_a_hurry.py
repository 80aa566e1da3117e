"""Plugin of pytest for mutants: tests that mention what was changed come first, and after a while no other one is begun."""

from __future__ import annotations

import os

import pytest

NAMES, SECONDS = "RELHASH_MUTANT_NAMES", "RELHASH_MUTANT_SECONDS"
"""Variables: names of functions and classes, and seconds of processor time."""
NO_TIME = "no time is left"
_begun: list[float] = []


def _spent() -> float:
    return sum(os.times()[:4])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """scikit-learn's dozens of checks of an estimator come last: they are slow, and seldom the first to notice."""
    names = set(os.environ.get(NAMES, "").split())
    code = [getattr(getattr(item, "function", None), "__code__", None) for item in items]
    mentions = {item: one is None or not names.isdisjoint(one.co_names) for item, one in zip(items, code, strict=True)}
    items.sort(key=lambda item: ("scikit" in item.name, not mentions[item]))
    _begun[:] = [_spent()]


def pytest_runtest_teardown(item: pytest.Item) -> None:
    if _spent() - _begun[0] > float(os.environ.get(SECONDS, "inf")):
        item.session.shouldstop = NO_TIME
