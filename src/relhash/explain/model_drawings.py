"""Pictures of a model as inline SVG: calibration, the learner's trace, redundancy of bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.explain.model_view import Calibrated

WIDTH, HEIGHT, EDGE = 640, 300, 46
CELL = 11
FAINT = 0.05
"""Correlations below are left white."""


def draw_calibration(bins: Sequence[Calibrated]) -> str:
    """The share of relations against the stated probability, larger dots for more candidates; the diagonal is perfect."""
    side = HEIGHT - 2 * EDGE
    largest = max((one.n for one in bins), default=1)

    def place(x: float, y: float) -> tuple[float, float]:
        return EDGE + side * x, HEIGHT - EDGE - side * y

    ticks = "".join(
        f'<text x="{place(t, 0)[0]:.0f}" y="{HEIGHT - EDGE + 18}" text-anchor="middle">{t:g}</text>'
        f'<text x="{EDGE - 8}" y="{place(0, t)[1] + 4:.0f}" text-anchor="end">{t:g}</text>'
        for t in (0, 0.5, 1)
    )
    (x0, y0), (x1, y1) = place(0, 0), place(1, 1)
    frame = f'<path class="grid" fill="none" d="M{x0},{y0}H{x1}V{y1}H{x0}Z"/><path class="guess" d="M{x0},{y0}L{x1},{y1}"/>'
    dots = ""
    for one in bins:
        x, y = place(one.probability, one.right)
        at = f'cx="{x:.1f}" cy="{y:.1f}" r="{3 + 6 * (one.n / largest) ** 0.5:.1f}"'
        dots += f'<circle class="point" style="fill:var(--series-1)" {at}><title>{one.n} candidates</title></circle>'
    width = side + 2 * EDGE
    return f'<svg class="small" viewBox="0 0 {width} {HEIGHT}" role="img" aria-label="Calibration">{frame}{ticks}{dots}</svg>'


def draw_trace(trace: Mapping[str, Any]) -> str:
    """The objective of each trial; functions that did not stay are hollow."""
    values = np.array(trace["objective"], np.float64)
    gone = {*trace["rejected"], *trace["deleted"]}
    low, high = float(values.min()), float(values.max())
    span = (high - low) or 1.0
    step = (WIDTH - 2 * EDGE) / max(values.size - 1, 1)
    dots = "".join(
        f'<circle class="{"gone" if trial in gone else "kept"}" cx="{EDGE + step * trial:.1f}" '
        f'cy="{HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (value - low) / span:.1f}" r="3"/>'
        for trial, value in enumerate(values.tolist())
    )
    labels = (
        f'<text x="{EDGE - 6}" y="{HEIGHT - EDGE + 4}" text-anchor="end">{low:.2f}</text>'
        f'<text x="{EDGE - 6}" y="{EDGE + 4}" text-anchor="end">{high:.2f}</text>'
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">trial</text>'
    )
    line = f'<path class="grid" d="M{EDGE},{HEIGHT - EDGE}H{WIDTH - EDGE}"/>'
    start = f'<svg class="trace" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Learning trace">'
    return f"{start}{line}{dots}{labels}</svg>"


def draw_redundancy(matrix: NDArray[np.float64]) -> str:
    """One square per pair of bits, the darker the more they say the same."""
    n = len(matrix)
    size = f'width="{CELL}" height="{CELL}"'
    cells = "".join(
        f'<rect x="{CELL * column}" y="{CELL * row}" {size} fill-opacity="{min(matrix[row, column], 1):.2f}"/>'
        for row in range(n)
        for column in range(row + 1)
        if matrix[row, column] >= FAINT
    )
    return f'<svg class="heat" viewBox="0 0 {CELL * n} {CELL * n}" role="img" aria-label="Redundancy of bits">{cells}</svg>'
