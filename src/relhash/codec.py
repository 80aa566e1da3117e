"""One way from settings and learned things to what a file holds, and back: by the types of their fields.

A class that is kept in a file says what it consists of, and nothing else. :class:`InJson` keeps settings (a frozen dataclass)
as an object of JSON, :class:`InArrays` what was learned as plain arrays:

===================  ===============================  =========================================================
a field that is      in JSON                          in arrays
===================  ===============================  =========================================================
number, string       as it is; null for infinity      an array without dimensions; the bytes of the string
array                –                                as it is
tuple, mapping       list, object                     strings: their bytes; lists of others: ``name.0``, ``name.1``
dataclass            object                           its own arrays after ``name/``, or among these (``FLAT``)
===================  ===============================  =========================================================

A field that a file does not have gets its default: a new field needs one, or an :meth:`InJson.upgraded` that knows what earlier
versions meant. What a file has beside the fields is refused, and so is what a class cannot work with (``verify``).
"""

from __future__ import annotations

import io
import lzma
import os
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Self, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ModelFileError, RelHashError

Arrays = Mapping[str, NDArray[Any]]

LATER = {"later": True}
"""Metadata of a field that is not written while it has its default: programs from before it then read the file, too."""
FLAT = {"flat": True}
"""Metadata of a field whose arrays stand among those of its owner."""
APART = {"apart": True}
"""Metadata of a field that is kept elsewhere, and given to :meth:`InArrays.from_arrays`."""


class InJson:
    """Settings in the manifest of a model file. ``kind``, if a class has one, says which of several classes an object is of.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Paint(InJson):
    ...     colours: tuple[str, ...]
    ...     coats: int = 1
    >>> Paint(("red", "blue")).to_dict()
    {'colours': ['red', 'blue'], 'coats': 1}
    """

    __slots__ = ()
    is_whole: ClassVar[bool] = False
    """Whether a file has all fields, so that a default would only hide that one is missing."""

    @classmethod
    def of_kind(cls, kind: str) -> type[Self]:
        """The class of a kind; a base class knows several."""
        return cls

    @classmethod
    def upgraded(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """What an earlier version wrote, as this one would have written it."""
        return given

    def verify(self) -> None:
        """An error for values that a file may hold and the class cannot work with."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON takes it."""
        own = {"kind": self.kind} if hasattr(self, "kind") else {}
        return own | _plain_fields(self)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_dict`."""
        own = cls.of_kind(str(given["kind"])) if isinstance(given, Mapping) and "kind" in given else cls
        if own.from_dict.__func__ is not InJson.from_dict.__func__:  # type: ignore[attr-defined]
            return own.from_dict(given)
        try:
            made: Self = _object(own, {name: one for name, one in own.upgraded(given).items() if name != "kind"})
        except RelHashError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ModelFileError(f"{own.__name__}: not as this version understands it ({error})") from error
        made.verify()
        return made


def plain(value: Any) -> Any:
    """A value as JSON takes it; a number that is infinite or none becomes null."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value):
        return _plain_fields(value)
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Sequence | Set) and not isinstance(value, str):
        return [plain(one) for one in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def _plain_fields(value: Any) -> dict[str, Any]:
    found = {}
    for field in fields(value):
        default = field.default if field.default_factory is MISSING else field.default_factory()
        if "later" not in field.metadata or getattr(value, field.name) != default:
            found[field.name] = plain(getattr(value, field.name))
    return found


def _object(cls: Any, given: Any) -> Any:
    """A dataclass from an object of JSON."""
    hints = _hints(cls)
    names = {field.name: field for field in fields(cls)}
    if not isinstance(given, Mapping) or (unknown := sorted(set(given) - set(names))):
        raise TypeError(f"expected {', '.join(names)}" + ("" if not isinstance(given, Mapping) else f", not {unknown[0]!r}"))
    for name, field in names.items():
        has_default = field.default is not MISSING or field.default_factory is not MISSING
        if name not in given and (getattr(cls, "is_whole", False) or not has_default):
            raise KeyError(name)
    return cls(**{name: _read(hints[name], value) for name, value in given.items()})


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


def _read(hint: Any, given: Any) -> Any:
    """A value of JSON as a field of this type wants it."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        if given is None and NoneType in args:
            return None
        kinds = [one for one in args if one is not NoneType]
        return _read(kinds[0], given) if len(kinds) == 1 else given
    if hint is float:
        return float("inf") if given is None else float(given)
    if hint in (int, str, bool):
        if type(given) is not hint:
            raise TypeError(f"{given!r} is no {hint.__name__}")
        return given
    if origin in (tuple, list, frozenset) or (isinstance(origin, type) and issubclass(origin, Sequence)):
        if not isinstance(given, list | tuple):
            raise TypeError(f"{given!r} is no list")
        if origin is tuple and args[-1] is not Ellipsis:
            return tuple(_read(own, one) for own, one in zip(args, given, strict=True))
        return (frozenset if origin is frozenset else tuple)(_read(args[0], one) for one in given)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {str(name): _read(args[1], one) for name, one in given.items()}
    if origin is Literal:
        return given
    if isinstance(hint, type) and hasattr(hint, "from_dict"):
        return hint.from_dict(given)
    if is_dataclass(hint):
        return _object(hint, given)
    return tuple(given) if isinstance(given, list) else given  # JSON has no tuples


class InArrays:
    """What was learned, as arrays in a model file: the fields of a dataclass, or class attributes whose names end in ``_``.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, eq=False)
    ... class Line(InArrays):
    ...     weights: NDArray[np.float64]
    ...     offset: float
    >>> Line.from_arrays(Line(np.array([1.0, 2.0]), 0.5).to_arrays()).offset
    0.5
    """

    __slots__ = ()

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that was learned."""
        found: dict[str, NDArray[Any]] = {}
        for name, attribute, _, is_flat in _learned(type(self)):  # type: ignore[arg-type]
            found |= _to_arrays("" if is_flat else name, getattr(self, attribute))
        return found

    @classmethod
    def learned(cls, arrays: Arrays) -> dict[str, Any]:
        """The attributes that :meth:`to_arrays` wrote, each of its type."""
        found, name = {}, ""
        try:
            for name, attribute, hint, is_flat in _learned(cls):  # type: ignore[arg-type]
                found[attribute] = _from_arrays(arrays, "" if is_flat else name, hint)
        except KeyError as error:
            raise ModelFileError(f"{cls.__name__}: {name} is missing") from error
        except (TypeError, ValueError) as error:
            raise ModelFileError(f"{cls.__name__}: {name} is of the wrong kind ({error})") from error
        return found

    @classmethod
    def from_arrays(cls, arrays: Arrays, **apart: Any) -> Self:
        """The inverse of :meth:`to_arrays`; ``apart`` are fields that are kept elsewhere."""
        made = cls(**cls.learned(arrays), **apart)
        made.verify()
        return made

    def verify(self) -> None:
        """An error (``ModelFileError``) for arrays that do not fit together."""


@cache
def _learned(cls: Any) -> list[tuple[str, str, Any, bool]]:
    """Name in the file, attribute, type, and whether its arrays stand among the others."""
    hints = _hints(cls)
    if is_dataclass(cls):
        own = [field for field in fields(cls) if "apart" not in field.metadata]
        return [(field.name, field.name, hints[field.name], "flat" in field.metadata) for field in own]
    return [(name[:-1], name, hint, False) for name, hint in hints.items() if name.endswith("_")]


def _to_arrays(name: str, value: Any) -> dict[str, NDArray[Any]]:
    if isinstance(value, InArrays):
        return prefixed(f"{name}/" if name else "", value.to_arrays())
    if isinstance(value, str):
        return {name: np.frombuffer(value.encode(), np.uint8)}
    if isinstance(value, tuple) and all(isinstance(one, str) for one in value):
        return {name: pack_strings(value)}
    if isinstance(value, tuple | list):
        return {key: one for number, own in enumerate(value) for key, one in _to_arrays(f"{name}.{number}", own).items()}
    return {} if value is None else {name: np.asanyarray(value)}


def _from_arrays(arrays: Arrays, name: str, hint: Any) -> Any:
    origin, args = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and issubclass(hint, InArrays):
        return hint.from_arrays(under(arrays, f"{name}/") if name else arrays)
    if origin is list:
        n = next(number for number in range(len(arrays) + 1) if f"{name}.{number}" not in arrays)
        return [_from_arrays(arrays, f"{name}.{number}", args[0]) for number in range(n)]
    given = np.asarray(arrays[name])
    if hint is str:
        return bytes(given).decode()
    if origin is tuple:
        return unpack_strings(np.asarray(given, np.uint8))
    if hint in (int, float):
        if given.ndim or not np.issubdtype(given.dtype, np.integer if hint is int else np.number):
            raise TypeError(f"{given.dtype} of {given.ndim} dimensions where one number is expected")
        return hint(given)
    dtype = get_args(args[1])[0]  # the conversion loses nothing: no 0.7 read as node 0, no wrapped int64
    if not np.can_cast(given.dtype, dtype, "same_kind" if np.issubdtype(dtype, np.integer) else "safe"):
        raise TypeError(f"{given.dtype} where {np.dtype(dtype)} is expected")
    converted = np.ascontiguousarray(given, dtype=dtype).reshape(given.shape)
    if np.issubdtype(dtype, np.integer) and not np.array_equal(converted, given):
        raise ValueError("a number too large")
    return converted


def under(arrays: Arrays, prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin with ``prefix``, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def prefixed(prefix: str, arrays: Arrays) -> dict[str, NDArray[Any]]:
    """The arrays with ``prefix`` before their names."""
    return {f"{prefix}{name}": array for name, array in arrays.items()}


_SEPARATOR = "\U0010ffff"
"""The last character of Unicode, which stands for none."""


def pack_strings(strings: Iterable[str]) -> NDArray[np.uint8]:
    """Strings as UTF-8 bytes, each ended by 0xFF, which UTF-8 never uses (fixed-width arrays waste memory on long words)."""
    return np.frombuffer(b"".join(s.encode("utf-8", "surrogatepass") + b"\xff" for s in strings), np.uint8)


def unpack_strings(packed: NDArray[np.uint8]) -> tuple[str, ...]:
    """The inverse of :func:`pack_strings`."""
    content = packed.tobytes()
    if _SEPARATOR.encode() not in content:  # decoded in one go, ten times as fast as one by one
        return tuple(content.replace(b"\xff", _SEPARATOR.encode()).decode("utf-8", "surrogatepass").split(_SEPARATOR)[:-1])
    return tuple(part.decode("utf-8", "surrogatepass") for part in content.split(b"\xff")[:-1])


LARGEST_RATIO, ALWAYS_ALLOWED, LARGEST = 200, 256 << 20, 4 << 30
"""Bytes that a byte of a file may unpack to, how many may be unpacked whatever the ratio, and how many at most."""


def read_arrays(given: str | os.PathLike[str] | bytes, largest_ratio: int = LARGEST_RATIO) -> dict[str, NDArray[Any]]:
    """The arrays of a file, or of its content, by name; a plain ValueError (or OSError) says why not."""
    packed = len(given) if isinstance(given, bytes) else Path(given).stat().st_size
    try:
        with zipfile.ZipFile(io.BytesIO(given) if isinstance(given, bytes) else given) as archive:
            # no array is read beyond the size that is declared here
            size = sum(entry.file_size for entry in archive.infolist())
        if size > min(LARGEST, max(ALWAYS_ALLOWED, largest_ratio * packed)):
            raise ValueError(f"it unpacks to {size:,} bytes, which no arrays of ours do")
        with np.load(io.BytesIO(given) if isinstance(given, bytes) else Path(given), allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        NotImplementedError,
        RuntimeError,
        OverflowError,
    ) as error:
        raise ValueError(str(error)) from error
