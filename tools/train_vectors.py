"""Train the word vectors that ship with RelHash, on plain text, one sentence a line.

    python tools/train_vectors.py --text ../shared/data/text/sentences.txt --output src/relhash/resources/vectors/biomed100.npz

Skip-gram vectors (word2vec or fastText, gensim) of the words that occur often enough are centred, so that frequent and rare
words do not all point the same way; vectors for parts of words are fitted to them, for words that were not seen; both are
rounded to 8 bits. Single-threaded with fixed seeds: the same text gives the same file. Needs the extra ``[tools]``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from relhash.kernels import SubwordVectors, WordVectors

N_HELD_OUT = 1000


class Sentences:
    """The lower-cased tokens of each line of a file, as often as they are asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __iter__(self) -> Iterator[list[str]]:
        with open(self.path, encoding="utf-8") as lines:
            for line in lines:
                yield line.lower().split()


def train(text: Path, method: str, *, dimensions: int, epochs: int, min_count: int, seed: int) -> tuple[list[str], NDArray]:
    """Words, most frequent first, and their vectors."""
    from gensim.models import FastText, Word2Vec

    parameters = {
        "sentences": Sentences(text),
        "vector_size": dimensions,
        "window": 5,
        "min_count": min_count,
        "sg": 1,
        "negative": 8,
        "sample": 1e-4,
        "epochs": epochs,
        "workers": 1,  # more threads make the result depend on chance
        "seed": seed,
    }
    model = Word2Vec(**parameters) if method == "word2vec" else FastText(**parameters, bucket=100_000)
    return list(model.wv.index_to_key), model.wv.vectors.astype(np.float64)


def centred(vectors: NDArray) -> NDArray:
    """Unit vectors without the direction that all share."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    unit -= unit.mean(axis=0)
    return unit / np.linalg.norm(unit, axis=1, keepdims=True)


def backoff_quality(words: list[str], vectors: NDArray, seed: int) -> dict[str, float]:
    """Cosine of held-out words' vectors with those made from their parts, and with those of other words by chance."""
    long_words = np.flatnonzero([word.isalpha() and len(word) > 4 for word in words])
    held_out = np.random.default_rng(seed).choice(long_words, min(N_HELD_OUT, len(long_words) // 5), replace=False)
    known = np.setdiff1d(np.arange(len(words)), held_out)
    subwords = SubwordVectors.fit([words[k] for k in known], vectors[known])
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
    parser.add_argument("--method", choices=["word2vec", "fasttext"], default="word2vec")
    parser.add_argument("--dimensions", type=int, default=100)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--min-count", type=int, default=3, help="words that occur less often are left to the back-off")
    parser.add_argument("--max-parts", type=int, default=25_000, help="parts of words for the back-off")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":  # gensim's sampling uses string hashes
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})

    started = time.monotonic()
    words, vectors = train(
        options.text,
        options.method,
        dimensions=options.dimensions,
        epochs=options.epochs,
        min_count=options.min_count,
        seed=options.seed,
    )
    vectors = centred(vectors)
    subwords = SubwordVectors.fit(words, vectors, max_parts=options.max_parts)
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
