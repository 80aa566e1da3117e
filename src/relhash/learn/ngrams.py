"""Binary n-grams of the sequences of a candidate: the plain feature part, and the plain rival.

Runs of tokens are numbers here, found for all sequences at once instead of one string at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.candidates.paths import PathSet, used_numbers
from relhash.candidates.views import view
from relhash.codec import Arrays, pack_strings, unpack_strings
from relhash.errors import ModelFileError
from relhash.learn.part import FEATURE_PARTS, FeaturePart, Text

Integers = NDArray[np.int64]
Columns = tuple[Integers, Integers, Integers]
"""Columns of the sequences in use as a sparse matrix has them: indices in order, ends; row → sequence."""


class _Places:
    """The tokens of the sequences that a set uses, one sequence after the other."""

    def __init__(self, paths: PathSet, token_ids: Mapping[str, int] | None = None) -> None:
        self.used, self.rows = used_numbers(paths.rows, paths.n_unique)
        lengths = paths.unique_lengths[self.used]
        ends = np.cumsum(lengths)
        self.sequence: Integers = np.repeat(np.arange(self.used.size), lengths)
        self.left: Integers = np.repeat(ends, lengths) - np.arange(ends[-1] if ends.size else 0)  # to the end of its sequence
        kept = np.arange(self.left.size) - np.repeat(ends - lengths, lengths) + np.repeat(paths.offsets[self.used], lengths)
        self.tokens: Integers = paths.tokens[kept].astype(np.int64)
        if token_ids is not None and self.tokens.size:
            met, inverse = used_numbers(self.tokens, len(paths.vocabulary))
            known = [token_ids.get(paths.vocabulary[token], -1) for token in met.tolist()]
            self.tokens = np.array(known, np.int64)[inverse]


def shared_runs(text: PathSet, target: PathSet | None, sizes: Sequence[int], least: int = 1) -> list[tuple[str, ...]]:
    """The runs of tokens, by length, that so many candidates of a text have, and that a target, if there is one, has, too.

    >>> a, b = PathSet.from_sequences([["x", "y"], ["x"], ["x"]]), PathSet.from_sequences([["y"]])
    >>> shared_runs(a, None, [1, 2]), shared_runs(a, None, [1, 2], least=2), shared_runs(a, b, [1, 2])
    ([('x',), ('y',), ('x', 'y')], [('x',)], [('y',)])
    """
    token_ids: dict[str, int] = {}
    sides = [one for one in (text, target) if one is not None]
    for side in sides:
        for token in side.vocabulary:
            token_ids.setdefault(token, len(token_ids))
    places, words = [_Places(side, token_ids) for side in sides], list(token_ids)
    tokens = np.concatenate([one.tokens for one in places])
    left = np.concatenate([one.left for one in places])
    n_text = places[0].tokens.size
    times = np.bincount(places[0].rows, minlength=places[0].used.size)
    run, first = used_numbers(tokens, len(words))[1], 1  # a run of one token is its number among those that occur
    kept: list[tuple[str, ...]] = []
    for size in sorted(set(sizes)):
        while first < size:  # a run of one token more is the number of the shorter one and the token
            longer = np.full(tokens.size, -1, np.int64)
            fits = np.flatnonzero(left > first)
            longer[fits] = np.unique(run[fits] * len(words) + tokens[fits + first], return_inverse=True)[1]
            run, first = longer, first + 1
        there = np.flatnonzero(left[:n_text] >= size)
        n_runs = int(run.max(initial=-1)) + 1
        once = _distinct(places[0].sequence[there] * n_runs + run[there])  # each run counts once per sequence
        counts = np.bincount(once % n_runs, weights=times[once // n_runs], minlength=n_runs) if n_runs else np.empty(0)
        example = np.full(n_runs, -1, np.int64)
        example[run[there][::-1]] = there[::-1]
        wanted = np.full(n_runs, target is None)
        wanted[run[n_text:][left[n_text:] >= size]] = True
        starts = np.sort(example[(example >= 0) & wanted & (counts >= least)]).tolist()
        kept += [tuple([words[token] for token in tokens[start : start + size].tolist()]) for start in starts]
    return kept


class RunIndex:
    """Columns of runs, to be found in sequences: a tree whose branches are tokens, kept as sorted numbers.

    Parameters
    ----------
    columns
        Run → column.
    """

    def __init__(self, columns: Mapping[tuple[str, ...], int]) -> None:
        self.token_ids: dict[str, int] = {}
        for run in columns:
            for token in run:
                self.token_ids.setdefault(token, len(self.token_ids))
        self.width = max(1, len(self.token_ids))
        longest = max(map(len, columns), default=0)
        self._branches: list[Integers] = []
        """Of each length: node of the run without its last token * width + last token, sorted; the place is the node."""
        self._columns: list[Integers] = []
        """Of each length: the column of each node, -1 for a mere beginning of runs."""
        nodes: dict[tuple[str, ...], int] = {(): 0}
        for size in range(1, longest + 1):
            begun = {
                run[:size]: nodes[run[: size - 1]] * self.width + self.token_ids[run[size - 1]]
                for run in columns
                if len(run) >= size
            }
            ordered = sorted(begun, key=begun.__getitem__)
            nodes = {run: number for number, run in enumerate(ordered)}
            self._branches.append(np.array([begun[run] for run in ordered], np.int64))
            self._columns.append(np.array([columns.get(run, -1) for run in ordered], np.int64))

    def columns_of(self, paths: PathSet) -> Columns:
        """The distinct columns of each sequence in use."""
        places = _Places(paths, self.token_ids)
        at = np.flatnonzero(places.tokens >= 0)
        node = np.zeros(at.size, np.int64)
        found: list[Integers] = []
        stride = 1 + max((int(own.max(initial=-1)) for own in self._columns), default=-1)
        for step, (branches, columns) in enumerate(zip(self._branches, self._columns, strict=True)):
            if step:
                inside = places.left[at] > step
                at, node = at[inside], node[inside]
            token = places.tokens[at + step]
            wanted = node * self.width + token
            place = np.minimum(np.searchsorted(branches, wanted), branches.size - 1)
            hit = (branches[place] == wanted) & (token >= 0)
            at, node = at[hit], place[hit]
            column = columns[node]
            is_run = column >= 0
            found.append(places.sequence[at[is_run]] * stride + column[is_run])
        once = _distinct(np.concatenate(found)) if found else np.empty(0, np.int64)
        sequence, indices = np.divmod(once, max(stride, 1))
        ends = np.concatenate([[0], np.cumsum(np.bincount(sequence, minlength=places.used.size))])
        return indices, ends, places.rows


def _distinct(numbers: Integers) -> Integers:
    """``np.unique``, which hashes since numpy 2.3, several times slower here than sorting."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=ordered[:1] - 1) != 0]


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
    >>> from relhash.candidates import PathSet, StructureSet
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
        least = self.min_count if target is not None else max(self.min_count, min(_ALONE, len(text) // 500))
        self.vocabulary_: list[dict[str, int]] = []
        self.n_features_ = 0
        for name in self.views:
            runs = shared_runs(text.sequences(name), None if target is None else target.sequences(name), self.sizes, least)
            kept = sorted(map(SEPARATOR.join, runs), key=lambda gram: (gram.count(SEPARATOR), gram))
            self.vocabulary_.append({gram: self.n_features_ + number for number, gram in enumerate(kept)})
            self.n_features_ += len(kept)
        return self

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
    def learned(cls, arrays: Arrays) -> dict[str, Any]:
        names = sorted((name for name in arrays if name.startswith("grams.")), key=lambda name: int(name.partition(".")[2]))
        vocabulary: list[dict[str, int]] = []
        start = 0
        for of_view in (unpack_strings(arrays[name]) for name in names):
            vocabulary.append({gram: start + number for number, gram in enumerate(of_view)})
            if len(vocabulary[-1]) != len(of_view):
                raise ModelFileError("n-grams: one occurs twice")
            start += len(of_view)
        return {"vocabulary_": vocabulary, "n_features_": start}

    def verify(self) -> None:
        if len(self.vocabulary_) != len(self.views):
            raise ModelFileError("n-grams: those of a view are missing")


def _runs_of(vocabulary: Mapping[str, int]) -> dict[tuple[str, ...], int]:
    """The n-grams of a view as runs of tokens, with their columns."""
    return {tuple(gram.split(SEPARATOR)): column for gram, column in vocabulary.items()}


FEATURE_PARTS.register(NgramPart.name, NgramPart)
