"""The steps of the path kernel in plain Numba: the fallback for unusual CPUs, and the cross-check of the fast version.

Sequences stand side by side in 32 lanes and the loops over lanes are left to the compiler's vectoriser, which does well
enough with that many. The functions mean the same as those of :mod:`relhash.kernels.simd`, which explains the recurrence.
"""

from __future__ import annotations

import numpy as np

from relhash.compilation import compiled

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
