"""Networks small enough for a test."""

from __future__ import annotations

from typing import Any

from relhash.bench.rivals import BASELINES
from tests.bench.rivals.toy_candidates import FILLING, JOINING, PARTING, toy_vectors

FOREIGN = ("meanwhile", "notably", "hence", "yeast", "extracts", "when", "situ", "some")
"""Filling words of a text from elsewhere."""


def small_network(name: str, seed: int = 0, **parameters: Any) -> Any:
    """A network that learns toy pairs in a second."""
    small = {"width": 8, "max_epochs": 12, "patience": 12, "batch_size": 16, "learning_rate": 0.01, "dropout": 0.1}
    return BASELINES[name].made(seed).set_params(**(small | {"vectors": toy_vectors()} | parameters))


def patient_network(name: str, seed: int = 0, **parameters: Any) -> Any:
    """A network for a shift between two texts, with vectors for the words of both."""
    vectors = toy_vectors(words=JOINING + PARTING + FILLING + FOREIGN)
    small = {"width": 8, "patience": 60, "batch_size": 32, "learning_rate": 0.01, "dropout": 0.0, "vectors": vectors}
    return BASELINES[name].made(seed).set_params(**(small | parameters))
