"""Bits that generalise: nearly-unsupervised hashcodes of relation structures.

>>> import numpy as np
>>> from relhash.hashing import HashcodeLearner
>>> train, target = np.random.default_rng(0).normal(size=(2, 50, 3))
>>> HashcodeLearner(n_bits=8, random_state=0).fit(train, target=target).transform(target).shape
(50, 8)

The learners (and scikit-learn with them) and the wing of networks are loaded on first use: who only predicts needs neither.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from relhash.hashing.functions import NO_REFERENCE, HashFamily, HashFunction, Responses
from relhash.hashing.hamming import hamming_distances, nearest_codes, pack, unpack
from relhash.hashing.margin import BalancedMarginFamily, MarginFamily, MarginFunction
from relhash.hashing.nearest import NearestFamily, NearestFunction, StandardNearestFamily
from relhash.hashing.storage import HASH_FAMILIES
from relhash.hashing.trace import SharedReference, Step

if TYPE_CHECKING:
    from relhash.hashing.learner import HashcodeLearner
    from relhash.hashing.supervised import SupervisedHashcodeLearner

__all__ = [
    "HASH_FAMILIES",
    "NO_REFERENCE",
    "BalancedMarginFamily",
    "HashFamily",
    "HashFunction",
    "HashcodeLearner",
    "MarginFamily",
    "MarginFunction",
    "NearestFamily",
    "NearestFunction",
    "Responses",
    "SharedReference",
    "StandardNearestFamily",
    "Step",
    "SupervisedHashcodeLearner",
    "hamming_distances",
    "nearest_codes",
    "pack",
    "unpack",
]

_HOMES = {"HashcodeLearner": "relhash.hashing.learner", "SupervisedHashcodeLearner": "relhash.hashing.supervised"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
