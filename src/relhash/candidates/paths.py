"""The hand-over from language to numerics: many short sequences of tokens as a few flat arrays.

A relation candidate looks different from each side: the words on its dependency path, the words between the entities, a row of
descriptors. One side is a *view*. A :class:`PathSet` holds one view made of sequences, a
:class:`~relhash.candidates.structure_set.StructureSet` several named views of the same candidates. Equal sequences are stored
once: everything that is computed later is computed per distinct sequence and counted per candidate.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.codec import pack_strings, unpack_strings
from relhash.errors import StructureError


class PathSet:
    """Sequences of tokens, one per candidate, equal ones stored once.

    Parameters
    ----------
    vocabulary
        The distinct tokens (words and symbols); a token's id is its position.
    tokens
        Token ids of all distinct sequences, one after the other.
    offsets
        ``tokens[offsets[u]:offsets[u + 1]]`` is distinct sequence ``u``; one more entry than there are sequences.
    rows
        For each candidate, the number of its sequence.

    Examples
    --------
    >>> paths = PathSet.from_sequences([["<P>", "binds", "<P>"], ["<P>", "inhibits"], ["<P>", "binds", "<P>"]])
    >>> len(paths), paths.n_unique, paths[2]
    (3, 2, ['<P>', 'binds', '<P>'])
    >>> len(paths[[0, 2]])
    2
    """

    __slots__ = ("__dict__", "offsets", "rows", "tokens", "vocabulary")

    def __init__(self, vocabulary: Iterable[str], tokens: ArrayLike, offsets: ArrayLike, rows: ArrayLike) -> None:
        self.vocabulary: tuple[str, ...] = tuple(vocabulary)
        self.tokens: NDArray[np.int32] = np.ascontiguousarray(tokens, dtype=np.int32)
        self.offsets: NDArray[np.int64] = np.ascontiguousarray(offsets, dtype=np.int64)
        self.rows: NDArray[np.int32] = np.ascontiguousarray(rows, dtype=np.int32)
        self._check()

    def _check(self) -> None:
        if self.offsets.ndim != 1 or self.offsets.size == 0 or self.offsets[0] != 0 or self.offsets[-1] != self.tokens.size:
            raise StructureError("PathSet: offsets must start at 0 and end at the number of tokens")
        if np.any(np.diff(self.offsets) < 0):
            raise StructureError("PathSet: offsets must not decrease")
        if self.tokens.size and not 0 <= self.tokens.min() <= self.tokens.max() < len(self.vocabulary):
            raise StructureError("PathSet: a token id lies outside the vocabulary")
        if self.rows.size and not 0 <= self.rows.min() <= self.rows.max() < self.n_unique:
            raise StructureError("PathSet: a row refers to a sequence that does not exist")

    @classmethod
    def from_sequences(cls, sequences: Iterable[Sequence[str]], vocabulary: Iterable[str] = ()) -> PathSet:
        """Build from sequences of tokens; ``vocabulary`` fixes the ids of the tokens it holds, others are appended."""
        builder = PathSetBuilder(vocabulary)
        for sequence in sequences:
            builder.append(sequence)
        return builder.build()

    @classmethod
    def concatenate(cls, parts: Iterable[PathSet]) -> PathSet:
        """One set after the other, with one vocabulary and again without duplicates."""
        parts = list(parts)
        if parts and all(part.tokens is parts[0].tokens and part.offsets is parts[0].offsets for part in parts):
            chosen = parts[0][:0]  # all of one store: nothing but the selection is new
            chosen.rows = np.concatenate([part.rows for part in parts])
            return chosen
        token_ids: dict[str, int] = {}
        numbers: dict[bytes, int] = {}  # a sequence, as the bytes of its ids → its number
        rows = [np.empty(0, np.int32)]
        for part in parts:
            new_ids = np.array([token_ids.setdefault(token, len(token_ids)) for token in part.vocabulary], np.int32)
            moved = (new_ids[part.tokens] if part.tokens.size else part.tokens).tobytes()
            bounds = (part.offsets * part.tokens.itemsize).tolist()
            sequences = (moved[start:stop] for start, stop in pairwise(bounds))
            renumbered = np.array([numbers.setdefault(sequence, len(numbers)) for sequence in sequences], np.int32)
            rows.append(renumbered[part.rows] if part.rows.size else part.rows)
        tokens = np.frombuffer(b"".join(numbers), np.int32)
        lengths = np.fromiter((len(sequence) for sequence in numbers), np.int64, len(numbers)) // tokens.itemsize
        return cls(token_ids, tokens, np.concatenate([[0], np.cumsum(lengths)]), np.concatenate(rows))

    @property
    def n_unique(self) -> int:
        """Number of distinct sequences stored (a selection may use fewer: see :meth:`compact`)."""
        return self.offsets.size - 1

    @property
    def shape(self) -> tuple[int]:
        """``(number of candidates,)``: what lets scikit-learn index and split a PathSet like an array."""
        return (self.rows.size,)

    @cached_property
    def unique_lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Length of the sequence of each candidate."""
        return self.unique_lengths[self.rows]

    @property
    def nbytes(self) -> int:
        return self.tokens.nbytes + self.offsets.nbytes + self.rows.nbytes

    def unique_sequence(self, unique: int) -> list[str]:
        """Distinct sequence number ``unique`` as tokens."""
        return [self.vocabulary[token] for token in self.tokens[self.offsets[unique] : self.offsets[unique + 1]]]

    def __len__(self) -> int:
        return self.rows.size

    def __iter__(self) -> Iterator[list[str]]:
        return (self.unique_sequence(row) for row in self.rows)

    @overload
    def __getitem__(self, indices: int | np.integer[Any]) -> list[str]: ...
    @overload
    def __getitem__(self, indices: slice | Sequence[int] | NDArray[Any]) -> PathSet: ...
    def __getitem__(self, indices: Any) -> PathSet | list[str]:
        """``X[3]`` is a sequence; a slice, a mask or an array of indices selects candidates (sharing the stored sequences)."""
        if isinstance(indices, int | np.integer):
            return self.unique_sequence(int(self.rows[indices]))
        selected = object.__new__(PathSet)  # the parts are already checked
        selected.vocabulary, selected.tokens, selected.offsets = self.vocabulary, self.tokens, self.offsets
        selected.rows = np.ascontiguousarray(self.rows[as_index(indices)])
        return selected

    def __eq__(self, other: object) -> bool:
        """Whether both hold the same sequences in the same order, however they are stored."""
        if not isinstance(other, PathSet):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"PathSet({len(self)} candidates, {self.n_unique} distinct sequences, {len(self.vocabulary)} tokens)"

    def compact(self) -> PathSet:
        """The same candidates without sequences and tokens that none of them uses."""
        used, rows = used_numbers(self.rows, self.n_unique)
        tokens = _gather_ranges(self.tokens, self.offsets[used], self.unique_lengths[used])
        kept, tokens = used_numbers(tokens, len(self.vocabulary))
        offsets = np.concatenate([[0], np.cumsum(self.unique_lengths[used])])
        return PathSet([self.vocabulary[token] for token in kept.tolist()], tokens, offsets, rows)

    def to_arrays(self, prefix: str = "") -> dict[str, NDArray[Any]]:
        """Plain arrays, for ``numpy.savez``; :meth:`from_arrays` takes them back."""
        return {
            f"{prefix}vocabulary": pack_strings(self.vocabulary),
            f"{prefix}tokens": self.tokens,
            f"{prefix}offsets": self.offsets,
            f"{prefix}rows": self.rows,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> PathSet:
        names = ("vocabulary", "tokens", "offsets", "rows")
        missing = [name for name in names if f"{prefix}{name}" not in arrays]
        if missing:
            raise StructureError(f"stored PathSet lacks {', '.join(missing)}")
        vocabulary, tokens, offsets, rows = (arrays[f"{prefix}{name}"] for name in names)
        return cls(unpack_strings(vocabulary), tokens, offsets, rows)


class _Numbers(dict[str, int]):
    """Tokens in the order in which they were first asked for, each with its number."""

    def __missing__(self, token: str) -> int:
        number = self[token] = len(self)
        return number


class PathSetBuilder:
    """Takes sequences one at a time and ends in a :class:`PathSet`; what it holds meanwhile is hardly more than the result.

    >>> builder = PathSetBuilder()
    >>> builder.append(["<P>", "binds", "<P>"])
    >>> builder.build()
    PathSet(1 candidates, 1 distinct sequences, 2 tokens)
    """

    def __init__(self, vocabulary: Iterable[str] = ()) -> None:
        self._token_ids = _Numbers()
        for token in vocabulary:
            self._token_ids[token]  # it is numbered where it is first asked for
        self._numbers: dict[bytes, int] = {}
        self._tokens, self._offsets, self._rows = array("i"), array("q", [0]), array("i")

    def append(self, sequence: Sequence[str]) -> None:
        if isinstance(sequence, str):
            raise StructureError(f"PathSet: a sequence of tokens is expected, not the string {sequence!r}")
        tokens = array("i", map(self._token_ids.__getitem__, sequence))
        number = self._numbers.setdefault(tokens.tobytes(), len(self._numbers))
        if number == len(self._offsets) - 1:
            self._tokens.extend(tokens)
            self._offsets.append(len(self._tokens))
        self._rows.append(number)

    def build(self) -> PathSet:
        return PathSet(
            self._token_ids,
            np.array(self._tokens, np.int32),
            np.array(self._offsets, np.int64),
            np.array(self._rows, np.int32),
        )


def used_numbers(numbers: NDArray[Any], n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct ``numbers``, all below ``n``, in order, and for each number its place among them.

    >>> used_numbers(np.array([4, 1, 4]), 6)
    (array([1, 4]), array([1, 0, 1]))
    """
    if n > 4 * numbers.size:  # few of many: a list of all would take longer than sorting
        used, places = np.unique(numbers, return_inverse=True)
        return used.astype(np.int64), places
    is_used = np.zeros(n, bool)
    is_used[numbers] = True
    return np.flatnonzero(is_used), (np.cumsum(is_used) - 1)[numbers]


def as_index(indices: Any) -> Any:
    """What numpy selects rows with, for any of the ways in which people and scikit-learn write a selection."""
    if isinstance(indices, tuple) and len(indices) == 2 and indices[1] is Ellipsis:
        indices = indices[0]  # scikit-learn selects with ``X[indices, ...]``
    if isinstance(indices, slice):
        return indices
    index = np.asarray(indices)
    return index.astype(np.int64) if index.size == 0 else index


def _gather_ranges(values: NDArray[Any], starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[Any]:
    """Concatenation of ``values[start:start + length]`` without a loop."""
    ends = np.cumsum(lengths)
    positions = np.arange(ends[-1] if ends.size else 0) - np.repeat(ends - lengths, lengths) + np.repeat(starts, lengths)
    return values[positions]
