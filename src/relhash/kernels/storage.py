"""Kernels as plain numbers, and back; word vectors by reference where they ship with RelHash, embedded where they do not.

A kernel says itself what of it is stored; here it gets its place among the others, and its word vectors are stored once for
all. Vectors of the user's own are embedded for the words of the training and target text (a whole file of vectors would make a
small model large), with a hash of the whole. With the same vectors at hand again, a loaded model knows all their words.
Kernels by name are ours and those that others register (:class:`~relhash.kernels.Kernel`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.codec import unpack_strings
from relhash.errors import ModelFileError, ParameterError
from relhash.kernels.bound import Kernel
from relhash.kernels.path_kernel import PathKernel
from relhash.kernels.vector_kernels import METRICS, VectorKernel
from relhash.kernels.word_vectors import WordVectors, bundled_vectors
from relhash.registry import Registry
from relhash.resources import resource_path

KERNELS: Registry[type[Kernel]] = Registry(
    "kernel", "relhash.kernels", {PathKernel.kind: PathKernel, VectorKernel.kind: VectorKernel}
)
"""Kernels by kind. Register your own class under its ``kind``, or offer it by an entry point of ``relhash.kernels``."""


def named_kernel(name: str) -> Kernel:
    """What a name stands for: a metric of vectors, or a kernel with its default parameters.

    >>> named_kernel("cosine"), named_kernel("path")
    (VectorKernel(metric='cosine'), PathKernel())
    """
    if name in METRICS:
        return VectorKernel(name)
    if name not in KERNELS:
        raise ParameterError(f"there is no kernel {name!r}; there are {', '.join([*METRICS, *KERNELS])}")
    return KERNELS[name]()


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


def check_storable(kernel: Any) -> None:
    """A ``ParameterError`` with the remedy, if no model file could hold what ``HashcodeLearner(kernel=…)`` is given here.

    >>> check_storable({"path": ["path"], "descriptors": "laplace"})
    >>> check_storable(max)
    Traceback (most recent call last):
    ...
    relhash.errors.ParameterError: kernel: a model with a function as its kernel could not be saved; ...
    """
    if kernel is None:
        return
    if isinstance(kernel, Mapping):
        check_storable(list(kernel.values()))
    elif isinstance(kernel, list | tuple):
        for one in kernel:
            check_storable(one)
        _shared_vectors(kernel)
    elif isinstance(kernel, str):
        named_kernel(kernel)
    elif isinstance(kernel, Kernel):
        own = type(kernel)
        if own.kind not in KERNELS or KERNELS[own.kind] is not own:
            raise ParameterError(
                f"kernel: a model with {own.__name__} could not be saved; register the class first, under its kind: "
                f"relhash.kernels.KERNELS.register({own.kind or 'my-kernel'!r}, {own.__name__})"
            )
        kernel.check_storable()
    else:
        VectorKernel(kernel).check_storable()


def _shared_vectors(kernels: Sequence[Any]) -> WordVectors | None:
    """The word vectors that these kernels (and lists of them) compare with; different ones are refused."""
    used: WordVectors | None = None
    for kernel in kernels:
        if isinstance(kernel, list | tuple):
            own = _shared_vectors(kernel)
        else:
            made = named_kernel(kernel) if isinstance(kernel, str) else kernel
            own = made.word_vectors if isinstance(made, Kernel) else None
        if used is not None and own is not None and own is not used and vectors_hash(own) != vectors_hash(used):
            raise ParameterError("kernel: a model file holds the word vectors of one source; let all kernels use the same")
        used = used if own is None else own
    return used


def kernels_to_arrays(kernels: Mapping[str, Sequence[Kernel]], words: Iterable[str]) -> tuple[Arrays, dict[str, Any]]:
    """Arrays, and notes for the manifest. All kernels of a model share their word vectors."""
    arrays: Arrays = {}
    notes: dict[str, Any] = {"views": {}}
    used = _shared_vectors([kernel for offered in kernels.values() for kernel in offered])
    for view_number, (view, offered) in enumerate(kernels.items()):
        notes["views"][view] = []
        for number, kernel in enumerate(offered):
            check_storable(kernel)
            notes["views"][view].append({"kind": kernel.kind, **kernel.notes})
            arrays |= {f"{view_number}.{number}.{name}": array for name, array in kernel.to_arrays().items()}
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
    shared: dict[Any, Kernel] = {}  # views with the same kernel share one object and what it has prepared
    for view_number, (view, offered) in enumerate(notes["views"].items()):
        kernels: list[Kernel] = []
        for number, note in enumerate(offered):
            prefix = f"{view_number}.{number}."
            own = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
            key = repr(sorted(note.items())), *((name, array.shape, array.tobytes()) for name, array in sorted(own.items()))
            if key not in shared:
                shared[key] = _from_arrays(own, note, vectors)
            kernels.append(shared[key])
        made[view] = tuple(kernels)
    return made


def _from_arrays(arrays: Mapping[str, NDArray[Any]], note: Mapping[str, Any], vectors: WordVectors | None) -> Kernel:
    kind = str(note["kind"])
    if kind not in KERNELS:
        raise ModelFileError(f"there is no kernel {kind!r}; install the package that has it, or register it")
    try:
        return KERNELS[kind].from_arrays(arrays, {name: value for name, value in note.items() if name != "kind"}, vectors)
    except (KeyError, TypeError, ValueError, ModelFileError) as error:
        raise ModelFileError(f"stored kernel {kind!r}: {error}") from error


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
