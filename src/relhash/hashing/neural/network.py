"""The networks: which weights they have, how they start, and what they say of a sequence.

Three encoders end in the same logistic unit:

========  ==================================================================================================================
``lstm``  layers of long short-term memory; the last state of the last layer (Garg et al. 2019: two layers of 8 units)
``cnn``   ``units`` filters over three neighbouring vectors, the strongest answer of each
``mean``  the mean vector through one hidden layer
========  ==================================================================================================================

What is computed here is compiled, strictly IEEE and free of library functions: the decision on a sequence is the same number
whatever other sequences or threads are at work, which no matrix product of a library promises. torch is not needed to
hash, only to fit (:mod:`relhash.hashing.neural.fitting`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled
from relhash.errors import ParameterError
from relhash.hashing.neural.inputs import Sequences
from relhash.kernels.threads import over_ranges

ENCODERS = ("lstm", "cnn", "mean")
FILTER = 3
"""Neighbouring vectors that a filter of the ``cnn`` sees; beyond the ends of a sequence it sees zeros."""


@dataclass(frozen=True)
class Architecture:
    """Shapes of the weights of a network.

    >>> Architecture("lstm", width=100).shapes["recurrent"]
    (2, 8, 32)
    """

    encoder: str
    width: int
    units: int = 8
    layers: int = 2

    @classmethod
    def of_size(cls, encoder: str, size: int, units: int, layers: int) -> Architecture:
        """The one with this many weights in all."""
        empty, one = cls(encoder, 0, units, layers).size, cls(encoder, 1, units, layers).size
        width, rest = divmod(size - empty, one - empty)
        if rest or width < 1:
            raise ParameterError(f"no {encoder} network of {units} units has {size} weights")
        return cls(encoder, width, units, layers)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Weights by name; gates of a memory cell lie in the order input, forget, output, candidate."""
        width, units, layers = self.width, self.units, self.layers
        body: dict[str, tuple[int, ...]]
        if self.encoder == "lstm":
            gates = 4 * units
            body = {
                "input": (width, gates),
                "between": (layers - 1, units, gates),
                "recurrent": (layers, units, gates),
                "bias": (layers, gates),
            }
        else:
            body = {"input": (width, units * (FILTER if self.encoder == "cnn" else 1)), "bias": (units,)}
        return {**body, "output": (units,), "intercept": (1,)}

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
            elif name == "bias" and self.encoder == "lstm":
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
        if architecture.encoder == "lstm":
            work = _bind(_read_lstm, *text, own["between"], own["recurrent"], own["bias"], *end)
        else:
            work = _bind(_read_cnn if architecture.encoder == "cnn" else _read_mean, *text, own["bias"], *end)
        over_ranges(work, lengths, n_jobs)
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
def _read_lstm(  # type: ignore[no-untyped-def]
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


@compiled
def _read_cnn(first, last, answers, tokens, offsets, bias, output, intercept, result):  # type: ignore[no-untyped-def]
    units = bias.size
    strongest, answer = np.empty(units, np.float32), np.empty(units, np.float32)
    for sequence in range(first, last):
        own = tokens[offsets[sequence] : offsets[sequence + 1]]
        strongest[:] = -np.inf
        for place in range(own.size):
            answer[:] = bias
            for offset in range(FILTER):
                neighbour = place + offset - FILTER // 2
                if 0 <= neighbour < own.size:
                    row = answers[own[neighbour]]
                    for k in range(units):
                        answer[k] += row[offset * units + k]
            for k in range(units):
                strongest[k] = max(strongest[k], answer[k])
        result[sequence] = intercept
        if own.size:
            for k in range(units):
                result[sequence] += _tanh(strongest[k]) * output[k]


@compiled
def _read_mean(first, last, answers, tokens, offsets, bias, output, intercept, result):  # type: ignore[no-untyped-def]
    units = bias.size
    total = np.empty(units, np.float32)
    for sequence in range(first, last):
        own = tokens[offsets[sequence] : offsets[sequence + 1]]
        total[:] = 0
        for token in own:
            for k in range(units):
                total[k] += answers[token, k]
        result[sequence] = intercept
        if own.size:
            for k in range(units):
                result[sequence] += _tanh(total[k] / np.float32(own.size) + bias[k]) * output[k]
