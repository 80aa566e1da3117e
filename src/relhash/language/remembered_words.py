"""Vectors of words in context: spaCy's network, with what it makes of a word by itself remembered.

The first layers of the network look at one word at a time: at its form, its beginning and end, its shape and its vector.
Nearly all words of a text have been seen before, so what these layers say is kept; new words go through them in blocks, each
word with a product of its own, because the digits of a row of a larger product may depend on its place. The layers that look at
neighbours run for each document: one matrix product a layer, and one compiled pass for the rest, where spaCy makes ten.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled

BLOCK = 32
"""New words that go through the layers at a time, which bounds the memory."""
REMEMBERED = 50_000
"""Words that are kept before all are forgotten: about 20 MB."""
LANES = 8
"""Sums that run side by side, whatever the processor: their order is always the same."""
_OF_THE_WORD = frozenset({"ORTH", "NORM", "LOWER", "PREFIX", "SUFFIX", "SHAPE"})
"""What a word shows wherever it stands."""
_LAYERS_OF_WORDS = frozenset(
    {"extract_features", "list2ragged", "ragged2list", "ints-getitem", "hashembed", "static_vectors", "maxout", "layernorm"}
)
_LAYERS_IN_CONTEXT = ("expand_window", "maxout", "layernorm")

Floats = NDArray[np.float32]


class _Layer(NamedTuple):
    """A layer over neighbours: weights (three words × pieces of the output), what is added, the scale and shift after it."""

    weights: Floats
    bias: Floats
    scale: Floats
    shift: Floats


class RememberedWords:
    """A component of a spaCy pipeline that gives words their vectors, called with a document as spaCy would call it."""

    def __init__(self, component: Any) -> None:
        self._of_word, in_context = component.model.layers
        operations = _word_by_word()
        for node in self._of_word.walk():
            node.ops = operations
        self._pad = int(in_context.attrs["pad"])
        self._layers = [_layer(node) for node in in_context.walk() if node.name.startswith("residual(") and not _inner(node)]
        self._rows: dict[int, int] = {}
        self._table = np.empty((1024, component.model.get_dim("nO")), np.float32)

    @classmethod
    def of(cls, component: Any) -> Self | None:
        """The component in this form; ``None`` if its layers are others than those of spaCy's usual networks."""
        from spacy.pipeline import Tok2Vec

        if not isinstance(component, Tok2Vec) or len(component.model.layers) != 2:
            return None
        of_word, in_context = component.model.layers
        columns = {own for node in of_word.walk() if node.name == "extract_features" for own in node.attrs["columns"]}
        if not columns or not columns <= _OF_THE_WORD or not _leaves(of_word) <= _LAYERS_OF_WORDS:
            return None
        if not _leaves(in_context) <= set(_LAYERS_IN_CONTEXT) or "pad" not in in_context.attrs:
            return None
        windows = [node.attrs["window_size"] for node in in_context.walk() if node.name == "expand_window"]
        return cls(component) if windows and set(windows) == {1} and component.model.get_dim("nO") % LANES == 0 else None

    def __call__(self, doc: Any) -> Any:
        """Write the vectors of the words of ``doc``."""
        keys = doc.to_array("ORTH").tolist()
        self.remember(doc.vocab, keys)
        rows = self._rows
        doc.tensor = self._in_context(self._table[[rows[key] for key in keys]])
        return doc

    def remember(self, vocab: Any, keys: Iterable[int]) -> None:
        """Make the vectors of the words with these numbers, if they are new: those of several documents fill the blocks."""
        wanted = dict.fromkeys(keys)
        new = [key for key in wanted if key not in self._rows]
        if len(self._rows) + len(new) > REMEMBERED:
            self._rows.clear()
            new = list(wanted)
        for start in range(0, min(len(new), REMEMBERED), BLOCK):
            self._remember(vocab, new[start : start + BLOCK])

    def _remember(self, vocab: Any, keys: list[int]) -> None:
        from spacy.tokens import Doc

        words = [vocab.strings[key] for key in keys]
        block = self._of_word.predict([Doc(vocab, words=words)])[0]
        first = len(self._rows)
        if first + len(keys) > len(self._table):
            self._table = np.concatenate([self._table, np.empty_like(self._table)])
        self._table[first : first + len(keys)] = block
        self._rows.update(zip(keys, range(first, first + len(keys)), strict=True))

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


@cache
def _word_by_word() -> Any:
    """Operations of spaCy's networks in which every row is multiplied by itself, so that its digits are always the same."""
    from thinc.api import NumpyOps

    class WordByWord(NumpyOps):  # type: ignore[misc]
        def gemm(self, x: Any, y: Any, out: Any = None, trans1: bool = False, trans2: bool = False) -> Any:
            weights = y if trans2 else y.T
            return np.matmul(weights, (x.T if trans1 else x)[:, :, None], out=None if out is None else out[:, :, None])[:, :, 0]

    return WordByWord()


def _leaves(model: Any) -> set[str]:
    return {node.name for node in model.walk() if not node.layers and node.name != "dropout"}


def _inner(node: Any) -> bool:
    """Whether a node is a chain of several layers, each of which is looked at by itself."""
    return sum(1 for own in node.walk() if own.name == "expand_window") > 1


def _layer(node: Any) -> _Layer:
    maxout, norm = (next(own for own in node.walk() if own.name == name) for name in ("maxout", "layernorm"))
    weights, bias = maxout.get_param("W"), maxout.get_param("b")
    return _Layer(
        np.ascontiguousarray(weights.transpose(2, 1, 0).reshape(weights.shape[2], -1)),
        np.ascontiguousarray(bias.T).ravel(),
        norm.get_param("G"),
        norm.get_param("b"),
    )


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
