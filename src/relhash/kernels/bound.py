"""What every kernel offers: similarities of whole sets, sets prepared once for many small sets of references, a stored form.

Parameters are as scikit-learn has them (``get_params``, ``set_params``, ``clone``, a ``repr``), without importing it: that
takes longer than predicting, which fits nothing.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.blas import one_blas_thread
from relhash.errors import ParameterError
from relhash.kernels.subsequence import NO_NEIGHBOUR

if TYPE_CHECKING:
    from relhash.kernels.word_vectors import WordVectors


class Parameters:
    """An object whose parameters are the arguments of its ``__init__``, kept under the same names.

    >>> class Circle(Parameters):
    ...     def __init__(self, radius=1.0, colour="red"):
    ...         self.radius, self.colour = radius, colour
    >>> Circle(2.0).set_params(colour="blue")
    Circle(colour='blue', radius=2.0)
    """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; with ``deep`` also those of parameters that have some (``similarity__threshold``)."""
        found: dict[str, Any] = {}
        for name in _names(type(self)):
            value = found[name] = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                found |= {f"{name}__{inner}": own for inner, own in value.get_params().items()}
        return found

    def set_params(self, **parameters: Any) -> Self:
        """The same object with other parameters."""
        for name, value in parameters.items():
            own, _, inner = name.partition("__")
            if own not in _names(type(self)):
                known = ", ".join(_names(type(self)))
                raise ParameterError(f"{type(self).__name__} has no parameter {own!r}; it has {known}")
            if inner:
                getattr(self, own).set_params(**{inner: value})
            else:
                setattr(self, own, value)
        return self

    def __repr__(self) -> str:
        """The parameters that are not the usual ones."""
        usual = inspect.signature(type(self)).parameters
        given = (f"{name}={getattr(self, name)!r}" for name in _names(type(self)) if _differs(getattr(self, name), usual[name]))
        return f"{type(self).__name__}({', '.join(given)})"


def _names(kind: type) -> tuple[str, ...]:
    return tuple(sorted(inspect.signature(kind).parameters))


def _differs(value: Any, parameter: inspect.Parameter) -> bool:
    return value is not parameter.default and repr(value) != repr(parameter.default)


class BoundKernel(Protocol):
    """Points prepared for repeated comparison with small sets of references.

    Equal points are stored once: arrays have one row per *distinct* point, and ``rows`` says which one each candidate is. The
    results for a point do not depend on what other points are there, to the last bit.
    """

    rows: NDArray[np.int32]
    """Candidate → distinct point."""

    @property
    def n_unique(self) -> int:
        """Number of distinct points."""

    def unique(self, ids: ArrayLike) -> Any:
        """Distinct points by number, as references: data of the kind that was bound (``PathSet``, array, ``StructureSet``)."""

    def similarities(self, references: Any) -> NDArray[np.float32]:
        """Normalised similarities of distinct points (rows) and references (columns)."""

    def nearest(self, references: Any) -> NDArray[np.uint8]:
        """The most similar reference of each distinct point: the first of equals, 255 where all similarities are zero."""
        check_reference_count(references)
        return nearest_of(self.similarities(references))

    def nearest_of_sets(self, sets: Sequence[Any]) -> NDArray[np.uint8]:
        """``(sets, distinct points)``: :meth:`nearest` for several sets of references, for kernels that gain from company."""
        return np.stack([self.nearest(references) for references in sets])


class Kernel(ABC):
    """A similarity of structures.

    To write one, subclass this and say in :meth:`bind` how a set is prepared: a :class:`BoundKernel` with ``rows``,
    ``n_unique``, ``unique`` and ``similarities``. It then works in ``HashcodeLearner(kernel=MyKernel())``, on arrays, on a
    ``PathSet``, or for a view of a ``StructureSet``. For a model file to hold it, its class must be known by its :attr:`kind`:
    ``KERNELS.register("mine", MyKernel)`` (``relhash.kernels``), or an entry point of the group ``relhash.kernels`` in your
    package; then ``kernel="mine"`` finds it too. A kernel with parameters says them in :attr:`notes` (and arrays in
    :meth:`to_arrays`). ``tests/kernels/kernel_contract.py`` checks a kernel that you name.
    """

    kind: ClassVar[str] = ""
    """The name by which the class is registered, and written into a model file."""
    needs_fit: bool = False
    """Whether ``fit(X)`` has something to fix first. The learner then fits a copy, to training and target data together."""

    @abstractmethod
    def bind(self, X: Any, *, n_jobs: int | None = None) -> BoundKernel:
        """Prepare ``X`` for comparisons with many sets of references, on ``n_jobs`` threads."""

    @one_blas_thread()
    def gram(self, X: Any, references: Any, *, n_jobs: int | None = None) -> NDArray[np.float32]:
        """Similarities of candidates (rows) and references (columns)."""
        bound = self.bind(X, n_jobs=n_jobs)
        return bound.similarities(references)[bound.rows]

    @property
    def word_vectors(self) -> WordVectors | None:
        """Word vectors that it compares with: a model file holds them once for all its kernels."""
        return None

    def check_storable(self) -> None:  # noqa: B027 - most have nothing to refuse
        """A ``ParameterError`` with the remedy, if these parameters cannot be stored; asked before anything is fitted."""

    @property
    def notes(self) -> dict[str, Any]:
        """Its parameters by name: numbers, strings, lists and dicts, as JSON takes them."""
        return {}

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """What else is needed to make it again, as plain arrays (word vectors aside)."""
        return {}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], notes: Mapping[str, Any], vectors: WordVectors | None) -> Self:
        """The inverse of :attr:`notes` and :meth:`to_arrays`; ``vectors`` are the word vectors of the model."""
        return cls(**notes)


def nearest_of(similarities: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    """Column of the largest value of each row, by the rules of :meth:`BoundKernel.nearest`.

    >>> nearest_of(np.array([[0.1, 0.3, 0.3], [0.0, 0.0, 0.0]]))
    array([  1, 255], dtype=uint8)
    """
    if similarities.shape[1] == 0:
        return np.full(len(similarities), NO_NEIGHBOUR, np.uint8)
    return np.where((similarities == 0).all(axis=1), NO_NEIGHBOUR, similarities.argmax(axis=1)).astype(np.uint8)


def check_reference_count(references: Sized) -> None:
    """Refuse more references than ``nearest`` can number."""
    if len(references) > NO_NEIGHBOUR:
        raise ParameterError(f"nearest: at most {NO_NEIGHBOUR} references, not {len(references)}; use smaller reference sets")
