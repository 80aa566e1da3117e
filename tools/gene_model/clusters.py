"""Groups of similar words: the embedded model's word vectors, gathered by k-means at three grains."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import MiniBatchKMeans

GRAINS = (64, 256, 1024)


def word_clusters(nlp: Any, text: Path, seed: int) -> dict[str, tuple[int, ...]]:
    """Word (lower case) → its group at each grain. The vectors know words by hash only, so ``text`` is searched for them."""
    from spacy.strings import hash_string

    vectors = nlp.vocab.vectors
    row_of: dict[str, int] = {}
    for word in sorted(_words(text)):
        row = vectors.key2row.get(hash_string(word))
        if row is not None:
            row_of[word] = row
    rows = vectors.data / np.maximum(np.linalg.norm(vectors.data, axis=1, keepdims=True), 1e-9)
    levels = [
        MiniBatchKMeans(grain, random_state=seed, batch_size=4096, n_init=2, max_iter=60).fit(rows).labels_ for grain in GRAINS
    ]
    return {word: tuple(int(level[row]) for level in levels) for word, row in row_of.items()}


def _words(text: Path) -> Iterable[str]:
    with text.open(encoding="utf-8") as lines:
        return {word.lower() for line in lines for word in line.split() if "\n" not in word}
