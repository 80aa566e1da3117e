"""Runs of tokens as numbers: which n-grams sequences have, found for all sequences at once instead of one string at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from relhash.structures.paths import PathSet, used_numbers

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


class RunsOfBoth:
    """The runs of tokens that candidates of a text have, and a target, if there is one, has, too.

    Parameters
    ----------
    text, target
        The sequences.
    sizes
        Lengths of the runs.
    least
        So many candidates of ``text`` must have a run.

    Attributes
    ----------
    kept
        The runs, by length and by where they first come.

    Examples
    --------
    >>> a, b = PathSet.from_sequences([["x", "y"], ["x"], ["x"]]), PathSet.from_sequences([["y"]])
    >>> list(RunsOfBoth(a, None, [1, 2]).kept), list(RunsOfBoth(a, None, [1, 2], least=2).kept)
    ([('x',), ('y',), ('x', 'y')], [('x',)])
    >>> list(RunsOfBoth(a, b, [1, 2]).kept)
    [('y',)]
    """

    def __init__(self, text: PathSet, target: PathSet | None, sizes: Sequence[int], least: int = 1) -> None:
        token_ids: dict[str, int] = {}
        sides = [one for one in (text, target) if one is not None]
        for side in sides:
            for token in side.vocabulary:
                token_ids.setdefault(token, len(token_ids))
        self._places = [_Places(side, token_ids) for side in sides]
        self._runs: dict[int, Integers] = {}
        """Of each size: the number of the run that begins at each place; meaningless where none does."""
        self.kept: dict[tuple[str, ...], int] = {}
        """Run → its number among those of its size."""
        words = list(token_ids)
        tokens = np.concatenate([one.tokens for one in self._places])
        left = np.concatenate([one.left for one in self._places])
        n_text = self._places[0].tokens.size
        times = np.bincount(self._places[0].rows, minlength=self._places[0].used.size)
        run, first = used_numbers(tokens, len(words))[1], 1  # a run of one token is its number among those that occur
        for size in sorted(set(sizes)):
            while first < size:  # a run of one token more is the number of the shorter one and the token
                longer = np.full(tokens.size, -1, np.int64)
                fits = np.flatnonzero(left > first)
                longer[fits] = np.unique(run[fits] * len(words) + tokens[fits + first], return_inverse=True)[1]
                run, first = longer, first + 1
            self._runs[size] = run
            there = np.flatnonzero(left[:n_text] >= size)
            n_runs = int(run.max(initial=-1)) + 1
            once = _distinct(self._places[0].sequence[there] * n_runs + run[there])  # each run counts once per sequence
            counts = np.bincount(once % n_runs, weights=times[once // n_runs], minlength=n_runs) if n_runs else np.empty(0)
            example = np.full(n_runs, -1, np.int64)
            example[run[there][::-1]] = there[::-1]
            wanted = np.full(n_runs, target is None)
            wanted[run[n_text:][left[n_text:] >= size]] = True
            for start in np.sort(example[(example >= 0) & wanted & (counts >= least)]).tolist():
                self.kept[tuple([words[token] for token in tokens[start : start + size].tolist()])] = int(run[start])

    def columns_of(self, side: int, columns: Mapping[tuple[str, ...], int]) -> Columns:
        """The columns of each sequence of the text (0) or the target (1), as :meth:`RunIndex.columns_of` gives them."""
        places = self._places[side]
        before = sum(one.tokens.size for one in self._places[:side])
        stride = 1 + max(columns.values(), default=-1)
        of_run = {size: np.full(int(run.max(initial=-1)) + 1, -1, np.int64) for size, run in self._runs.items()}
        for kept, number in self.kept.items():
            of_run[len(kept)][number] = columns.get(kept, -1)
        found: list[Integers] = []
        for size, run in self._runs.items():
            at = np.flatnonzero(places.left >= size)
            column = of_run[size][run[before + at]]
            found.append(places.sequence[at[column >= 0]] * stride + column[column >= 0])
        return _by_sequence(found, stride, places)


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
        return _by_sequence(found, stride, places)


def _by_sequence(found: Sequence[Integers], stride: int, places: _Places) -> Columns:
    """Distinct columns from sequence * stride + column."""
    once = _distinct(np.concatenate(found)) if found else np.empty(0, np.int64)
    sequence, indices = np.divmod(once, max(stride, 1))
    ends = np.concatenate([[0], np.cumsum(np.bincount(sequence, minlength=places.used.size))])
    return indices, ends, places.rows


def _distinct(numbers: Integers) -> Integers:
    """``np.unique``, which hashes since numpy 2.3, several times slower here than sorting."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=ordered[:1] - 1) != 0]
