"""The whole way from a corpus to scored relations.

>>> from relhash.model import PRESETS
>>> "best" in PRESETS
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from relhash import lean_scipy  # noqa: F401  # first
from relhash.model.fitted import FittedModel
from relhash.model.prediction import Prediction, Predictions
from relhash.model.recipe import PRESETS, Recipe, preset

if TYPE_CHECKING:
    from relhash.model.extractor import RelationExtractor

__all__ = ["PRESETS", "FittedModel", "Prediction", "Predictions", "Recipe", "RelationExtractor", "preset"]

_HOMES = {"RelationExtractor": "relhash.model.extractor"}
"""What fits something is loaded, and scikit-learn with it, on first use: who only predicts does not wait for it."""


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
