"""Data whose right answer a person sees at once."""

from __future__ import annotations

import numpy as np
import pytest

import relhash
from relhash.corpus import Corpus
from relhash.resources import resource_path


@pytest.fixture(scope="module")
def data():
    """Feature 0 and 1 agree with the label nine times of ten; the rest is noise."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    X = rng.integers(0, 2, (300, 12)).astype(np.uint8)
    X[:, :2] = np.where(rng.uniform(size=(300, 2)) < 0.9, y[:, None], 1 - y[:, None])
    return X, y


@pytest.fixture(scope="session")
def abstracts() -> Corpus:
    return Corpus.of(list(relhash.read(resource_path("demo") / "abstracts.jsonl.gz"))[:10], "abstracts")
