"""The networks: which weights they have, how they start, and what they say of a sequence.

Layers of long short-term memory; the last state of the last layer goes to a logistic unit (Garg et al. 2019: two layers of 8
units).

What is computed here is compiled, strictly IEEE and free of library functions: the decision on a sequence is the same number
whatever other sequences or threads are at work, which no matrix product of a library promises. torch is not needed to
hash, only to fit (:mod:`relhash.hashing.neural.fitting`).

What a network reads: each structure as a sequence of vectors.

A word is its word vector, of length √d so that a coordinate is about as large as 1. Symbols (``<E1>``, ``nsubj>``) and words
that nothing is known of have no word vector: they get one of plus and minus ones that is computed from the token itself, so
that the same token has the same vector in every later text, and different tokens are nearly orthogonal. A row of a table is a
sequence of one vector, its columns on the scales of the kernel.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.paths import PathSet
from relhash.candidates.symbols import is_symbol
from relhash.compilation import compiled
from relhash.errors import ParameterError
from relhash.kernels.bound import BoundKernel
from relhash.kernels.path_kernel import BoundPaths
from relhash.kernels.threads import over_ranges
from relhash.kernels.vector_kernels import BoundVectors
from relhash.kernels.word_vectors import WordVectors

PLAIN_WIDTH = 32
"""Length of the vectors of tokens where the kernel compares without word vectors."""


@dataclass(frozen=True, eq=False)
class Sequences:
    """Distinct structures: number ``u`` is ``vectors[tokens[offsets[u]:offsets[u + 1]]]``."""

    vectors: NDArray[np.float32]
    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return self.offsets.size - 1

    @property
    def width(self) -> int:
        return int(self.vectors.shape[1])

    def padded(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Some of them as one array ``(structures, steps, width)``, zeros behind their ends, and their lengths."""
        lengths = np.diff(self.offsets)[ids]
        block = np.zeros((ids.size, max(int(lengths.max(initial=0)), 1), self.width), np.float32)
        for number, (start, length) in enumerate(zip(self.offsets[ids], lengths, strict=True)):
            block[number, :length] = self.vectors[self.tokens[start : start + length]]
        return block, lengths


_prepared: WeakKeyDictionary[BoundKernel, Sequences] = WeakKeyDictionary()  # a hundred functions read the same set


def sequences_of(bound: BoundKernel) -> Sequences:
    """The distinct structures of ``bound``, prepared once for all functions that read it."""
    if bound not in _prepared:
        _prepared[bound] = _prepare(bound)
    return _prepared[bound]


def _prepare(bound: BoundKernel) -> Sequences:
    structures = bound.unique(np.arange(bound.n_unique))
    if isinstance(bound, BoundPaths) and isinstance(structures, PathSet):
        return Sequences(token_vectors(structures.vocabulary, bound.similarity.vectors), structures.tokens, structures.offsets)
    if not isinstance(structures, np.ndarray):
        raise ParameterError("neural hash functions read the paths of a PathKernel, or rows of numbers; take another kernel")
    table = bound.scaled(structures) if isinstance(bound, BoundVectors) else structures
    n = len(table)
    return Sequences(np.ascontiguousarray(table, np.float32), np.arange(n, dtype=np.int32), np.arange(n + 1, dtype=np.int64))


def token_vectors(tokens: Sequence[str], vectors: WordVectors | None) -> NDArray[np.float32]:
    """One row per token, of length √d.

    >>> vectors = WordVectors(["binds", "inhibits"], [[1.0, 0.0], [0.6, 0.8]])
    >>> token_vectors(["binds", "inhibits", "<E1>"], vectors).round(2)
    array([[ 1.41,  0.  ],
           [ 0.85,  1.13],
           [-1.  , -1.  ]], dtype=float32)
    """
    width = PLAIN_WIDTH if vectors is None else vectors.dimensions
    rows = np.zeros((len(tokens), width)) if vectors is None else vectors.encode(tokens).astype(np.float64)
    lengths = np.sqrt((rows**2).sum(axis=1))
    for number, token in enumerate(tokens):
        if lengths[number] == 0 or is_symbol(token):
            rows[number], lengths[number] = _from_token(token, width), np.sqrt(width)
    return (rows * (np.sqrt(width) / lengths)[:, None]).astype(np.float32)


def _from_token(token: str, width: int) -> NDArray[np.float64]:
    digest = hashlib.shake_256(token.encode("utf-8", "surrogatepass")).digest(-(-width // 8))
    return np.where(np.unpackbits(np.frombuffer(digest, np.uint8), count=width), 1.0, -1.0)


@dataclass(frozen=True)
class Architecture:
    """Shapes of the weights of a network.

    >>> Architecture(width=100).shapes["recurrent"]
    (2, 8, 32)
    """

    width: int
    units: int = 8
    layers: int = 2

    @classmethod
    def of_size(cls, size: int, units: int, layers: int) -> Architecture:
        """The one with this many weights in all."""
        empty, one = cls(0, units, layers).size, cls(1, units, layers).size
        width, rest = divmod(size - empty, one - empty)
        if rest or width < 1:
            raise ParameterError(f"no network of {units} units has {size} weights")
        return cls(width, units, layers)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Weights by name; gates of a memory cell lie in the order input, forget, output, candidate."""
        units, layers, gates = self.units, self.layers, 4 * self.units
        return {
            "input": (self.width, gates),
            "between": (layers - 1, units, gates),
            "recurrent": (layers, units, gates),
            "bias": (layers, gates),
            "output": (units,),
            "intercept": (1,),
        }

    @property
    def size(self) -> int:
        return sum(int(np.prod(shape)) for shape in self.shapes.values())

    def named(self, weights: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """Weights ``(networks, size)`` as arrays by name, each with the networks as its first axis."""
        parts, start = {}, 0
        for name, shape in self.shapes.items():
            stop = start + int(np.prod(shape))
            parts[name] = np.ascontiguousarray(weights[:, start:stop]).reshape(len(weights), *shape)
            start = stop
        return parts

    def flat(self, named: dict[str, Any]) -> NDArray[np.float32]:
        """The inverse of :meth:`named`."""
        rows = [np.asarray(named[name], np.float32).reshape(len(named["intercept"]), -1) for name in self.shapes]
        return np.ascontiguousarray(np.concatenate(rows, axis=1))

    def inverted(self, weights: NDArray[np.float32]) -> NDArray[np.float32]:
        """The network that says the opposite."""
        opposite = weights.copy()
        opposite[..., -(self.units + 1) :] *= -1
        return opposite

    def initial(self, rng: np.random.Generator) -> NDArray[np.float32]:
        """Weights ``(size,)`` before fitting: uniform by fan-in and fan-out, forget gates open, a logistic unit that says ½."""
        parts = []
        for name, shape in self.shapes.items():
            values = np.zeros(shape)
            if name in ("input", "between", "recurrent"):
                fan_out = self.units
                values = rng.uniform(-1, 1, shape) * np.sqrt(6 / (shape[-2] + fan_out))
            elif name == "bias":
                values[:, self.units : 2 * self.units] = 1
            parts.append(values.ravel())
        return np.concatenate(parts).astype(np.float32)


def decisions(
    architecture: Architecture, weights: NDArray[np.float32], sequences: Sequences, n_jobs: int | None = None
) -> NDArray[np.float32]:
    """``(networks, structures)``: positive where a network says 1; an empty sequence gets the intercept."""
    if sequences.width != architecture.width:  # compiled code would read beyond the ends of its arrays
        raise ParameterError(f"networks for vectors of length {architecture.width}, not of {sequences.width}")
    result = np.empty((len(weights), len(sequences)), np.float32)
    named = architecture.named(weights)
    lengths, per_token = np.diff(sequences.offsets) + 1, np.ones(len(sequences.vectors), np.int64)
    for network in range(len(weights)):
        own = {name: values[network] for name, values in named.items()}
        answers = np.empty((len(sequences.vectors), own["input"].shape[1]), np.float32)
        over_ranges(_bind(_project, sequences.vectors, own["input"], answers), per_token, n_jobs)
        text = answers, sequences.tokens, sequences.offsets
        end = own["output"], own["intercept"][0], result[network]
        over_ranges(_bind(_read, *text, own["between"], own["recurrent"], own["bias"], *end), lengths, n_jobs)
    return result


def _bind(function: Any, *arguments: Any) -> Any:
    return lambda first, last: function(first, last, *arguments)


@compiled
def _project(first, last, vectors, weights, answers):  # type: ignore[no-untyped-def]
    """``answers = vectors @ weights``, a row at a time and in one order."""
    for row in range(first, last):
        answers[row] = 0
        for d in range(vectors.shape[1]):
            value = vectors[row, d]
            for k in range(weights.shape[1]):
                answers[row, k] += value * weights[d, k]


# Lambert's continued fraction x / (1 + x² / (3 + x² / (5 + …))) to its ninth term, as a quotient of polynomials in x²
_N0, _N1, _N2, _N3 = np.float32(34459425), np.float32(4729725), np.float32(135135), np.float32(990)
_D1, _D2, _D3, _D4 = np.float32(16216200), np.float32(945945), np.float32(13860), np.float32(45)
_END, _HALF = np.float32(6.5), np.float32(0.5)


@compiled
def _tanh(x):  # type: ignore[no-untyped-def]
    """The hyperbolic tangent to 1e-5, by plain arithmetic; no branches, so that loops over it become vector code."""
    x = min(max(x, -_END), _END)
    s = x * x
    return x * (_N0 + s * (_N1 + s * (_N2 + s * (_N3 + s)))) / (_N0 + s * (_D1 + s * (_D2 + s * (_D3 + s * _D4))))


@compiled
def _read(  # type: ignore[no-untyped-def]
    first, last, answers, tokens, offsets, between, recurrent, bias, output, intercept, result
):
    n_layers, units = recurrent.shape[0], recurrent.shape[1]
    hidden, cell = np.empty((n_layers, units), np.float32), np.empty((n_layers, units), np.float32)
    gates = np.empty(4 * units, np.float32)
    for sequence in range(first, last):
        hidden[:], cell[:] = 0, 0
        for token in tokens[offsets[sequence] : offsets[sequence + 1]]:
            for layer in range(n_layers):
                for g in range(4 * units):
                    gates[g] = bias[layer, g]
                if layer == 0:
                    for g in range(4 * units):
                        gates[g] += answers[token, g]
                else:
                    for k in range(units):
                        value = hidden[layer - 1, k]
                        for g in range(4 * units):
                            gates[g] += value * between[layer - 1, k, g]
                for k in range(units):
                    value = hidden[layer, k]
                    for g in range(4 * units):
                        gates[g] += value * recurrent[layer, k, g]
                for g in range(3 * units):
                    gates[g] = _HALF + _HALF * _tanh(_HALF * gates[g])
                for k in range(units):
                    cell[layer, k] = gates[units + k] * cell[layer, k] + gates[k] * _tanh(gates[3 * units + k])
                for k in range(units):
                    hidden[layer, k] = gates[2 * units + k] * _tanh(cell[layer, k])
        result[sequence] = intercept
        for k in range(units):
            result[sequence] += hidden[n_layers - 1, k] * output[k]
