"""The compiled path kernel: gap-weighted soft subsequences of up to ``max_length`` tokens.

``K(s, t) = Σ_l w_l Σ_{|i|=|j|=l} λ^(gaps(i)+gaps(j)) Π_k k_w(s_{i_k}, t_{j_k})``, one pass over the cells of ``s × t`` for all
lengths l, for a batch of sequences at a time (see :mod:`relhash.kernels.batches`).

The sum for one pair is made of the same operations in the same order whatever else is computed with it: lanes do not mix,
padding adds zeros, and threads work on whole batches.

The steps of the path kernel in plain Numba: the fallback for unusual CPUs, and the cross-check of the fast version.

Sequences stand side by side in 32 lanes and the loops over lanes are left to the compiler's vectoriser, which does well
enough with that many. The functions mean the same as those of :mod:`relhash.kernels.simd`, which explains the recurrence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled, has_vector_registers
from relhash.kernels import simd as _simd
from relhash.kernels.batches import Batches, ReferenceTable
from relhash.kernels.threads import over_ranges

LANES = 32


@compiled
def load_column(  # type: ignore[no-untyped-def]
    n_positions, table, table_start, table_width, tokens, tokens_start, column
):
    for lane in range(LANES):
        row = tokens[tokens_start + lane] * table_width + table_start
        for position in range(n_positions):
            column[position * LANES + lane] = table[row + position]


@compiled
def advance(max_length, step, is_last, n_positions, column, before, sums, decay):  # type: ignore[no-untyped-def]
    n_states = max_length - 1
    if step == 0:
        before[: n_positions * n_states * LANES] = 0
    running = np.zeros((n_states, LANES), np.float32)
    found = np.empty(LANES, np.float32)
    for position in range(n_positions):
        similarity = column[position * LANES : (position + 1) * LANES]
        for lane in range(LANES):
            sums[lane] += similarity[lane]
            found[lane] = similarity[lane]
        for state in range(n_states):
            along = running[state]
            level_sums = sums[(state + 1) * LANES : (state + 2) * LANES]
            start = (position * n_states + state) * LANES
            earlier = before[start : start + LANES]
            for lane in range(LANES):
                found_longer = similarity[lane] * earlier[lane]
                level_sums[lane] += found_longer
                earlier[lane] = decay * earlier[lane] + along[lane]
                along[lane] = decay * along[lane] + found[lane]
                found[lane] = found_longer


@compiled
def weigh(max_length, weights, sums, totals):  # type: ignore[no-untyped-def]
    for lane in range(LANES):
        total = np.float32(0)
        for level in range(max_length):
            total += weights[level] * sums[level * LANES + lane]
        totals[lane] = total


simd: Any = _simd  # to a type checker, an intrinsic has the arguments of its generator

LARGEST_BLOCK = 1 << 22
"""Similarities of tokens that are held at a time: 16 MB, however long the sequences are."""

NO_NEIGHBOUR = 255
"""What stands for the nearest reference where all similarities are zero."""


def lanes_here() -> int:
    """Sequences side by side on this CPU: decides, with :class:`Batches`, which version of the kernel runs."""
    return simd.LANES if has_vector_registers() else LANES


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
    run = _self_kernel_loop(weights.size, batches.lanes == LANES)
    for first, last in _blocks(batches):
        sequences = batches.order[first * batches.lanes : last * batches.lanes]
        sequences = sequences[sequences >= 0]
        longest = int(batches.steps[last - 1])
        steps_a_stripe = longest if last > first + 1 else max(1, LARGEST_BLOCK // max(1, batches.lanes * longest))
        scratch = _aligned_floats((longest * weights.size + weights.size + 2) * batches.lanes)
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
        own = batches.lanes * steps * steps
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
    loop = _kernel_loop(weights.size, batches.lanes == LANES)
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


@cache
def _kernel_loop(max_length: int, is_portable: bool) -> Callable[..., None]:
    """The loop over batches and references, compiled for one ``max_length``.

    Only numbers may be closed over: Numba's cache on disk tells variants apart by them, but not by functions.
    """
    lanes = LANES if is_portable else simd.LANES

    @compiled
    def loop(  # type: ignore[no-untyped-def]
        first,
        last,
        tokens,
        starts,
        steps,
        order,
        table,
        table_width,
        reference_starts,
        reference_lengths,
        longest,
        decay,
        weights,
        scales,
        kernel,
        winners,
    ):
        n_references = reference_lengths.size
        scratch = _aligned_floats((longest * max_length + max_length + 2) * lanes)
        totals, scratch = scratch[:lanes], scratch[2 * lanes :]
        sums, scratch = scratch[: max_length * lanes], scratch[max_length * lanes :]
        column, before = scratch[: longest * lanes], scratch[longest * lanes :]
        best = np.empty(lanes, np.float64)
        winner = np.empty(lanes, np.uint8)
        for batch in range(first, last):
            best[:] = 0
            winner[:] = NO_NEIGHBOUR
            for reference in range(n_references):
                n_positions = reference_lengths[reference]
                sums[:] = 0
                for step in range(steps[batch]):
                    place = starts[batch] + step * lanes
                    is_last = step == steps[batch] - 1
                    if is_portable:
                        load_column(n_positions, table, reference_starts[reference], table_width, tokens, place, column)
                        advance(max_length, step, is_last, n_positions, column, before, sums, decay)
                    else:
                        simd.load_column(n_positions, table, reference_starts[reference], table_width, tokens, place, column)
                        simd.advance(max_length, step, is_last, n_positions, column, before, sums, decay)
                if is_portable:
                    weigh(max_length, weights, sums, totals)
                else:
                    simd.weigh(max_length, weights, sums, totals)
                if winners.size:
                    for lane in range(lanes):
                        scaled = totals[lane] * scales[reference]
                        if scaled > best[lane]:
                            best[lane] = scaled
                            winner[lane] = reference
                else:
                    for lane in range(lanes):
                        sequence = order[batch * lanes + lane]
                        if sequence >= 0:
                            kernel[sequence, reference] = totals[lane]
            if winners.size:
                for lane in range(lanes):
                    sequence = order[batch * lanes + lane]
                    if sequence >= 0:
                        winners[sequence] = winner[lane]

    return loop


@cache
def _self_kernel_loop(max_length: int, is_portable: bool) -> Callable[..., None]:
    """The loop over batches in which each lane is compared with itself."""
    lanes = LANES if is_portable else simd.LANES

    @compiled
    def loop(  # type: ignore[no-untyped-def]
        first, last, first_step, after, order, steps, longest, lengths, within, decay, weights, scratch, result
    ):
        """Steps ``first_step`` to ``after``; ``scratch`` holds what goes on from one stripe of a batch to the next."""
        totals, scratch = scratch[:lanes], scratch[2 * lanes :]
        sums, scratch = scratch[: max_length * lanes], scratch[max_length * lanes :]
        column, before = scratch[: longest * lanes], scratch[longest * lanes :]
        lane_starts = np.zeros(lanes, np.int64)
        block_start = 0
        for batch in range(first, last):
            n_steps = steps[batch]
            for lane in range(lanes):
                lane_starts[lane] = block_start
                sequence = order[batch * lanes + lane]
                if sequence >= 0:
                    length = lengths[sequence]
                    block_start += max(0, min(after, length) - first_step) * length
            if first_step == 0:
                sums[:] = 0
            for step in range(first_step, min(after, n_steps)):
                for lane in range(lanes):
                    sequence = order[batch * lanes + lane]
                    length = lengths[sequence] if sequence >= 0 else 0
                    for position in range(n_steps):
                        inside = step < length and position < length
                        place = lane_starts[lane] + (step - first_step) * length + position
                        column[position * lanes + lane] = within[place] if inside else np.float32(0)
                is_last = step == n_steps - 1
                if is_portable:
                    advance(max_length, step, is_last, n_steps, column, before, sums, decay)
                else:
                    simd.advance(max_length, step, is_last, n_steps, column, before, sums, decay)
            if after < n_steps:
                continue
            if is_portable:
                weigh(max_length, weights, sums, totals)
            else:
                simd.weigh(max_length, weights, sums, totals)
            for lane in range(lanes):
                sequence = order[batch * lanes + lane]
                if sequence >= 0:
                    result[sequence] = totals[lane]

    return loop


@compiled
def _aligned_floats(size):  # type: ignore[no-untyped-def]
    """Uninitialised floats that begin on a cache line."""
    floats = np.empty(size + 16, np.float32)
    start = (64 - floats.ctypes.data % 64) % 64 // 4
    return floats[start : start + size]
