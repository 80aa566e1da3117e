"""Vectors of words in context: what the network makes of a word by itself is remembered.

Nearly all words of a text have been seen before, so what :mod:`relhash.language.words_alone` says of them is kept; new words go
through it in blocks. The layers that look at neighbours run for each document: one matrix product a layer, and one compiled
pass for the rest, where spaCy, whose network this is, makes ten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled

BLOCK = 32
"""New words that go through the layers at a time, which bounds the memory."""
REMEMBERED = 50_000
"""Words that are kept before all are forgotten: about 20 MB."""
LANES = 8
"""Sums that run side by side, whatever the processor: their order is always the same."""

Floats = NDArray[np.float32]


class LayerInContext(NamedTuple):
    """A layer over neighbours: weights (three words × pieces of the output), what is added, the scale and shift after it."""

    weights: Floats
    bias: Floats
    scale: Floats
    shift: Floats

    @classmethod
    def of(cls, weights: Floats, bias: Floats, scale: Floats, shift: Floats) -> LayerInContext:
        """The layer with spaCy's parameters, which has the pieces of an output side by side."""
        by_piece = weights.transpose(2, 1, 0).reshape(weights.shape[2], -1)
        return cls(np.ascontiguousarray(by_piece), np.ascontiguousarray(bias.T).ravel(), scale, shift)


class RememberedWords:
    """Words of a text → their vectors. Safe to share between threads."""

    def __init__(self, of_words: Callable[[Sequence[str]], Floats], layers: Sequence[LayerInContext], pad: int) -> None:
        self._of_words, self._layers, self._pad = of_words, layers, pad
        self._rows: dict[str, int] = {}
        self._table = np.empty((1024, len(layers[0].scale)), np.float32)
        self._lock = Lock()

    def __call__(self, words: Sequence[str]) -> Floats:
        """One vector per word."""
        with self._lock:
            self._make(words)
            rows = self._rows
            alone = self._table[[rows[word] for word in words]]
        return self._in_context(alone)

    def remember(self, words: Iterable[str]) -> None:
        """Make the vectors of words that are new: those of several documents fill the blocks."""
        with self._lock:
            self._make(words)

    def _make(self, words: Iterable[str]) -> None:
        wanted = dict.fromkeys(words)
        new = [word for word in wanted if word not in self._rows]
        if len(self._rows) + len(new) > REMEMBERED:
            self._rows.clear()
            new = list(wanted)
        for start in range(0, min(len(new), REMEMBERED), BLOCK):
            block = new[start : start + BLOCK]
            first = len(self._rows)
            if first + len(block) > len(self._table):
                self._table = np.concatenate([self._table, np.empty_like(self._table)])
            self._table[first : first + len(block)] = self._of_words(block)
            self._rows.update(zip(block, range(first, first + len(block)), strict=True))

    def _in_context(self, words: Floats) -> Floats:
        """The vectors after the layers that look at neighbours; some empty words stand at either end, as in training."""
        n = len(words)
        vectors = np.zeros((n + 2 * self._pad, words.shape[1]), np.float32)
        vectors[self._pad : self._pad + n] = words
        width = words.shape[1]
        windows = np.zeros((len(vectors), 3 * width), np.float32)  # each word between its neighbours
        for layer in self._layers:
            windows[1:, :width], windows[:, width : 2 * width], windows[:-1, 2 * width :] = vectors[:-1], vectors, vectors[1:]
            _add_normalised(vectors, windows @ layer.weights, layer.bias, layer.scale, layer.shift)
        return vectors[self._pad : self._pad + n]


def _add_in_numpy(vectors: Floats, pieces: Floats, bias: Floats, scale: Floats, shift: Floats) -> None:
    width = vectors.shape[1]
    largest = (pieces + bias).reshape(len(vectors), -1, width).max(axis=1)
    mean = _summed(largest) / np.float32(width)
    apart = largest - mean
    factor = np.float32(1) / np.sqrt(_summed(apart * apart) / np.float32(width) + np.float32(1e-8))
    vectors += apart * factor * scale + shift


def _summed(rows: Floats) -> Floats:
    """The sum of each row, in the order of lanes."""
    lanes = np.cumsum(rows.reshape(len(rows), -1, LANES), axis=1)[:, -1]
    return np.cumsum(lanes, axis=1)[:, -1:]


@compiled(seconds=lambda vectors, *_: 2e-4 + 1e-5 * len(vectors), plain=_add_in_numpy)
def _add_normalised(vectors: Floats, pieces: Floats, bias: Floats, scale: Floats, shift: Floats) -> None:  # pragma: no cover
    """To each vector its largest pieces, brought to mean 0 and spread 1 and then to ``shift`` and ``scale``."""
    n, width = vectors.shape
    largest = np.empty(width, np.float32)
    sums, squares = np.empty(LANES, np.float32), np.empty(LANES, np.float32)
    for i in range(n):
        for k in range(width):
            largest[k] = pieces[i, k] + bias[k]
        for start in range(width, bias.size, width):
            for k in range(width):
                largest[k] = max(largest[k], pieces[i, start + k] + bias[start + k])
        for lane in range(LANES):
            sums[lane], squares[lane] = np.float32(0), np.float32(0)
        for start in range(0, width, LANES):
            for lane in range(LANES):
                sums[lane] += largest[start + lane]
        mean = sums.sum() / np.float32(width)
        for start in range(0, width, LANES):
            for lane in range(LANES):
                apart = largest[start + lane] - mean
                squares[lane] += apart * apart
        factor = np.float32(1) / np.sqrt(squares.sum() / np.float32(width) + np.float32(1e-8))
        for k in range(width):
            vectors[i, k] += (largest[k] - mean) * factor * scale[k] + shift[k]
