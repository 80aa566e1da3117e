"""The encoder: a small transformer that reads a sentence once and gives a vector and log-odds for every pair of entities in it.

It was taught by ``tools/train_encoder.py``, which says how it is built: words see words, and the three markers of a pair (one
at each entity, one for the relation) see the words and one another. Its weights ship as whole numbers of eight bits.

What it says of a pair depends on nothing but the sentence and the pair. Matrices are multiplied in whole numbers: every row is
rounded to eight bits by its own largest number, and products of such numbers are summed exactly, also by a BLAS for floats,
since no sum reaches 2**24. So neither the batch nor the number of threads changes a bit. All the rest is done row by row.
"""

from __future__ import annotations

import base64
import hashlib
import math
import os
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from relhash.blas import one_blas_thread
from relhash.compilation import compiled
from relhash.corpus.document import Span
from relhash.errors import DataMissingError, ModelFileError
from relhash.language.word_pieces import TRIGGER, WordPieces
from relhash.resources import resource_path

LONGEST = 112
"""Word pieces of a sentence that are read; of a longer one those around a pair."""
AT_ONCE = 768
"""Rows (word pieces and markers) that go through the layers together: it bounds the memory and changes no result."""
MARKERS = 3
OTHER_FILE = "RELHASH_ENCODER"
"""The environment variable that names another file of weights than the one that ships."""
EXACT = 768
"""Products of two numbers of at most 127 whose sum is exact in single precision: 768 · 127² < 2**24."""
EPSILON = np.float32(1e-12)

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]


class Pair(NamedTuple):
    """Two entities of a sentence by their numbers."""

    first: int
    second: int


class Sentence(NamedTuple):
    """A sentence, its entities (place and class, see ``entity_class``) and triggers, and the pairs to look at."""

    text: str
    entities: Sequence[tuple[Span, str]]
    pairs: list[Pair]


class _Read(NamedTuple):
    """Word pieces, and of each pair: its number, the places and pieces of its entities."""

    ids: tuple[int, ...]
    pairs: list[tuple[int, int, int, int, int]]


class _Matrix:
    """A matrix of whole numbers with a scale for each column, and a bias."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], name: str) -> None:
        self.scale, self.bias = _floats(arrays[f"{name}.scale"]), _floats(arrays[f"{name}.bias"])
        whole = np.ascontiguousarray(arrays[name], np.int8)
        if whole.shape[1:] != self.scale.shape or whole.shape[1:] != self.bias.shape:
            raise ValueError(f"{name}: {whole.shape} numbers, {len(self.scale)} scales")
        self._times = _by_onnxruntime(whole) or _by_blas(whole)

    def __call__(self, x: Floats) -> Floats:
        """``x`` times the matrix, every row rounded to whole numbers up to 127 first."""
        largest = np.maximum(np.abs(x).max(axis=1, keepdims=True), np.float32(1e-8)) / np.float32(127)
        product = self._times(np.rint(x / largest))
        product *= largest
        product *= self.scale
        product += self.bias
        return product


def _by_blas(whole: NDArray[np.int8]) -> Callable[[Floats], Floats]:
    """Products of whole numbers in single precision: exact, since stretches of :data:`EXACT` are summed apart."""
    parts = [_floats(whole[start : start + EXACT]) for start in range(0, len(whole), EXACT)]

    def times(rounded: Floats) -> Floats:
        product = rounded[:, :EXACT] @ parts[0]
        for number, part in enumerate(parts[1:], start=1):
            product += rounded[:, number * EXACT : (number + 1) * EXACT] @ part
        return product

    return times


def _by_onnxruntime(whole: NDArray[np.int8]) -> Callable[[Floats], Floats] | None:
    """The same numbers by the integer instructions of the processor, if the extra ``[encoder]`` is installed."""
    session = _integer_product()
    if session is None:
        return None

    def times(rounded: Floats) -> Floats:
        rounded += np.float32(128)
        (product,) = session.run(None, {"x": rounded.astype(np.uint8), "w": whole})
        return np.asarray(product, np.float32)

    return times


@cache
def _integer_product() -> Any:
    """A session of onnxruntime that multiplies matrices of whole numbers; ``None`` without it, or if it is not exact here.

    On processors without VNNI it may add up in sixteen bits, which is why it is tried on the largest numbers first.
    """
    try:
        import onnxruntime
    except ImportError:
        return None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(base64.b64decode(_INTEGER_PRODUCT), options, providers=["CPUExecutionProvider"])
    (product,) = session.run(None, {"x": np.full((1, 8), 255, np.uint8), "w": np.full((8, 1), 127, np.int8)})
    return session if product.item() == 8 * 127 * 127 else None


_INTEGER_PRODUCT = (
    "CAcSADpwChsKAXgKAXcKAXoSAXAiDU1hdE11bEludGVnZXISAWcqCRACKgKAAUIBeloVCgF4EhAKDggCEgoKAxIBbQoDEgFrWhUKAXcSEAoOCAMS"
    "CgoDEgFrCgMSAW5iFQoBcBIQCg4IBhIKCgMSAW0KAxIBbkIECgAQDQ=="
)
"""An ONNX model of one node, ``MatMulInteger(x, w, 128)``: ``x`` of unsigned, ``w`` of signed eight bits (opset 13)."""


class PairEncoder:
    """The transformer with its vocabulary; it never changes, so threads may share it.

    Parameters
    ----------
    pieces
        The vocabulary.
    arrays
        The weights, as ``tools/train_encoder.py export`` writes them.
    heads
        Names of the log-odds.
    learned_from
        Names of the sources of its labels: what must not be tested with it.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        arrays: Mapping[str, NDArray[Any]],
        heads: Sequence[str],
        learned_from: Sequence[str] = (),
    ) -> None:
        self.pieces, self.heads = WordPieces(pieces), tuple(heads)
        self.learned_from = tuple(learned_from)
        self.version = _digest(arrays)
        try:
            self._word = arrays["word"], arrays["word.scale"]
            self._position, self._slot = _floats(arrays["position"]), _floats(arrays["slot"])
            self._norm = _floats(arrays["norm"])
            self._layers = [_Layer(arrays, number) for number in range(int(arrays["layers"]))]
            self._vector, self._heads = _Matrix(arrays, "vector"), _Matrix(arrays, "heads")
        except (KeyError, ValueError) as error:
            raise ModelFileError(f"encoder: its arrays are missing or of the wrong kind ({error})") from error
        if len(self._word[0]) != len(self.pieces.pieces) or len(self._heads.bias) != len(self.heads):
            raise ModelFileError("encoder: its arrays do not fit together")

    @classmethod
    def load(cls, path: Path) -> PairEncoder:
        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            texts = [bytes(arrays.pop(name)).decode().split("\n") for name in ("pieces", "names", "sources")]
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise ModelFileError(f"{path}: is no encoder ({error})") from error
        return cls(texts[0], arrays, texts[1], texts[2])

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of :meth:`encode`: log-odds by head, then the vector."""
        return (*self.heads, *(f"vector {number}" for number in range(len(self._vector.bias))))

    def encode(self, sentences: Iterable[Sentence]) -> list[Floats]:
        """Of each sentence one row per pair: log-odds by head, then a vector of numbers between -1 and 1."""
        given = [self._read(sentence) for sentence in sentences]
        found = [np.empty((sum(len(read.pairs) for read in own), len(self.columns)), np.float32) for own in given]
        waiting: list[tuple[Floats, _Read]] = []
        rows = 0
        with one_blas_thread():
            for table, own in zip(found, given, strict=True):
                for read in own:
                    size = len(read.ids) + MARKERS * len(read.pairs)
                    if waiting and rows + size > AT_ONCE:
                        self._fill(waiting)
                        waiting, rows = [], 0
                    waiting.append((table, read))
                    rows += size
            if waiting:
                self._fill(waiting)
        return found

    def _read(self, sentence: Sentence) -> list[_Read]:
        """The sentence as word pieces; if it is too long, several times: pairs with the same surroundings together."""
        ids, places = self.pieces.read(sentence.text, sentence.entities)
        kinds = [
            ids[place] if kind == TRIGGER else self.pieces.of_class(kind)
            for (_, kind), place in zip(sentence.entities, places, strict=True)
        ]
        by_window: dict[tuple[int, ...], list[tuple[int, int, int, int, int]]] = {}
        for number, (a, b) in enumerate(sentence.pairs):
            own, first, second = window(ids, places[a], places[b])
            by_window.setdefault(own, []).append((number, first, second, kinds[a], kinds[b]))
        return [_Read(own, pairs) for own, pairs in by_window.items()]

    def _fill(self, batch: Sequence[tuple[Floats, _Read]]) -> None:
        reads = [read for _, read in batch]
        pairs = [pair for read in reads for pair in read.pairs]
        lengths = np.array([len(read.ids) for read in reads], np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        sentence = np.repeat(np.arange(len(reads)), [len(read.pairs) for read in reads])
        places = np.array([pair[1:3] for pair in pairs], np.int64).reshape(-1, 2)
        words, markers = self._embedded(reads, places, np.array([pair[3:] for pair in pairs], np.int64).reshape(-1, 2))
        ends = np.sort(places, axis=1)
        hidden = np.concatenate([words, markers])
        for layer in self._layers:
            hidden = layer(hidden, starts, sentence, ends)
        n_words = int(starts[-1])
        means = _means_between(hidden, starts, sentence, ends)
        vectors = np.tanh(self._vector(np.concatenate([hidden[n_words:].reshape(len(pairs), -1), means], axis=1)))
        rows = np.concatenate([self._heads(vectors), vectors], axis=1)
        at = 0
        for table, read in batch:
            table[[pair[0] for pair in read.pairs]] = rows[at : at + len(read.pairs)]
            at += len(read.pairs)

    def _embedded(self, reads: Sequence[_Read], places: Numbers, kinds: Numbers) -> tuple[Floats, Floats]:
        ids = np.concatenate([np.array(read.ids, np.int64) for read in reads])
        position = np.concatenate([np.arange(len(read.ids)) for read in reads])
        words = self._words(ids) + self._position[position]
        width = words.shape[1]
        start = np.broadcast_to(
            self._words(ids[:1]), (len(places), 1, width)
        )  # the frame symbol, which all sentences begin with
        at = self._words(kinds.ravel()).reshape(-1, 2, width) + self._position[places]
        markers = np.concatenate([at, start], axis=1) + self._slot
        return _normed(words, self._norm), _normed(markers.reshape(-1, width), self._norm)

    def _words(self, ids: Numbers) -> Floats:
        whole, scale = self._word
        return np.asarray(whole[ids].astype(np.float32) * scale[ids, None])


class _Layer:
    def __init__(self, arrays: Mapping[str, NDArray[Any]], number: int) -> None:
        prefix = f"{number}."
        self._qkv, self._out, self._up, self._down = (_Matrix(arrays, prefix + name) for name in ("qkv", "out", "up", "down"))
        self._norm1, self._norm2 = (_floats(arrays[prefix + name]) for name in ("norm1", "norm2"))
        self._regions = _floats(arrays[prefix + "regions"])  # regions × markers × heads of attention

    def __call__(self, hidden: Floats, starts: Numbers, sentence: Numbers, ends: Numbers) -> Floats:
        qkv, seen = self._qkv(hidden), np.empty_like(hidden)
        lengths = starts[1:] - starts[:-1]
        rows = np.concatenate(
            [np.repeat(lengths, lengths), np.repeat(lengths[sentence] + MARKERS, MARKERS)]
        )  # weights of a row
        at = np.concatenate([[0], np.cumsum(rows)])
        weights = np.empty((self._regions.shape[2], int(at[-1])), np.float32)
        _weigh(qkv, starts, sentence, ends, self._regions, at, weights)
        _see(qkv, starts, sentence, at, np.exp(weights), seen)
        middle = _normed(hidden + self._out(seen), self._norm1)
        return _normed(middle + self._down(_gelu(self._up(middle))), self._norm2)


@cache
def shared_encoder(path: Path | None = None) -> PairEncoder:
    """The encoder that ships, or the file that ``RELHASH_ENCODER`` names; read once, when it is first used."""
    return PairEncoder.load(path or encoder_file())


def encoder_is_there() -> bool:
    """Whether the weights that ship are there (nothing is read)."""
    return resource_path("encoder", "encoder.npz").is_file()


def encoder_file() -> Path:
    """Where the weights lie."""
    named = os.environ.get(OTHER_FILE)
    path = Path(named) if named else resource_path("encoder", "encoder.npz")
    if not path.is_file():
        raise DataMissingError(f"{path}: there is no encoder{f' ({OTHER_FILE} names it)' if named else ''}")
    return path


def window(ids: Sequence[int], first: int, second: int) -> tuple[tuple[int, ...], int, int]:
    """At most :data:`LONGEST` pieces, the frame symbols among them, and where the two entities now stand.

    >>> own, first, second = window(range(200), 150, 160)
    >>> len(own), own[0], own[-1], own[first], own[second]
    (112, 0, 199, 150, 160)
    """
    if len(ids) <= LONGEST:
        return tuple(ids), first, second
    inner, low, high = LONGEST - 2, min(first, second), max(first, second)
    if high < LONGEST - 1:
        kept = list(range(1, LONGEST - 1))
    elif high - low < inner:
        begin = min(max(1, (low + high - inner) // 2 + 1), len(ids) - 1 - inner)
        kept = list(range(begin, begin + inner))
    else:  # both ends of what lies between
        half = inner // 2
        kept = [*range(low, low + half), *range(high - half + 1, high + 1)]
    place = {old: new for new, old in enumerate(kept, start=1)}
    return (ids[0], *(ids[one] for one in kept), ids[-1]), place[first], place[second]


def _gelu(x: Floats) -> Floats:
    inner = x * x
    inner *= np.float32(0.044715)
    inner += np.float32(1)
    inner *= x
    inner *= np.float32(math.sqrt(2 / math.pi))
    np.tanh(inner, out=inner)
    inner += np.float32(1)
    inner *= x
    inner *= np.float32(0.5)
    return inner


def _normed(x: Floats, norm: Floats) -> Floats:
    x = x - x.mean(axis=1, keepdims=True)
    x /= np.sqrt((x * x).mean(axis=1, keepdims=True) + EPSILON)
    x *= norm[0]
    x += norm[1]
    return x


@compiled
def _weigh(
    qkv: Floats, starts: Numbers, sentence: Numbers, ends: Numbers, regions: Floats, at: Numbers, weights: Floats
) -> None:
    """How much every word attends to the words of its sentence, and every marker to these and to the three of its pair.

    Logarithms, the largest of a row being 0. Sums run over the numbers of a head in their order, for any batch the same.
    """
    heads = regions.shape[2]
    width = qkv.shape[1] // 3
    size = width // heads
    shrink = np.float32(1.0 / math.sqrt(size))
    n_words = starts[-1]
    keys = np.empty((size, (starts[1:] - starts[:-1]).max() + 3), np.float32)  # turned: the inner loop runs along the words
    pair = 0
    for one in range(len(starts) - 1):
        begin, length = starts[one], starts[one + 1] - starts[one]
        last = pair
        while last < len(sentence) and sentence[last] == one:
            last += 1
        for head in range(heads):
            own = head * size
            for word in range(length):
                for n in range(size):
                    keys[n, word] = qkv[begin + word, width + own + n] * shrink
            for row in range(begin, begin + length):
                out = weights[head, at[row] : at[row + 1]]
                out[:] = 0
                _add_products(qkv[row, own : own + size], keys, out)
            for number in range(pair, last):
                first, second, row = ends[number, 0], ends[number, 1], n_words + 3 * number
                for marker in range(3):
                    for n in range(size):
                        keys[n, length + marker] = qkv[row + marker, width + own + n] * shrink
                for marker in range(3):
                    out = weights[head, at[row + marker] : at[row + marker + 1]]
                    out[:first] = regions[0, marker, head]
                    out[first + 1 : second] = regions[2, marker, head]
                    out[second + 1 : length] = regions[4, marker, head]
                    out[second] = regions[3, marker, head]
                    out[first] = regions[1, marker, head]
                    out[length:] = 0
                    _add_products(qkv[row + marker, own : own + size], keys, out)
        pair = last


@compiled
def _add_products(query: Floats, keys: Floats, out: Floats) -> None:
    for n in range(len(query)):
        for other in range(len(out)):
            out[other] += query[n] * keys[n, other]
    out -= out.max()


@compiled
def _see(qkv: Floats, starts: Numbers, sentence: Numbers, at: Numbers, weights: Floats, seen: Floats) -> None:
    """The mean of what is attended to, by these weights."""
    heads = len(weights)
    size = seen.shape[1] // heads
    n_words = starts[-1]
    for row in range(len(seen)):
        own = (row - n_words) // 3
        one = sentence[own] if row >= n_words else np.searchsorted(starts, row, side="right") - 1
        first, last = (n_words + 3 * own, n_words + 3 * own + 3) if row >= n_words else (0, 0)
        for head in range(heads):
            out = seen[row, head * size : (head + 1) * size]
            _add_values(weights[head, at[row] : at[row + 1]], qkv, starts[one], starts[one + 1], first, last, head * size, out)


@compiled
def _add_values(weights: Floats, qkv: Floats, begin: int, end: int, first: int, last: int, column: int, out: Floats) -> None:
    """The mean of the values of some words and some markers; loops run over whole rows, which the compiler makes vectors of."""
    column += 2 * (qkv.shape[1] // 3)
    out[:] = 0
    total = np.float32(0)
    number = 0
    for start, stop in ((begin, end), (first, last)):
        for other in range(start, stop):
            weight = weights[number]
            number += 1
            total += weight
            values = qkv[other, column : column + len(out)]
            for n in range(len(out)):
                out[n] += weight * values[n]
    out /= total


@compiled
def _means_between(hidden: Floats, starts: Numbers, sentence: Numbers, ends: Numbers) -> Floats:
    """The mean of the words between the two entities of each pair; zeros if there are none."""
    means = np.zeros((len(sentence), hidden.shape[1]), np.float32)
    for pair in range(len(sentence)):
        begin = starts[sentence[pair]]
        for word in range(ends[pair, 0] + 1, ends[pair, 1]):
            means[pair] += hidden[begin + word]
        means[pair] /= np.float32(max(ends[pair, 1] - ends[pair, 0] - 1, 1))
    return means


def _digest(arrays: Mapping[str, NDArray[Any]]) -> str:
    """What the weights are known by, whatever file they come from."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].shape} {arrays[name].dtype}\n".encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()[:16]


def _floats(array: NDArray[Any]) -> Floats:
    return np.ascontiguousarray(array, np.float32)
