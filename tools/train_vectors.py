"""Train the word vectors that ship with RelHash, on plain text, one sentence per line.

    python tools/train_vectors.py --text ../shared/data/text/sentences.txt --output src/relhash/resources/vectors/biomed100.npz

Skip-gram vectors of the words that occur often enough are trained twice, by word2vec (meaning) and fastText (meaning and
form), centred, so that frequent and rare words do not all point the same way, joined and reduced to their principal components.
Vectors for parts of words are fitted to them, for words that were not seen. Both are rounded to 8 bits. Single-threaded with
fixed seeds: the same text and library versions give the same file. Needs the extra ``[tools]``; takes about ten minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from relhash.kernels import SubwordVectors, WordVectors
from relhash.kernels.word_vectors import parts_of

N_HELD_OUT = 1000


class Sentences:
    """The lower-cased tokens of each line of a file, as often as they are asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __iter__(self) -> Iterator[list[str]]:
        with open(self.path, encoding="utf-8") as lines:
            for line in lines:
                yield line.lower().split()


def train(text: Path, *, dimensions: int, min_count: int, seed: int) -> tuple[list[str], list[NDArray]]:
    """Words, most frequent first, and their vectors by both methods."""
    from gensim.models import FastText, Word2Vec

    parameters = {
        "sentences": Sentences(text),
        "vector_size": dimensions,
        "window": 5,
        "min_count": min_count,
        "sg": 1,
        "negative": 8,
        "sample": 1e-4,
        "workers": 1,  # more threads make the result depend on chance
        "seed": seed,
    }
    models = [Word2Vec(**parameters, epochs=8), FastText(**parameters, epochs=5, bucket=100_000)]
    words = list(models[0].wv.index_to_key)
    return words, [model.wv[words].astype(np.float64) for model in models]


def centred(vectors: NDArray) -> NDArray:
    """Unit vectors without the direction that all share."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    unit -= unit.mean(axis=0)
    return unit / np.linalg.norm(unit, axis=1, keepdims=True)


def combined(tables: list[NDArray], dimensions: int) -> NDArray:
    """Unit vectors: the principal components of all tables side by side."""
    joined = np.hstack([centred(table) for table in tables])
    joined -= joined.mean(axis=0)
    _, _, components = np.linalg.svd(joined, full_matrices=False)
    return centred(joined @ components[:dimensions].T)


def fit_parts(
    words: Sequence[str],
    vectors: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    n_min: int = 3,
    n_max: int = 6,
    min_words: int = 4,
    max_parts: int = 30_000,
    ridge: float = 1.0,
    iterations: int = 60,
) -> SubwordVectors:
    """Parts of words (a "bag of subwords", Zhao et al., EMNLP 2018), fitted to the unit vectors of known words.

    Parameters
    ----------
    words, vectors
        What is known.
    weights
        Importance of each word (default: all equal).
    min_words, max_parts
        A part is used if it occurs in ``min_words`` words; the most frequent ``max_parts`` are kept.
    ridge
        Strength of the penalty on the parts' vectors.
    iterations
        Steps of the conjugate-gradient solver.
    """
    targets = np.asarray(vectors, np.float64)
    norms = np.linalg.norm(targets, axis=1, keepdims=True)
    targets = targets / np.where(norms > 0, norms, 1.0)
    bags = [parts_of(word, n_min, n_max) for word in words]
    counts = Counter(part for bag in bags for part in set(bag))
    frequent = [(part, count) for part, count in counts.items() if count >= min_words]
    parts = [part for part, _ in sorted(frequent, key=lambda item: (-item[1], item[0]))[:max_parts]]
    numbers = {part: number for number, part in enumerate(parts)}
    known = [[numbers[part] for part in bag if part in numbers] for bag in bags]
    lengths = np.array([len(bag) for bag in known])
    importance = np.ones(len(words)) if weights is None else np.asarray(weights, np.float64)
    share = np.sqrt(importance) / np.maximum(lengths, 1)
    design = sparse.csr_matrix(
        (
            np.repeat(share, lengths),
            np.concatenate([*known, []]).astype(np.int64),
            np.concatenate([[0], np.cumsum(lengths)]),
        ),
        shape=(len(words), len(parts)),
    )
    fitted = _ridge_regression(design, np.sqrt(importance)[:, None] * targets, ridge, iterations)
    return SubwordVectors(parts, fitted, n_min=n_min, n_max=n_max)


def _ridge_regression(design: Any, targets: NDArray[np.float64], ridge: float, iterations: int) -> NDArray[np.float64]:
    """Minimise ``|design @ B - targets|² + ridge·scale·|B|²`` for all columns at once, by conjugate gradients."""
    penalty = ridge * design.multiply(design).sum() / design.shape[1]
    solution = np.zeros((design.shape[1], targets.shape[1]))
    residual = design.T @ targets
    direction = residual.copy()
    size = (residual**2).sum(axis=0)
    for _ in range(iterations):
        image = design.T @ (design @ direction) + penalty * direction
        step = size / np.maximum((direction * image).sum(axis=0), 1e-300)
        solution += step * direction
        residual -= step * image
        previous, size = size, (residual**2).sum(axis=0)
        direction = residual + (size / np.maximum(previous, 1e-300)) * direction
    return solution


def backoff_quality(words: list[str], vectors: NDArray, seed: int) -> dict[str, float]:
    """Cosine of held-out words' vectors with those made from their parts, and with those of other words by chance."""
    long_words = np.flatnonzero([word.isalpha() and len(word) > 4 for word in words])
    held_out = np.random.default_rng(seed).choice(long_words, min(N_HELD_OUT, len(long_words) // 5), replace=False)
    known = np.setdiff1d(np.arange(len(words)), held_out)
    subwords = fit_parts([words[k] for k in known], vectors[known])
    made = [subwords.vector(words[k]) for k in held_out]
    pairs = [(k, vector / np.linalg.norm(vector)) for k, vector in zip(held_out, made, strict=True) if vector is not None]
    cosines = [vectors[k] @ vector for k, vector in pairs]
    by_chance = [vectors[k] @ vector for k, (_, vector) in zip(np.roll(held_out, 1), pairs, strict=False)]
    return {
        "held_out_words": len(held_out),
        "mean_cosine": round(float(np.mean(cosines)), 3),
        "mean_cosine_of_other_words": round(float(np.mean(by_chance)), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--text", type=Path, required=True, help="sentences, one a line, tokens separated by spaces")
    parser.add_argument("--output", type=Path, required=True, help="where the .npz goes")
    parser.add_argument("--dimensions", type=int, default=100)
    parser.add_argument("--min-count", type=int, default=3, help="words that occur less often are left to the back-off")
    parser.add_argument("--max-parts", type=int, default=25_000, help="parts of words for the back-off")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    fixed = {
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
    }  # gensim draws by string hashes; sums depend on the number of threads
    if any(os.environ.get(name) != value for name, value in fixed.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **fixed})

    started = time.monotonic()
    words, tables = train(options.text, dimensions=options.dimensions, min_count=options.min_count, seed=options.seed)
    vectors = combined(tables, options.dimensions)
    subwords = fit_parts(words, vectors, max_parts=options.max_parts)
    WordVectors(words, vectors, subwords=subwords).in_bytes().save(options.output)
    report = {
        "words": len(words),
        "parts": len(subwords),
        "bytes": options.output.stat().st_size,
        "seconds": round(time.monotonic() - started),
        "back_off": backoff_quality(words, vectors, options.seed),
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
