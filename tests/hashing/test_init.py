"""What ``relhash.hashing`` loads, and what only on first use."""

from __future__ import annotations

import subprocess
import sys

import relhash.hashing

LEARN_STORE_AND_HASH = """
import sys
import numpy as np
from relhash.hashing import HashcodeLearner
X = np.random.default_rng(0).normal(size=(40, 2))
for family in ("nearest", "margin"):
    learner = HashcodeLearner(4, hash_function=family, random_state=0).fit(X)
    HashcodeLearner.from_arrays(learner.to_arrays(), learner.kernels_).transform(X)
"""


def loaded_by(program: str) -> set[str]:
    command = [sys.executable, "-c", f"{program}\nimport sys; print(*sys.modules)"]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


def test_a_plain_learner_loads_neither_labels_nor_networks():
    loaded = loaded_by(LEARN_STORE_AND_HASH)
    assert "relhash.hashing.learner" in loaded
    assert not {name for name in loaded if name.startswith(("relhash.hashing.supervised", "relhash.hashing.neural"))}
    assert not loaded & {"torch", "safetensors", "transformers"}


def test_asking_for_them_does():
    assert "relhash.hashing.supervised" in loaded_by("from relhash.hashing import SupervisedHashcodeLearner")
    named = "from relhash.hashing import HASH_FAMILIES; HASH_FAMILIES['neural']"
    assert "relhash.hashing.neural.family" in loaded_by(named)


def test_no_other_name_is_there():
    assert not hasattr(relhash.hashing, "no_such_name")
