"""The path kernel: gap-weighted soft subsequences of up to ``max_length`` tokens.

``K(s, t) = Σ_l w_l Σ_{|i|=|j|=l} λ^(gaps(i)+gaps(j)) Π_k k_w(s_{i_k}, t_{j_k})``, one pass over the cells of ``s × t`` for all
lengths l, for a batch of sequences at a time. A batch holds as many sequences as a vector register has lanes, token by token;
sorting by length keeps the padding small. The pad token is similar to nothing, so padded steps add zeros and a sequence's
result does not depend on its neighbours. References lie in one table.

Here is the kernel in numpy, for a handful of sequences and as the cross-check of the compiled one
(:mod:`relhash.kernels.simd`, which explains the recurrence): the same operations in the same order, to the last bit.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import PathSet
from relhash.compilation import Compiled
from relhash.kernels.threads import over_ranges
from relhash.kernels.words import VocabularySimilarity

LANES = 8
"""Sequences side by side in a vector register."""
POSITIONS_A_BLOCK = 8
"""Positions of a reference are padded to a multiple of this: the register transposes work on 8 × 8 blocks."""


@dataclass(frozen=True, slots=True)
class Batches:
    """Sequences in lanes.

    Attributes
    ----------
    tokens
        Token ids; batch ``b`` is ``tokens[starts[b]:]``, ``steps[b]`` rows of ``LANES`` ids.
    starts, steps
        Where each batch begins, and the length of its longest sequence.
    order
        Sequence in each lane: ``order[b * LANES + lane]``, −1 in the unused lanes of the last batch.
    """

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    steps: NDArray[np.int64]
    order: NDArray[np.int64]

    @classmethod
    def of(cls, paths: PathSet) -> Batches:
        """Batches of the distinct sequences of ``paths``; the pad token is ``len(paths.vocabulary)``."""
        lengths = paths.unique_lengths
        n_batches = -(-lengths.size // LANES)
        order = np.full(n_batches * LANES, -1, np.int64)
        order[: lengths.size] = np.argsort(lengths, kind="stable")
        sorted_lengths = np.append(lengths, 0)[order].reshape(n_batches, LANES)
        steps = sorted_lengths.max(axis=1, initial=0)
        starts = np.cumsum(steps * LANES) - steps * LANES
        tokens = np.full(int((steps * LANES).sum()), len(paths.vocabulary), np.int32)
        places = np.empty(lengths.size, np.int64)  # of the first token of each sequence
        places[order[: lengths.size]] = (starts[:, None] + np.arange(LANES)).ravel()[: lengths.size]
        within = np.arange(paths.tokens.size) - np.repeat(paths.offsets[:-1], lengths)
        tokens[np.repeat(places, lengths) + LANES * within] = paths.tokens
        return cls(tokens, starts, steps, order)

    def __len__(self) -> int:
        return self.steps.size


@dataclass(frozen=True, slots=True)
class ReferenceTable:
    """What the compiled kernel reads of the references.

    Attributes
    ----------
    similarities
        ``similarities[token, starts[r] + i]``: a token of the vocabulary against position ``i`` of reference ``r``. The last
        row, that of the pad token, is zero.
    starts, lengths
        Where each reference begins in a row, and its length.
    """

    similarities: NDArray[np.float32]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @property
    def longest(self) -> int:
        """Positions that the longest reference takes, padding included."""
        return -(-int(self.lengths.max(initial=0)) // POSITIONS_A_BLOCK) * POSITIONS_A_BLOCK


class ReferenceTables:
    """Makes reference tables over one vocabulary; similarities of words seen before are taken from a bounded cache."""

    def __init__(self, similarity: VocabularySimilarity, max_bytes: int = 1 << 27) -> None:
        self.similarity = similarity
        n_tokens = len(similarity.vocabulary)
        self._capacity = max(64, min(n_tokens, max_bytes // (4 * max(n_tokens, 1))))
        self._rows = np.empty((0, n_tokens), np.float32)
        self._places: dict[str, int] = {}

    def __call__(self, references: PathSet) -> ReferenceTable:
        lengths = references.lengths
        widths = -(-lengths // POSITIONS_A_BLOCK) * POSITIONS_A_BLOCK
        starts = np.cumsum(widths) - widths
        tokens = [token for sequence in references for token in sequence]
        places = self._places_of(tokens)
        columns = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths) + np.arange(len(tokens))
        table = np.empty((len(self.similarity.vocabulary) + 1, int(widths.sum())), np.float32)
        table[-1] = 0  # columns beyond the end of a reference are never used, and stay as they are
        table[:-1, columns] = self._rows[places].T
        return ReferenceTable(table, starts, lengths)

    def _places_of(self, tokens: Sequence[str]) -> NDArray[np.int64]:
        """Rows of the cache that hold the similarities of ``tokens``, computed first where they are missing."""
        missing = list(dict.fromkeys(token for token in tokens if token not in self._places))
        if len(self._places) + len(missing) > self._capacity:
            self._places.clear()
            missing = list(dict.fromkeys(tokens))
        needed = len(self._places) + len(missing)
        if needed > len(self._rows):
            grown = np.empty((max(needed, min(2 * needed, self._capacity)), self._rows.shape[1]), np.float32)
            grown[: len(self._places)] = self._rows[: len(self._places)]
            self._rows = grown
        if missing:
            self._rows[len(self._places) : needed] = self.similarity.rows(missing)
            self._places.update({token: len(self._places) + number for number, token in enumerate(missing)})
        return np.array([self._places[token] for token in tokens], np.int64)


LARGEST_BLOCK = 1 << 22
"""Similarities of tokens that are held at a time: 16 MB, however long the sequences are."""

NO_NEIGHBOUR = 255
"""What stands for the nearest reference where all similarities are zero."""


def path_kernel(
    batches: Batches,
    references: ReferenceTable,
    *,
    decay: float,
    weights: NDArray[np.float32],
    n_sequences: int,
    n_jobs: int | None = None,
) -> NDArray[np.float32]:
    """``K`` of all sequences (rows) and references (columns), not normalised."""
    kernel = np.zeros((n_sequences, references.lengths.size), np.float32)
    no_winners = np.empty(0, np.uint8)
    _run(batches, references, decay, weights, np.empty(0, np.float64), kernel, no_winners, n_jobs)
    return kernel


def nearest_references(
    batches: Batches,
    references: ReferenceTable,
    scales: NDArray[np.float64],
    *,
    decay: float,
    weights: NDArray[np.float32],
    n_sequences: int,
    n_jobs: int | None = None,
) -> NDArray[np.uint8]:
    """For each sequence, the reference with the largest ``K · scale``: the first of equals, 255 if all are 0."""
    winners = np.full(n_sequences, NO_NEIGHBOUR, np.uint8)
    _run(batches, references, decay, weights, scales, np.empty((0, 0), np.float32), winners, n_jobs)
    return winners


def self_kernels(
    batches: Batches,
    lengths: NDArray[np.int64],
    within: Callable[[NDArray[np.int64], int, int], NDArray[np.float32]],
    *,
    decay: float,
    weights: NDArray[np.float32],
) -> NDArray[np.float32]:
    """``K(s, s)`` of all sequences, to the last bit what :func:`path_kernel` gives for a sequence and itself.

    ``within(sequences, first, last)`` gives, sequence after sequence, the similarities of the tokens ``first`` to ``last`` of
    each one (as far as it has so many) to all its tokens. It is asked for blocks of :data:`LARGEST_BLOCK` numbers at most, so
    that memory does not grow with the square of a length.
    """
    result = np.zeros(lengths.size, np.float32)
    run = _self_kernel_loop(weights.size)
    for first, last in _blocks(batches):
        sequences = batches.order[first * LANES : last * LANES]
        sequences = sequences[sequences >= 0]
        longest = int(batches.steps[last - 1])
        steps_a_stripe = longest if last > first + 1 else max(1, LARGEST_BLOCK // max(1, LANES * longest))
        scratch = np.empty((longest * weights.size + weights.size + 2) * LANES, np.float32)
        for step in range(0, longest, max(1, steps_a_stripe)):
            after = min(step + steps_a_stripe, longest)
            similarities = within(sequences, step, after)
            run(
                first, last, step, after, batches.order, batches.steps, longest, lengths, similarities, np.float32(decay),
                weights, scratch, result,
            )  # fmt: skip
    return result


def _blocks(batches: Batches) -> Iterator[tuple[int, int]]:
    """Runs of batches whose similarities of tokens are :data:`LARGEST_BLOCK` numbers at most; one batch at least."""
    first, size = 0, 0
    for batch, steps in enumerate(batches.steps.tolist()):
        own = LANES * steps * steps
        if batch > first and size + own > LARGEST_BLOCK:
            yield first, batch
            first, size = batch, 0
        size += own
    if len(batches) > first:
        yield first, len(batches)


def _run(
    batches: Batches,
    references: ReferenceTable,
    decay: float,
    weights: NDArray[np.float32],
    scales: NDArray[np.float64],
    kernel: NDArray[np.float32],
    winners: NDArray[np.uint8],
    n_jobs: int | None,
) -> None:
    loop = _kernel_loop(weights.size)
    table = references.similarities

    def on_range(first: int, last: int) -> None:
        loop(
            first,
            last,
            batches.tokens,
            batches.starts,
            batches.steps,
            batches.order,
            table.reshape(-1),
            table.shape[1],
            references.starts,
            references.lengths,
            references.longest,
            np.float32(decay),
            weights,
            scales,
            kernel,
            winners,
        )

    over_ranges(on_range, batches.steps + 1, n_jobs)


Floats = NDArray[np.float32]


@cache
def _kernel_loop(max_length: int) -> Compiled:
    """The loop over batches and references for one ``max_length``."""

    def make() -> Any:
        from relhash.kernels import simd

        return simd.kernel_loop(max_length)

    return Compiled(make, _seconds, _in_numpy, is_made=True)


@cache
def _self_kernel_loop(max_length: int) -> Compiled:
    """The loop over batches in which each lane is compared with itself."""

    def make() -> Any:
        from relhash.kernels import simd

        return simd.self_kernel_loop(max_length)

    return Compiled(make, _self_seconds, _selves_in_numpy, is_made=True)


def _in_numpy(  # type: ignore[no-untyped-def]
    first, last, tokens, starts, steps, order, table, table_width, reference_starts, reference_lengths, longest, decay, weights,
    scales, kernel, winners,
) -> None:  # fmt: skip
    """Batch after batch, references of similar length at once."""
    similarities = table.reshape(-1, max(1, table_width))
    for batch in range(first, last):
        sequences = order[batch * LANES : (batch + 1) * LANES]
        own = tokens[starts[batch] : starts[batch] + steps[batch] * LANES].reshape(-1, LANES)[:, sequences >= 0]
        sequences = sequences[sequences >= 0]
        similar = similarities[own] if table.size else similarities
        totals = np.zeros((len(sequences), reference_lengths.size), np.float32)
        for group in _of_similar_length(reference_lengths):
            places = np.arange(reference_lengths[group].max())[:, None]
            is_inside = places < reference_lengths[group]
            cells = similar[:, :, np.where(is_inside, reference_starts[group] + places, 0)]
            cells = np.where(is_inside, cells, np.float32(0)).transpose(0, 2, 1, 3)
            cells = cells.reshape(len(own), len(places), len(sequences) * is_inside.shape[1])
            totals[:, group] = _subsequences(cells, decay, weights).reshape(len(sequences), -1)
        if winners.size:
            scaled = totals * scales
            winners[sequences] = np.where(scaled.max(axis=1) > 0, scaled.argmax(axis=1), NO_NEIGHBOUR)
        else:
            kernel[sequences] = totals


def _selves_in_numpy(  # type: ignore[no-untyped-def]
    first, last, first_step, after, order, steps, longest, lengths, within, decay, weights, scratch, result
) -> None:
    """Sequences of similar length at once."""
    sequences = order[first * LANES : last * LANES]
    sequences = sequences[sequences >= 0]
    own = lengths[sequences]
    starts = np.cumsum(own**2) - own**2
    for group in _of_similar_length(own):
        size = int(own[group].max())
        cells = np.zeros((size, size, len(group)), np.float32)
        for number, (start, length) in enumerate(zip(starts[group].tolist(), own[group].tolist(), strict=True)):
            cells[:length, :length, number] = within[start : start + length * length].reshape(length, length)
        result[sequences[group]] = _subsequences(cells, decay, weights)


def _of_similar_length(lengths: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Numbers of sequences with tokens, those together whose lengths differ by less than half."""
    sizes = np.frexp(lengths.astype(np.float64))[1]
    return [np.flatnonzero(sizes == size) for size in np.unique(sizes) if size]


def _subsequences(cells: Floats, decay: np.float32, weights: Floats) -> Floats:
    """``K`` of many pairs from the similarities of their tokens, (tokens of one, tokens of the other, pairs).

    A cell depends on the one before it in its row and in its column: cells of a diagonal are computed at once.
    """
    n_rows, n_columns, n = cells.shape
    found = np.zeros((n_rows, n_columns, weights.size, n), np.float32)
    before = np.zeros((n_rows + 1, weights.size - 1, n), np.float32)
    running = np.zeros((n_rows, weights.size - 1, n), np.float32)
    for diagonal in range(n_rows + n_columns - 1):
        first, after = max(0, diagonal - n_columns + 1), min(diagonal + 1, n_rows)
        rows = np.arange(first, after)
        similarity, earlier, along = cells[rows, diagonal - rows][:, None], before[first:after], running[first:after]
        own = np.concatenate([similarity, similarity * earlier], axis=1)
        found[rows, diagonal - rows] = own
        before[first + 1 : after + 1] = _multiply_add(decay, earlier, along)
        running[first:after] = _multiply_add(decay, along, own[:, :-1])
    sums = np.add.reduce(found.reshape(n_rows * n_columns, weights.size * n), axis=0).reshape(-1, n)  # row by row, in order
    total = np.zeros(n, np.float32)
    for weight, of_level in zip(weights, sums, strict=True):
        total = _multiply_add(weight, of_level, total)
    return total


def _multiply_add(factor: np.float32, values: Floats, added: Floats) -> Floats:
    """``factor · values + added``, none negative, rounded once if the processor can: else compiled code rounds twice too."""
    if not _is_fused():
        return factor * values + added
    product = np.float64(factor) * values  # exact
    total = product + added
    back = total - product
    error = (product - (total - back)) + (added - back)
    # rounded to odd, so that rounding once more to single precision is right
    bits = total.view(np.int64)
    bits += np.sign(error).astype(np.int64) * (1 - (bits & 1))
    return total.astype(np.float32)


@cache
def _is_fused() -> bool:
    if platform.machine().lower() in {"x86_64", "amd64"}:
        features = getattr(np._core._multiarray_umath, "__cpu_features__", {})  # type: ignore[attr-defined]
        return bool(features.get("FMA3"))
    return True


def _seconds(first, last, tokens, starts, steps, order, table, width, begins, lengths, longest, decay, weights, *_):  # type: ignore[no-untyped-def]
    """What :func:`_in_numpy` takes, about."""
    n_steps = float(steps[first:last].sum())
    return 2e-4 * (n_steps + (last - first) * longest) + 3e-8 * n_steps * LANES * float(lengths.sum()) * weights.size


def _self_seconds(first, last, first_step, after, order, steps, longest, lengths, within, decay, weights, *_):  # type: ignore[no-untyped-def]
    """What :func:`_selves_in_numpy` takes, about; it cannot compute in stripes."""
    return 3e-4 * longest + 4e-8 * within.size * weights.size if first_step == 0 and after >= longest else np.inf
