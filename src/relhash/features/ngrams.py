"""Binary n-grams of the sequences of a candidate: the plain feature part, and the plain rival."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.errors import ModelFileError
from relhash.features.part import FEATURE_PARTS, Arrays, FeaturePart, Rows, Text
from relhash.features.token_runs import Columns, RunIndex, RunsOfBoth
from relhash.structures.packing import pack_strings, unpack_strings
from relhash.structures.views import view

if TYPE_CHECKING:
    from relhash.features.codes import Code

SEPARATOR = "\x1f"  # the unit separator occurs in no word
_ALONE = 8
"""So often must an n-gram occur in a large training text that is not adapted to another one: most rare ones are never met
again. (Held-out clusters of documents, other corpora: 2 to 16 differ little, and rare ones do harm on other corpora.)"""


class NgramPart(FeaturePart):
    """Which runs of one, two, … tokens occur in the sequences of some views.

    Parameters
    ----------
    views
        Names of sequence views.
    sizes
        Lengths of the runs.
    min_count
        An n-gram must occur in so many of the candidates that :meth:`fit` learns from.

    Examples
    --------
    >>> from relhash.structures import PathSet, StructureSet
    >>> text = Text(StructureSet({"between": PathSet.from_sequences([["a", "b"], ["a", "c"], ["a", "b"]])}))
    >>> ngrams = NgramPart(["between"], sizes=(1, 2)).fit(text)
    >>> ngrams.columns
    ['between: a', 'between: b', 'between: a b']
    >>> ngrams.transform(text).toarray().astype(int).tolist()
    [[1, 1, 1], [1, 0, 0], [1, 1, 1]]

    Only those that another text has, too:

    >>> other = Text(StructureSet({"between": PathSet.from_sequences([["b", "a"]])}))
    >>> NgramPart(["between"]).fit(text, other).columns
    ['between: a', 'between: b']
    """

    name: ClassVar[str] = "ngrams"
    _found_by: tuple[list[dict[str, int]], list[RunIndex]] | None = None

    def __init__(
        self,
        views: Sequence[str] = ("between", "path", "path+edges", "window(3,3)"),
        sizes: Sequence[int] = (1, 2, 3),
        min_count: int = 2,
    ) -> None:
        self.views = tuple(views)
        self.sizes = tuple(sizes)
        self.min_count = min_count

    def restricted_to(self, views: tuple[str, ...]) -> NgramPart:
        """Its own views among those; if there are none, all of those that are made of sequences."""
        sequences = tuple(name for name in views if not view(name).is_dense)
        own = tuple(name for name in self.views if name in sequences)
        return NgramPart(own or sequences or self.views, self.sizes, self.min_count)

    def fit(self, text: Text, target: Text | None = None) -> NgramPart:
        """Fix the vocabulary.

        With a ``target`` it holds only n-grams that occur there as well. In the training text the others would take over weight
        from those that they go along with, and be missing where it counts. Without one, rare n-grams are left out instead, if
        there are more than a thousand candidates to learn from.
        """
        self._learn(text, target)
        return self

    def _learn(self, text: Text, target: Text | None) -> list[RunsOfBoth]:
        """Fix the vocabulary; the runs of each view that it was taken from."""
        least = self.min_count if target is not None else max(self.min_count, min(_ALONE, len(text) // 500))
        self.vocabulary_: list[dict[str, int]] = []
        found = []
        start = 0
        for name in self.views:
            both = text.sequences(name), None if target is None else target.sequences(name)
            found.append(RunsOfBoth(*both, self.sizes, least))
            kept = sorted(map(SEPARATOR.join, found[-1].kept), key=_by_length)
            self.vocabulary_.append({gram: start + number for number, gram in enumerate(kept)})
            start += len(kept)
        self.n_features_ = start
        return found

    def fit_transform(self, text: Text, target: Text | None = None) -> Rows:
        """:meth:`fit`, and the rows of both texts from the runs that the vocabulary was taken from."""
        found = self._learn(text, target)
        columns = [_runs_of(vocabulary) for vocabulary in self.vocabulary_]
        rows = [
            self._joined([runs.columns_of(side, own) for runs, own in zip(found, columns, strict=True)])
            for side in range(1 if target is None else 2)
        ]
        return rows[0], None if target is None else rows[1]

    def transform(self, text: Text) -> sparse.csr_matrix:
        return self._joined(
            [index.columns_of(text.sequences(name)) for name, index in zip(self.views, self._indices, strict=True)]
        )

    def _joined(self, of_views: Sequence[Columns]) -> sparse.csr_matrix:
        """The columns of all views as one table."""
        total = None
        for indices, ends, rows in of_views:
            ones = np.ones(indices.size, np.float32)
            block = sparse.csr_matrix((ones, indices, ends), (ends.size - 1, self.n_features_))[rows]
            total = block if total is None else total + block  # views have columns of their own
        joined = sparse.csr_matrix(total)
        joined.sort_indices()
        return joined

    @property
    def _indices(self) -> list[RunIndex]:
        """What finds the n-grams of each view; made when they are first looked for."""
        if self._found_by is None or self._found_by[0] is not self.vocabulary_:
            self._found_by = self.vocabulary_, [RunIndex(_runs_of(columns)) for columns in self.vocabulary_]
        return self._found_by[1]

    @property
    def columns(self) -> list[str]:
        return [
            f"{view}: {gram.replace(SEPARATOR, ' ')}" for view, columns in zip(self.views, self.vocabulary_) for gram in columns
        ]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {f"grams.{number}": pack_strings(columns) for number, columns in enumerate(self.vocabulary_)}

    @classmethod
    def from_arrays(cls, arrays: Arrays, parameters: Mapping[str, Any], code: Code | None) -> NgramPart:
        part = cls(**parameters)
        try:
            grams = [unpack_strings(arrays[f"grams.{number}"]) for number in range(len(part.views))]
        except (KeyError, ValueError, TypeError) as error:
            raise ModelFileError(f"n-grams: arrays are missing or of the wrong kind ({error})") from error
        part.vocabulary_, part.n_features_ = [], 0
        for of_view in grams:
            part.vocabulary_.append({gram: part.n_features_ + number for number, gram in enumerate(of_view)})
            if len(part.vocabulary_[-1]) != len(of_view):
                raise ModelFileError("n-grams: one occurs twice")
            part.n_features_ += len(of_view)
        return part


def _runs_of(vocabulary: Mapping[str, int]) -> dict[tuple[str, ...], int]:
    """The n-grams of a view as runs of tokens, with their columns."""
    return {tuple(gram.split(SEPARATOR)): column for gram, column in vocabulary.items()}


def _by_length(gram: str) -> tuple[int, str]:
    return gram.count(SEPARATOR), gram


FEATURE_PARTS.register(NgramPart.name, NgramPart)
