from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np

from relhash.kernels import WordVectors

fit_parts = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "train_vectors.py"))["fit_parts"]
GENERATOR = np.random.default_rng(0)


def test_the_back_off_finds_words_with_the_same_parts():
    stems, endings = ["bind", "activat", "express", "regulat"], ["ing", "ed", "es", "ion", "or"]
    stem_vectors, ending_vectors = GENERATOR.normal(size=(4, 30)), 0.3 * GENERATOR.normal(size=(5, 30))
    words = [stem + ending for stem in stems for ending in endings]
    vectors = np.array([s + e for s in stem_vectors for e in ending_vectors])
    known = [n for n, word in enumerate(words) if word != "regulating"]
    subwords = fit_parts([words[n] for n in known], vectors[known], min_words=2, ridge=0.1)
    made = subwords.vector("regulating")
    cosines = {w: float(made @ v) / np.linalg.norm(v) for w, v in zip(words, vectors, strict=True) if w != "regulating"}
    assert max(cosines, key=cosines.__getitem__).startswith("regulat")
    assert WordVectors([], np.empty((0, 30)), subwords=subwords).encode(["regulating", "zzz"]).any(axis=1).tolist() == [
        True,
        False,
    ]
