"""The contract of feature parts: each says what it needs, fits itself, names its columns, and stores itself.

A part that is registered in :data:`FEATURE_PARTS` can be named in a preset, in ``RelationExtractor(parts=…)`` and in the
members of a committee, and comes back from a model file. Nothing else has to know of it.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.candidates.paths import PathSet
from relhash.candidates.structure_set import StructureSet
from relhash.codec import Arrays, InArrays, plain
from relhash.errors import ModelFileError, ParameterError
from relhash.hashing.hamming import pack
from relhash.registry import Registry

if TYPE_CHECKING:
    from relhash.learn.codes import Code

Rows = tuple[sparse.csr_matrix, sparse.csr_matrix | None]
"""Rows of the training text, and of the target if there is one."""

FEATURE_PARTS: Registry[type[FeaturePart]] = Registry("feature part", "relhash.feature_parts")
"""Feature parts by name; those of this room register themselves when it is imported."""


class Text:
    """The candidates of one text as feature parts see them: their structures, and what the hash functions say of them.

    >>> text = Text(StructureSet({"between": PathSet.from_sequences([["a", "b"]])}))
    >>> len(text), text.sequences("between")[0]
    (1, ['a', 'b'])
    """

    def __init__(self, structures: StructureSet, code: Code | None = None, bits: NDArray[np.uint8] | None = None) -> None:
        self.structures, self._code, self._bits = structures, code, bits

    def __len__(self) -> int:
        return len(self.structures)

    @property
    def code(self) -> Code:
        """The hash functions, for parts that say ``code_output``."""
        if self._code is None:
            raise ParameterError("features: this part needs hash functions, and there are none")
        return self._code

    @property
    def bits(self) -> NDArray[np.uint8]:
        """Those of every candidate, hashed once for all parts."""
        if self._bits is None:
            self._bits = self.code.learner.transform(self.structures)
        return self._bits

    @property
    def known_codes(self) -> NDArray[np.uint64] | None:
        """Packed bits of every candidate (see :mod:`relhash.hashing.hamming`) if a fit has hashed them, to spare the work."""
        return None if self._bits is None else pack(self._bits)

    def sequences(self, view: str) -> PathSet:
        """A view made of sequences."""
        found = self.structures[view]
        if not isinstance(found, PathSet):
            raise ParameterError(f"features: view {view!r} is not made of sequences")
        return found

    def table(self, view: str) -> NDArray[np.float32]:
        """A dense view."""
        found = self.structures[view]
        if not isinstance(found, np.ndarray):
            raise ParameterError(f"features: view {view!r} must be a table")
        return found


class FeaturePart(InArrays, ABC):
    """Columns that describe a candidate. A row depends on its candidate alone, and on no label.

    The parameters of ``__init__`` are kept as attributes of the same names, as scikit-learn does it, and JSON can hold them.
    What is learned ends in ``_``; what is declared so in the class is kept in model files (:class:`relhash.codec.InArrays`). A
    part is fitted once, and never changes afterwards.

    Examples
    --------
    A part with one column, the number of words between the participants:

    >>> class DistancePart(FeaturePart):
    ...     name = "distance"
    ...     views = ("between",)
    ...
    ...     def transform(self, text):
    ...         return sparse.csr_matrix([[float(len(words))] for words in text.sequences("between")])
    ...
    ...     @property
    ...     def columns(self):
    ...         return ["words"]
    >>> text = Text(StructureSet({"between": PathSet.from_sequences([["<E1>", "binds", "<E2>"], ["<E1>", "<E2>"]])}))
    >>> DistancePart().fit(text).transform(text).toarray().tolist()
    [[3.0], [2.0]]
    """

    name: ClassVar[str]
    """How presets, committees and model files call it."""
    code_output: ClassVar[str | None] = None
    """What it needs of the hash functions: ``"bits"``, ``"functions"``, or nothing."""
    views: tuple[str, ...] = ()
    """The views that must be built for it, beside those of the hash functions."""

    def fit(self, text: Text, target: Text | None = None) -> Self:
        """Learn what there is to learn from the training text and the text to adapt to; nothing by default."""
        return self

    def fit_transform(self, text: Text, target: Text | None = None) -> Rows:
        """:meth:`fit`, and the rows of both texts; a part that meets them while it is fitted need not look at them again."""
        self.fit(text, target)
        return self.transform(text), None if target is None else self.transform(target)

    @abstractmethod
    def transform(self, text: Text) -> sparse.csr_matrix:
        """One row per candidate, one column per name in :attr:`columns`."""

    @property
    @abstractmethod
    def columns(self) -> list[str]:
        """A name for each column of the fitted part, for explanations."""

    @classmethod
    def from_arrays(cls, arrays: Arrays, parameters: Mapping[str, Any], code: Code | None) -> Self:  # type: ignore[override]
        """A part of these parameters with what :meth:`to_arrays` wrote, on these hash functions."""
        part = cls(**parameters)
        for name, value in cls.learned(arrays).items():
            setattr(part, name, value)
        part.verify()
        part.attach(code)
        return part

    def attach(self, code: Code | None) -> None:
        """Take the hash functions of a model that is read; an error if what was learned does not fit them."""

    def restricted_to(self, views: tuple[str, ...]) -> Self:
        """The part for a model whose views are these; only parts that can choose their views differ."""
        return self

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of ``__init__``, as JSON takes them."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def check(self) -> None:
        """An error if the part could not be read again from a model file."""
        if self.name not in FEATURE_PARTS or FEATURE_PARTS[self.name] is not type(self):
            raise ParameterError(
                f"features: part {type(self).__name__} is not registered, so a model file could not be read again; "
                f"register it first: FEATURE_PARTS.register({self.name!r}, {type(self).__name__})"
            )

    def to_dict(self) -> dict[str, Any]:
        """Name and parameters, as JSON takes them."""
        return {"name": self.name, "parameters": plain(self.parameters)}

    @staticmethod
    def from_dict(given: str | Mapping[str, Any]) -> FeaturePart:
        """The part, not fitted, that :meth:`to_dict` wrote; a name alone stands for its usual parameters."""
        if isinstance(given, str):
            return FEATURE_PARTS[given]()
        try:
            return FEATURE_PARTS[given["name"]](**given.get("parameters", {}))
        except (ParameterError, TypeError) as error:
            raise ModelFileError(f"{error}; the model needs the version, package or script that registers this part") from error

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, FeaturePart) and self.parameters == other.parameters

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.parameters.items())})"


def to_part(given: str | FeaturePart | Mapping[str, Any]) -> FeaturePart:
    """A part by its name, as it was given, or as :meth:`FeaturePart.to_dict` wrote it; not fitted.

    >>> to_part("oracle")
    Traceback (most recent call last):
    ...
    relhash.errors.ParameterError: there is no feature part 'oracle'; there are ...
    """
    return given if isinstance(given, FeaturePart) else FeaturePart.from_dict(given)


def to_parts(*given: str | FeaturePart) -> tuple[FeaturePart, ...]:
    """Several parts; see :func:`to_part`."""
    return tuple(map(to_part, given))
