"""Kernels as plain numbers, and back; word vectors by reference where they ship with RelHash, embedded where they do not.

Vectors of the user's own are embedded for the words of the training and adaptation text (a whole file of vectors would make a
small model large), with a hash of the whole. With the same vectors at hand again, a loaded model knows all their words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ModelFileError
from relhash.kernels import PathKernel, WordSimilarity, WordVectors, bundled_vectors
from relhash.kernels.bound import Kernel
from relhash.kernels.vector_kernels import METRICS, VectorKernel
from relhash.resources import resource_path
from relhash.structures.packing import pack_strings, unpack_strings

__all__ = ["VectorsOnFile", "kernels_from_arrays", "kernels_to_arrays", "vectors_hash"]

BUNDLED = "biomed100"
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class VectorsOnFile:
    """Which vectors a model uses: ``name`` is that of the shipped ones, or ``"own"``, or ``"none"``."""

    name: str
    sha256: str

    @classmethod
    def of(cls, vectors: WordVectors | None) -> VectorsOnFile:
        if vectors is None:
            return cls("none", "")
        return cls(BUNDLED, _bundled_hash()) if vectors is bundled_vectors() else cls("own", vectors_hash(vectors))

    @classmethod
    def from_notes(cls, notes: Mapping[str, Any]) -> VectorsOnFile:
        return cls(str(notes["vectors"]["name"]), str(notes["vectors"]["sha256"]))

    def words(self, arrays: Mapping[str, NDArray[Any]]) -> tuple[str, ...]:
        """The words whose vectors are embedded."""
        return unpack_strings(arrays["vectors.words"]) if "vectors.words" in arrays else ()

    def load(self, arrays: Mapping[str, NDArray[Any]], given: WordVectors | None) -> WordVectors | None:
        if self.name == "none":
            return None
        if self.name == "own":
            if given is None:
                return WordVectors.from_arrays(arrays, "vectors.")
            if vectors_hash(given) != self.sha256:
                raise ModelFileError("these are not the word vectors that the model was fitted with (their hash differs)")
            return given
        if self.name != BUNDLED or self.sha256 != _bundled_hash():
            raise ModelFileError(
                f"the model was fitted with word vectors {self.name!r} of another version of RelHash; "
                "use that version, or fit again"
            )
        return bundled_vectors()


def kernels_to_arrays(kernels: Mapping[str, Sequence[Kernel]], words: Iterable[str]) -> tuple[Arrays, dict[str, Any]]:
    """Arrays, and notes for the manifest. All path kernels of a model share their word vectors."""
    arrays: Arrays = {}
    notes: dict[str, Any] = {"views": {}}
    used: WordVectors | None = None
    for view_number, (view, offered) in enumerate(kernels.items()):
        notes["views"][view] = []
        for number, kernel in enumerate(offered):
            prefix = f"{view_number}.{number}."
            if isinstance(kernel, PathKernel):
                similarity = kernel.similarity if kernel.similarity is not None else WordSimilarity.from_vectors()
                used = similarity.vectors if similarity.vectors is not None else used
                arrays[f"{prefix}labels"] = pack_strings(similarity.words)
                arrays[f"{prefix}matrix"] = similarity.matrix
                weights = None if kernel.weights is None else [float(w) for w in np.asarray(kernel.weights)]
                notes["views"][view].append(
                    {
                        "kind": "path",
                        "max_length": kernel.max_length,
                        "gap_decay": kernel.gap_decay,
                        "weights": weights,
                        "threshold": similarity.threshold,
                        "has_vectors": similarity.vectors is not None,
                    }
                )
            elif isinstance(kernel, VectorKernel) and isinstance(kernel.metric, str):
                gamma, scale = kernel.fixed()
                if scale is not None:
                    arrays[f"{prefix}scale"] = scale
                notes["views"][view].append({"kind": "vector", "metric": kernel.metric, "gamma": gamma})
            else:
                raise ModelFileError(f"a kernel of type {type(kernel).__name__} of your own cannot be stored in a model file")
    on_file = VectorsOnFile.of(used)
    notes["vectors"] = {"name": on_file.name, "sha256": on_file.sha256}
    if used is not None and on_file.name == "own":
        arrays |= _embedded(used, words).to_arrays("vectors.")
    return arrays, notes


def kernels_from_arrays(
    arrays: Mapping[str, NDArray[Any]], notes: Mapping[str, Any], given: WordVectors | None
) -> dict[str, tuple[Kernel, ...]]:
    """The inverse of :func:`kernels_to_arrays`; ``given`` are the user's own vectors in full, if at hand."""
    vectors = VectorsOnFile.from_notes(notes).load(arrays, given)
    made: dict[str, tuple[Kernel, ...]] = {}
    shared: dict[str, PathKernel] = {}  # views with the same kernel share one object and what it has prepared
    for view_number, (view, offered) in enumerate(notes["views"].items()):
        kernels: list[Kernel] = []
        for number, note in enumerate(offered):
            prefix = f"{view_number}.{number}."
            if note["kind"] == "path":
                key = repr(sorted(note.items())) + arrays[f"{prefix}labels"].tobytes().hex()
                if key not in shared:
                    similarity = WordSimilarity(
                        unpack_strings(arrays[f"{prefix}labels"]),
                        arrays[f"{prefix}matrix"],
                        vectors=vectors if note["has_vectors"] else None,
                        threshold=float(note["threshold"]),
                    )
                    shared[key] = PathKernel(similarity, int(note["max_length"]), float(note["gap_decay"]), note["weights"])
                kernels.append(shared[key])
            elif note["kind"] == "vector" and note["metric"] in METRICS:
                kernel = VectorKernel(note["metric"], gamma=float(note["gamma"]))
                if f"{prefix}scale" in arrays:
                    kernel.gamma_ = float(note["gamma"])
                    kernel.scale_ = np.asarray(arrays[f"{prefix}scale"], np.float64)
                kernels.append(kernel)
            else:
                raise ModelFileError(f"unknown kernel {note['kind']!r}")
        made[view] = tuple(kernels)
    return made


def vectors_hash(vectors: WordVectors) -> str:
    """A hash of all words and numbers."""
    digest = hashlib.sha256()
    for name, array in sorted(vectors.to_arrays().items()):
        digest.update(f"{name} {array.dtype} {array.shape}\n".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


@cache
def _bundled_hash() -> str:
    return hashlib.sha256((resource_path("vectors") / f"{BUNDLED}.npz").read_bytes()).hexdigest()


def _embedded(vectors: WordVectors, words: Iterable[str]) -> WordVectors:
    """The vectors of these words only, those that are made from parts of words included."""
    listed = sorted(set(words))
    codes = vectors.encode(listed)
    known = np.flatnonzero((codes != 0).sum(axis=1))
    return WordVectors([listed[number] for number in known], codes[known])
