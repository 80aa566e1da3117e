"""Hashcodes as features, and the map of all features: parts side by side, on hash functions that they share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from relhash.candidates.paths import PathSet
from relhash.candidates.structure_set import StructureSet
from relhash.candidates.symbols import PAIRED
from relhash.candidates.views import view
from relhash.codec import Arrays, prefixed, under
from relhash.errors import ModelFileError, ParameterError
from relhash.hashing import storage as function_storage
from relhash.hashing.storage import LearnedCode
from relhash.hashing.trace import Progress
from relhash.kernels import PathKernel, WordSimilarity, WordVectors
from relhash.kernels import storage as kernel_storage
from relhash.kernels.storage import VectorsOnFile, kernels_from_arrays, kernels_to_arrays
from relhash.kernels.vector_kernels import VectorKernel
from relhash.learn.part import FEATURE_PARTS, FeaturePart, Text

_KERNELS, _FUNCTIONS = "kernels/", "functions/"


def make_code(
    views: Sequence[str],
    learner: Mapping[str, Any] | None = None,
    kernel: Mapping[str, Any] | None = None,
    *,
    vectors: WordVectors | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    callback: Callable[[Progress], object] | None = None,
) -> Code:
    """Hash functions of these views, not yet learned; ``learner`` and ``kernel`` as in a :class:`~relhash.model.Recipe`."""
    parameters: dict[str, Any] = {
        "kernel": make_kernels(views, kernel, vectors),
        "views": list(views),
        "random_state": random_state,
        "n_jobs": n_jobs,
        "callback": callback,
    }
    parameters |= learner or {}
    try:
        if parameters.pop("supervised", False):
            from relhash.hashing.supervised import SupervisedHashcodeLearner  # most models never need it

            return Code(SupervisedHashcodeLearner(**parameters))
        from relhash.hashing.learner import HashcodeLearner  # with scikit-learn, which prediction does not need

        return Code(HashcodeLearner(**parameters))
    except TypeError as error:
        raise ParameterError(f"learner: {error}") from error


def check_code(views: Sequence[str], learner: Mapping[str, Any], kernel: Mapping[str, Any]) -> None:
    """An error for parameters that do not exist, or for functions that a model file cannot hold: before the fit."""
    kernel_storage.check_storable(make_code(views, learner, kernel).learner.kernel)
    if "hash_function" in learner:
        function_storage.check_storable(learner["hash_function"])
    for name, value in learner.items():
        try:
            json.dumps(value)
        except TypeError as error:
            raise ParameterError(f"learner: a model file cannot hold {name}={value!r}; register it, name it") from error


def make_kernels(
    views: Sequence[str], parameters: Mapping[str, Any] | None = None, vectors: WordVectors | None = None
) -> dict[str, Any]:
    """The kernel of each view: subsequences of tokens, or the Laplace kernel on standardised descriptors.

    Parameters that are lists give every view of sequences a list of kernels, one for each combination.
    """
    offered = {name: value if isinstance(value, list | tuple) else [value] for name, value in (parameters or {}).items()}
    words = [name for name in offered if name in ("threshold", "hard")]
    grid = [dict(zip(offered, values, strict=True)) for values in product(*offered.values())]
    try:
        similarities = {
            values: WordSimilarity.from_vectors(vectors, **dict(zip(words, values, strict=True)))
            for values in product(*(offered[name] for name in words))
        }
        kernels = [PathKernel(similarities[tuple(one.pop(name) for name in words)], **one) for one in grid]
    except TypeError as error:
        raise ParameterError(f"kernel: {error}") from error
    of_sequences = kernels if len(kernels) > 1 else kernels[0]
    return {name: VectorKernel("laplace", scaling="standard") if view(name).is_dense else of_sequences for name in views}


class Code:
    """Hash functions, learned once for all parts that use them.

    Parameters
    ----------
    learner
        A :class:`~relhash.hashing.HashcodeLearner`, or one with labels.
    words
        Every token of the texts that it was learned on: what a model file must know the vectors of.
    """

    def __init__(self, learner: Any, words: Sequence[str] = ()) -> None:
        self.learner, self.words = learner, tuple(words)

    @property
    def n_bits(self) -> int:
        return len(self.learner.functions_)

    def learn(self, X: StructureSet) -> None:
        """Learn the functions alone, as an index needs them."""
        self.learner.fit(X)
        self.words = _words(self.learner.kernels_, X)

    def fit(self, X: StructureSet, target: StructureSet | None, y: ArrayLike | None) -> tuple[Text, Text | None]:
        """Learn the functions, and hash both texts at once."""
        hashed, target_hashed = self.learner.fit_hash(X, y, target=target)
        self.words = _words(self.learner.kernels_, X, target)
        return Text(X, self, hashed), None if target is None else Text(target, self, target_hashed)

    def to_arrays(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Functions and kernels as arrays, and notes as JSON takes them."""
        arrays, notes = kernels_to_arrays(self.learner.kernels_, self.words)
        functions = self.learner.to_arrays()
        notes = {"kernels": notes, "output": "bits"}  # programs of before ask for it
        return prefixed(_KERNELS, arrays) | prefixed(_FUNCTIONS, functions), notes

    @classmethod
    def from_arrays(cls, arrays: Arrays, notes: Mapping[str, Any], vectors: WordVectors | None, n_jobs: int | None) -> Code:
        """The inverse of :meth:`to_arrays`; ``vectors`` are the user's own in full, if at hand."""
        of_kernels, of_functions = under(arrays, _KERNELS), under(arrays, _FUNCTIONS)
        kernels = kernels_from_arrays(of_kernels, notes["kernels"], vectors)
        learner = LearnedCode.from_arrays(of_functions, kernels, n_jobs=n_jobs)
        return cls(learner, VectorsOnFile.from_notes(notes["kernels"]).words(of_kernels))


class BitsPart(FeaturePart):
    """The hashcode: one column per hash function."""

    name: ClassVar[str] = "bits"
    code_output: ClassVar[str | None] = "bits"

    def fit(self, text: Text, target: Text | None = None) -> BitsPart:
        self.n_bits_ = text.code.n_bits
        return self

    def transform(self, text: Text) -> sparse.csr_matrix:
        return sparse.csr_matrix(text.bits, dtype=np.float32)

    @property
    def columns(self) -> list[str]:
        return [f"bit {number}" for number in range(self.n_bits_)]

    def attach(self, code: Code | None) -> None:
        self.n_bits_ = 0 if code is None else code.n_bits


def _words(views: Mapping[str, Any], *texts: StructureSet | None) -> tuple[str, ...]:
    """Every token that occurs in the sequences that the functions compare."""
    found: set[str] = set()
    for text in texts:
        if text is not None:
            for view in views:
                sequences = text[view]
                if isinstance(sequences, PathSet):
                    found.update(token.rpartition(PAIRED)[2] for token in sequences.vocabulary)
    return tuple(sorted(found))


FEATURE_PARTS.register(BitsPart.name, BitsPart)


_CODE = "code/"


class FeatureMap:
    """The features of candidates: one row per candidate, the columns of each part after those of the part before.

    Parameters
    ----------
    parts
        The parts, not fitted; the map fits copies of them.
    code
        The hash functions, not learned, if any part uses them.
    """

    def __init__(self, parts: Sequence[FeaturePart], code: Code | None = None) -> None:
        if not parts:
            raise ParameterError(f"features: name at least one part of {', '.join(FEATURE_PARTS)}")
        self.parts = [copy(part) for part in parts]
        self.code = code

    def fit_transform(
        self, X: StructureSet, *, target: StructureSet | None = None, y: ArrayLike | None = None
    ) -> tuple[sparse.csr_matrix, sparse.csr_matrix | None, Text, Text | None]:
        """Learn the hash functions, fit all parts; the features of both texts, each computed once, and what parts see of them.

        Labels ``y`` are seen only by hash functions that are learned with them.
        """
        text, other = Text(X), None if target is None else Text(target)
        if self.code is not None:
            text, other = self.code.fit(X, target, y)
        rows, target_rows = zip(*(part.fit_transform(text, other) for part in self.parts), strict=True)
        return stack(rows), None if other is None else stack(target_rows), text, other

    def transform(self, X: StructureSet) -> sparse.csr_matrix:
        """One row per candidate."""
        text = Text(X, self.code)
        return stack([part.transform(text) for part in self.parts])

    @property
    def columns(self) -> dict[str, slice]:
        """The columns of each part."""
        return blocks({part.name: len(part.columns) for part in self.parts})

    def to_arrays(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Arrays, and notes as JSON takes them."""
        arrays = {f"{part.name}/{name}": array for part in self.parts for name, array in part.to_arrays().items()}
        notes: dict[str, Any] = {"parts": [part.to_dict() for part in self.parts], "code": None}
        if self.code is not None:
            of_code, notes["code"] = self.code.to_arrays()
            arrays |= prefixed(_CODE, of_code)
        return arrays, notes

    @classmethod
    def from_arrays(
        cls, arrays: Arrays, notes: Mapping[str, Any], *, vectors: WordVectors | None = None, n_jobs: int | None = None
    ) -> FeatureMap:
        """The inverse of :meth:`to_arrays`; ``vectors`` are the user's own in full, if at hand."""
        code = None if notes["code"] is None else Code.from_arrays(under(arrays, _CODE), notes["code"], vectors, n_jobs)
        parts = []
        for note in notes["parts"]:
            try:
                kind = FEATURE_PARTS[note["name"]]
            except ParameterError as error:
                raise ModelFileError(f"{error}; the model needs the package or script that registers it") from error
            parts.append(kind.from_arrays(under(arrays, f"{kind.name}/"), note["parameters"], code))
        return cls(parts, code)


def blocks(widths: Mapping[str, int]) -> dict[str, slice]:
    """Columns of parts that stand side by side.

    >>> blocks({"bits": 3, "ngrams": 2})
    {'bits': slice(0, 3, None), 'ngrams': slice(3, 5, None)}
    """
    ends = np.cumsum([0, *widths.values()]).tolist()
    return {name: slice(start, end) for name, start, end in zip(widths, ends[:-1], ends[1:], strict=True)}


def stack(parts: Sequence[sparse.csr_matrix]) -> sparse.csr_matrix:
    """Parts side by side, indices of each row in order (so that sums over a row run in one order)."""
    joined = sparse.csr_matrix(sparse.hstack(parts, format="csr")) if len(parts) > 1 else parts[0]
    joined.sort_indices()
    return joined
