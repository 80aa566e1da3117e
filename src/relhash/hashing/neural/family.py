"""Neural locality-sensitive hashing: the bit is what a small network, fitted on references and their split, says of a point.

After Garg et al. 2019 (EMNLP): any regularised network will do; theirs and ours is an LSTM of two layers with 8
units over word vectors. Rules of the other families hold here too: a point without similarity to any reference (an empty
sequence, for instance) gets 0; the bit of a point depends on nothing but the point; the opposite split gives the opposite
network.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from relhash.errors import DataMissingError, ModelFileError
from relhash.hashing.algorithm import require
from relhash.hashing.functions import NO_REFERENCE, HashFamily, HashFunction, Responses, SplitReferences
from relhash.hashing.information import Clustering
from relhash.hashing.nearest import NearestResponses, count_bits
from relhash.hashing.neural.network import Architecture, decisions, sequences_of
from relhash.kernels.bound import BoundKernel, Kernel

CHOICES = ("kernel", "networks")


class NeuralFunction(HashFunction):
    """``bit = [network(S) > 0]`` for every S that has any similarity to the references.

    ``weights`` are those of ``architecture``, one after the other.
    """

    def __init__(
        self,
        references: Any,
        split: NDArray[np.uint8],
        kernel: Kernel,
        view: str = "",
        *,
        architecture: Architecture,
        weights: NDArray[np.float32],
    ) -> None:
        super().__init__(references, split, kernel, view)
        self.architecture = architecture
        self.weights = np.ascontiguousarray(weights, np.float32)

    def bits(self, bound: BoundKernel) -> NDArray[np.uint8]:
        return self.bits_of_all([self], bound)[0]

    @classmethod
    def bits_of_all(cls, functions: Sequence[HashFunction], bound: BoundKernel) -> NDArray[np.uint8]:
        own = [function for function in functions if isinstance(function, NeuralFunction)]
        bits = _network_bits(own[0].architecture, np.stack([function.weights for function in own]), bound)
        for row, function in zip(bits, own, strict=True):
            row[bound.nearest(function.references) == NO_REFERENCE] = 0
        return bits

    @property
    def parameters(self) -> NDArray[Any]:
        return self.weights


class NeuralResponses(Responses):
    """Networks on one set of references, fitted for the splits that are asked for, all of a call together."""

    fits = True

    def __init__(self, family: NeuralFamily, bound: BoundKernel, ids: NDArray[np.int64], nearest: NDArray[np.uint8]) -> None:
        self.family, self.bound, self.ids = family, bound, ids
        self.is_far = nearest == NO_REFERENCE
        sequences = sequences_of(bound)
        self.architecture = family.architecture(sequences.width)
        self.vectors, self.lengths = sequences.padded(ids)
        self._fitted: dict[bytes, tuple[NDArray[np.float32], NDArray[np.uint8]]] = {}

    def ones(
        self, splits: NDArray[np.uint8], clustering: Clustering, rows: NDArray[np.int32], weights: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        self._fit(splits)
        ones = np.zeros((len(splits), *clustering.totals.shape), np.int64)
        for number, split in enumerate(splits):
            count_bits(self.bits(split), rows, clustering.cells, weights, ones[number])
        return ones

    def bits(self, split: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return self._of(split)[1]

    def weights(self, split: NDArray[np.uint8]) -> NDArray[np.float32]:
        """The weights of the network for ``split``."""
        return self._of(split)[0]

    def _of(self, split: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        split = np.ascontiguousarray(split, np.uint8)
        self._fit(split[None])
        return self._fitted[split.tobytes()]

    def _fit(self, splits: NDArray[np.uint8]) -> None:
        missing = {split.tobytes(): split for split in np.ascontiguousarray(splits, np.uint8)}
        missing = {key: split for key, split in missing.items() if key not in self._fitted}
        if not missing:
            return
        wanted = np.stack(list(missing.values()))
        first_side = wanted[:, :1]  # fitted with the first reference on side 0: the opposite split is the opposite network
        start = self.architecture.initial(_generator(self.vectors, self.lengths, self.family.seed))
        fitted = self.family.fit(self.architecture, start, self.vectors, self.lengths, wanted ^ first_side)
        fitted = np.where(first_side, self.architecture.inverted(fitted), fitted)
        bits = _network_bits(self.architecture, fitted, self.bound)
        bits[:, self.is_far] = 0
        self._fitted |= {key: (fitted[number], bits[number]) for number, key in enumerate(missing)}


class KernelChoice(Responses):
    """Splits judged by the nearest reference, so that a network is fitted only for the one that is chosen."""

    def __init__(self, nearest: Responses, networks: NeuralResponses) -> None:
        self.nearest, self.networks, self.ids = nearest, networks, nearest.ids

    def ones(
        self, splits: NDArray[np.uint8], clustering: Clustering, rows: NDArray[np.int32], weights: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        return self.nearest.ones(splits, clustering, rows, weights)

    def table(self, clustering: Clustering, rows: NDArray[np.int32], weights: NDArray[np.int64]) -> NDArray[np.int64] | None:
        return self.nearest.table(clustering, rows, weights)

    def bits(self, split: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return self.nearest.bits(split)

    def settled(self) -> Responses:
        return self.networks


class NeuralFamily(HashFamily):
    """Networks as hash functions; needs the extra ``neural`` to learn, nothing to hash.

    Parameters
    ----------
    units, layers
        Units of a layer, and layers of the LSTM.
    choose
        How the split of the references is found: ``"kernel"`` takes the best split of the nearest-neighbour function on the
        same references and fits one network to it; ``"networks"`` fits a network to each split that the search asks for,
        all together, and judges their bits.
    epochs, learning_rate, weight_decay
        Steps of AdamW, and how strongly it pulls weights to zero: with three or four references there is nothing else to
        keep a network simple.
    seed
        The networks of one set of references start at weights drawn from this and from the references themselves.
    """

    name = "neural"

    def __init__(
        self,
        *,
        units: int = 8,
        layers: int = 2,
        choose: str = "kernel",
        epochs: int = 10,
        learning_rate: float = 0.05,
        weight_decay: float = 0.1,
        seed: int = 0,
    ) -> None:
        require(choose in CHOICES, "choose", choose, f"one of {', '.join(CHOICES)}")
        require(1 <= units <= 256, "units", units, "from 1 to 256")
        require(1 <= layers <= 8, "layers", layers, "from 1 to 8")
        require(epochs >= 1, "epochs", epochs, "at least 1")
        require(learning_rate > 0, "learning_rate", learning_rate, "positive")
        require(weight_decay >= 0, "weight_decay", weight_decay, "0 or positive")
        self.units, self.layers, self.choose, self.seed = units, layers, choose, seed
        self.epochs, self.learning_rate, self.weight_decay = epochs, learning_rate, weight_decay

    @classmethod
    def of_learner(cls, parameters: Mapping[str, Any]) -> Self:
        return cls.from_settings(parameters["network"] or {})

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Self:
        # files and recipes of before name the encoder, of which there were three
        return super().from_settings({name: one for name, one in settings.items() if (name, one) != ("encoder", "lstm")})

    def architecture(self, width: int) -> Architecture:
        """The networks for vectors of this length."""
        return Architecture(width, self.units, self.layers)

    def respond(self, bound: BoundKernel, ids: NDArray[np.int64]) -> Responses:
        nearest = bound.nearest(bound.unique(ids))
        networks = NeuralResponses(self, bound, ids, nearest)
        return networks if self.choose == "networks" else KernelChoice(NearestResponses(ids, nearest), networks)

    def fit(
        self,
        architecture: Architecture,
        start: NDArray[np.float32],
        vectors: NDArray[np.float32],
        lengths: NDArray[np.int64],
        splits: NDArray[np.uint8],
    ) -> NDArray[np.float32]:
        """Weights of a network for each split (:func:`relhash.hashing.neural.fitting.fit_networks`)."""
        try:
            from relhash.hashing.neural.fitting import Training, fit_networks
        except ImportError as error:
            raise DataMissingError(
                "neural hash functions are fitted with torch, which is not installed; install it with: "
                "pip install 'relhash[neural]'"
            ) from error
        training = Training(self.epochs, self.learning_rate, self.weight_decay)
        return fit_networks(architecture, start, vectors, lengths, splits, training)

    def function(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, responses: Responses
    ) -> HashFunction:
        networks = responses.settled()
        assert isinstance(networks, NeuralResponses)
        return NeuralFunction(
            references, split, kernel, view, architecture=networks.architecture, weights=networks.weights(split)
        )

    def restore(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, parameters: NDArray[Any]
    ) -> HashFunction:
        if parameters.dtype != np.float32 or not np.isfinite(parameters).all():
            raise ModelFileError("a network has a weight that is no number of single precision")
        architecture = Architecture.of_size(parameters.size, self.units, self.layers)
        return NeuralFunction(references, split, kernel, view, architecture=architecture, weights=parameters)

    def from_arrays(self, arrays: Mapping[str, NDArray[Any]], stored: Sequence[SplitReferences]) -> list[HashFunction]:
        functions = super().from_arrays(arrays, stored)
        widths: dict[tuple[str, int], int] = {}  # functions that compare the same things read vectors of the same length
        for function in functions:
            assert isinstance(function, NeuralFunction)
            width = function.architecture.width
            if widths.setdefault((function.view, id(function.kernel)), width) != width:
                raise ModelFileError(f"networks of view {function.view!r} have different numbers of weights")
        return functions

    @property
    def settings(self) -> Mapping[str, Any]:
        return {
            "units": self.units,
            "layers": self.layers,
            "choose": self.choose,
            "epochs": self.epochs,
            "learning_rate": self.learning_rate,
            "weight_decay": self.weight_decay,
            "seed": self.seed,
        }


def _network_bits(architecture: Architecture, weights: NDArray[np.float32], bound: BoundKernel) -> NDArray[np.uint8]:
    found = decisions(architecture, weights, sequences_of(bound), getattr(bound, "n_jobs", None))
    return (found > 0).astype(np.uint8)


def _generator(vectors: NDArray[np.float32], lengths: NDArray[np.int64], seed: int) -> np.random.Generator:
    """Depends on the references alone, so that a function can be fitted again without the history of the code it is in."""
    digest = hashlib.sha256(lengths.astype("<i8").tobytes() + vectors.astype("<f4").tobytes()).digest()
    return np.random.default_rng([seed, *np.frombuffer(digest, "<u4").tolist()])
