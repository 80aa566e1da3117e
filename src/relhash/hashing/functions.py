"""The contract of hash functions: what they are, how they hash, and how one is chosen among all splits of its references.

A *family* (nearest neighbours, maximum margin, neural network) knows how points respond to a set of references. Its
:class:`Responses` answer, for any split of those references, which candidates get a one: that is all the learner needs to
choose a split. The chosen :class:`HashFunction` is references + split + parameters, and hashes anything its kernel can read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ModelFileError, ParameterError
from relhash.hashing.information import Clustering
from relhash.kernels.bound import BoundKernel, Kernel

NO_REFERENCE = 255  # "nearest reference" of a point that has no similarity to any


class HashFunction(ABC):
    """One bit of the code: references, their split, and the kernel that compares.

    Parameters
    ----------
    references
        A selection of structures (``PathSet``) or rows (array).
    split
        z: the side (0 or 1) of each reference.
    kernel
        What compares a candidate with the references.
    view
        Which view of a ``StructureSet`` is compared.
    """

    def __init__(self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str = "") -> None:
        self.references, self.kernel, self.view = references, kernel, view
        self.split = np.ascontiguousarray(split, np.uint8)

    @property
    def n_references(self) -> int:
        return int(self.split.size)

    @abstractmethod
    def bits(self, bound: BoundKernel) -> NDArray[np.uint8]:
        """The bit of each distinct structure of ``bound``."""

    @classmethod
    def bits_of_all(cls, functions: Sequence[HashFunction], bound: BoundKernel) -> NDArray[np.uint8]:
        """``(functions, distinct structures)``: bits of several functions of this kind, for kinds that gain from company."""
        return np.stack([function.bits(bound) for function in functions])

    def hash(self, X: Any) -> NDArray[np.uint8]:
        """The bit of each candidate of ``X``: an array, a ``PathSet``, or one already bound to this function's kernel."""
        bound: BoundKernel = X if hasattr(X, "nearest") else self.kernel.bind(X)
        return self.bits(bound)[bound.rows]

    @property
    def parameters(self) -> NDArray[Any]:
        """What the function has fitted beyond references and split, as plain numbers in one row."""
        return np.empty(0)


class Responses(ABC):
    """How all distinct structures of one data set respond to one set of references, whatever the split.

    ``ids`` are the references: numbers of distinct structures of that data set.
    """

    ids: NDArray[np.int64]
    fits: ClassVar[bool] = False
    """Whether something is fitted for each split: then a search asks for many splits at once, and not for many in all."""

    @property
    def n_references(self) -> int:
        return int(self.ids.size)

    @abstractmethod
    def ones(
        self, splits: NDArray[np.uint8], clustering: Clustering, rows: NDArray[np.int32], weights: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """``(splits, clusters, kinds)``: candidates that would get a 1.

        ``rows`` gives the structure of each point, ``weights`` how many candidates of each kind the point stands for.
        """

    def table(self, clustering: Clustering, rows: NDArray[np.int32], weights: NDArray[np.int64]) -> NDArray[np.int64] | None:
        """The counts from which all splits follow (:mod:`relhash.hashing.splits`), if the family has such a table."""
        return None

    @abstractmethod
    def bits(self, split: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The bit of each distinct structure under ``split``."""

    def settled(self) -> Responses:
        """Responses of the function itself, where these only stand for it while a split is chosen."""
        return self


class SplitReferences(NamedTuple):
    """What every stored function is, whatever its family."""

    references: Any
    split: NDArray[np.uint8]
    kernel: Kernel
    view: str


class HashFamily(ABC):
    """How functions of one kind are made, stored, and restored.

    A family of your own works in ``HashcodeLearner(hash_function=MyFamily())``. For a model file to hold its functions, the
    class must be known by its :attr:`name`: ``HASH_FAMILIES.register("mine", MyFamily)`` (``relhash.hashing``), or an entry
    point of the group ``relhash.hash_families`` in your package. Then ``hash_function="mine"`` finds it too.

    To write one: a :class:`HashFunction` that says the bit of each point, :class:`Responses` that say it for any split of one
    set of references, and this class, which makes both. Rules that the learner relies on: the bit of a point depends on
    nothing but the point, a point without similarity to any reference gets 0, and the function gives the bits that the
    responses gave. ``tests/hashing/function_contract.py`` checks them for a family that you name.
    """

    name: ClassVar[str]
    """By which it is registered, and written into a model file."""

    @abstractmethod
    def respond(self, bound: BoundKernel, ids: NDArray[np.int64]) -> Responses:
        """Responses to the distinct structures ``ids`` of ``bound`` as references; a family may drop some of them."""

    @abstractmethod
    def function(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, responses: Responses
    ) -> HashFunction:
        """The function with this split of the references of ``responses``."""

    @abstractmethod
    def restore(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, parameters: NDArray[Any]
    ) -> HashFunction:
        """A stored function, from its ``parameters``.

        They come from a file: raise ``ModelFileError`` if they are not what such a function has.
        """

    @property
    def settings(self) -> Mapping[str, Any]:
        """The arguments that make this family again, by name: numbers, strings, lists and dicts, as JSON takes them."""
        return {}

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Self:
        """The inverse of :attr:`settings`."""
        try:
            return cls(**settings)
        except TypeError as error:
            raise ParameterError(f"hash family {cls.name!r} cannot be made from {dict(settings)!r}: {error}") from error

    @classmethod
    def of_learner(cls, parameters: Mapping[str, Any]) -> Self:
        """The family that ``HashcodeLearner(hash_function=name, **parameters)`` means; its defaults, unless overridden."""
        return cls()

    def to_arrays(self, functions: Sequence[HashFunction]) -> dict[str, NDArray[Any]]:
        """The :attr:`~HashFunction.parameters` of functions of this family, as plain arrays."""
        parameters = [function.parameters for function in functions]
        return {
            "n_parameters": np.array([own.size for own in parameters], np.int64),
            "parameters": np.concatenate(parameters),
        }

    def from_arrays(self, arrays: Mapping[str, NDArray[Any]], stored: Sequence[SplitReferences]) -> list[HashFunction]:
        """The inverse of :meth:`to_arrays`: one function for each of ``stored``."""
        sizes, parameters = arrays["n_parameters"], arrays["parameters"]
        if sizes.shape != (len(stored),) or (sizes < 0).any() or sizes.sum() != parameters.size or parameters.ndim != 1:
            raise ModelFileError("the numbers of parameters do not add up")
        own = np.split(parameters, np.cumsum(sizes)[:-1])
        return [self.restore(*skeleton, numbers) for skeleton, numbers in zip(stored, own, strict=True)]
