"""Families of hash functions by name: ours, and those that others register (:class:`~relhash.hashing.HashFamily`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from relhash.hashing.functions import HashFamily
from relhash.hashing.margin import BalancedMarginFamily, MarginFamily
from relhash.hashing.nearest import NearestFamily, StandardNearestFamily
from relhash.hashing.settings import require
from relhash.registry import Registry, offer

HASH_FAMILIES: Registry[type[HashFamily]] = Registry(
    "hash family",
    "relhash.hash_families",
    {family.name: family for family in (NearestFamily, StandardNearestFamily, MarginFamily, BalancedMarginFamily)},
)
"""Families by name. Register your own class under its ``name``, or offer it by an entry point of ``relhash.hash_families``."""

offer(HASH_FAMILIES.group, "neural", "relhash.hashing.neural:NeuralFamily")  # imported only when asked for


def find_family(hash_function: str | HashFamily, parameters: Mapping[str, Any]) -> HashFamily:
    """What ``HashcodeLearner(hash_function=…, **parameters)`` means.

    >>> find_family("nearest", {"n_neighbors": 3}).settings
    {'n_neighbors': 3}
    """
    if isinstance(hash_function, HashFamily):
        return hash_function
    known = isinstance(hash_function, str) and hash_function in HASH_FAMILIES
    require(known, "hash_function", hash_function, f"{', '.join(HASH_FAMILIES)} or a HashFamily")
    return HASH_FAMILIES[hash_function].of_learner(parameters)
