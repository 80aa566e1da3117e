"""Pictures inside pages: a dependency path as SVG, everything that has axes by matplotlib.

Of a path, who governs stands higher, so that it climbs to its top word and comes down again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from relhash.candidates.evidence import Station
from relhash.show.model_view import Calibrated
from relhash.show.pages import as_image
from relhash.show.plots import COLOURS, dress, new_figure
from relhash.visible import visible

Curve = Sequence[tuple[float, float]]
EQUAL_F1 = (0.2, 0.4, 0.6, 0.8)


def draw_curves(series: Mapping[str, tuple[Curve, tuple[float, float]]], positive_rate: float | None = None) -> Markup:
    """Precision against recall: the curve of each system, recall rising, and the point that it chose."""
    figure, (axis,) = new_figure(1)
    for f1 in EQUAL_F1:
        recall = np.linspace(f1 / (2 - f1), 1, 41)
        axis.plot(recall, f1 * recall / (2 * recall - f1), color="#bbbbbb", linewidth=0.7, linestyle=":")
    if positive_rate is not None:
        axis.axhline(positive_rate, color=COLOURS[7], linewidth=0.8, linestyle="--")
    for number, (name, (curve, chosen)) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = np.array(curve)[:: max(1, len(curve) // 1000)]
        axis.step(points[:, 0], points[:, 1], where="post", color=colour, linewidth=1.4, label=visible(name))
        axis.plot(*chosen, marker="o", markersize=6, color=colour, label="_")
    axis.set(xlim=(0, 1.01), ylim=(0, 1.02))
    dress(axis, "", "recall", "precision")
    if len(series) > 1:
        axis.legend(frameon=False, fontsize=8)
    return as_image(figure, "Precision against recall of each system")


def draw_calibration(bins: Sequence[Calibrated]) -> Markup:
    """The share of relations against the stated probability, larger dots for more candidates; the diagonal is perfect."""
    figure, (axis,) = new_figure(1, height=3)
    axis.plot([0, 1], [0, 1], color=COLOURS[7], linewidth=1, linestyle="--")
    largest = max((one.n for one in bins), default=1)
    sizes = [10 + 120 * one.n / largest for one in bins]
    axis.scatter([one.probability for one in bins], [one.right for one in bins], s=sizes, color=COLOURS[0])
    axis.set(xlim=(0, 1), ylim=(0, 1.02))
    dress(axis, "", "probability", "share related")
    return as_image(figure, "Calibration")


def draw_trace(trace: Mapping[str, Any]) -> Markup:
    """The objective of each trial; functions that did not stay are hollow."""
    figure, (axis,) = new_figure(1, height=3)
    values = np.array(trace["objective"], np.float64)
    trials = np.arange(values.size)
    kept = ~np.isin(trials, [*trace["rejected"], *trace["deleted"]])
    axis.scatter(trials[kept], values[kept], s=9, color=COLOURS[0])
    axis.scatter(trials[~kept], values[~kept], s=9, facecolors="none", edgecolors=COLOURS[7])
    dress(axis, "", "trial", "objective")
    return as_image(figure, "Learning trace")


def draw_redundancy(matrix: NDArray[np.float64]) -> Markup:
    """One square per pair of bits, the darker the more they say the same."""
    figure, (axis,) = new_figure(1, height=3.4)
    axis.pcolormesh(np.tril(matrix), cmap="Greys", vmin=0, vmax=1)
    axis.set(aspect="equal")
    axis.invert_yaxis()
    axis.axis("off")
    return as_image(figure, "Redundancy of bits")


STATION_HEIGHT, LEVEL, MARGIN, PADDING = 26, 34, 4, 9
CAPITAL, SMALL, EDGE = 9.6, 7.8, 6.4
"""Widths to reserve for a capital or figure, another character, and a character of an edge label; generous: fonts differ."""


def draw_path(path: Sequence[Station]) -> Markup:
    """Draw the stations of a path from left to right, joined by arrows from governor to dependent."""
    stations, edges = path[::2], path[1::2]
    heights = [0]
    for edge in edges:
        heights.append(heights[-1] + (1 if edge.kind == "up" else -1))
    top = max(heights)
    gaps = [max(34.0, len(edge.text) * EDGE + 22) for edge in edges]
    widths = [max(24.0, _text_width(station.text) + 2 * PADDING) for station in stations]
    lefts = [float(MARGIN)]
    for width, gap in zip(widths, gaps, strict=False):
        lefts.append(lefts[-1] + width + gap)
    tops = [MARGIN + (top - height) * LEVEL for height in heights]
    total_width = lefts[-1] + widths[-1] + MARGIN
    total_height = max(tops) + STATION_HEIGHT + MARGIN
    parts = [
        f'<svg width="{total_width:.0f}" height="{total_height}" viewBox="0 0 {total_width:.0f} {total_height}" role="img" '
        f'aria-label="{_shown(_spoken(path))}">',
    ]
    for number, edge in enumerate(edges):
        start = (lefts[number] + widths[number] + 2, tops[number] + STATION_HEIGHT / 2)
        end = (lefts[number + 1] - 2, tops[number + 1] + STATION_HEIGHT / 2)
        parts.append(_arrow(start, end, edge))
    for station, left, width, y in zip(stations, lefts, widths, tops, strict=True):
        parts.append(
            f'<g class="station {station.kind}">'
            f'<rect x="{left:.1f}" y="{y}" width="{width:.1f}" height="{STATION_HEIGHT}" rx="6"/>'
            f'<text x="{left + width / 2:.1f}" y="{y + 17.5}">{_shown(station.text)}</text></g>'
        )
    return Markup("".join([*parts, "</svg>"]))


def _arrow(start: tuple[float, float], end: tuple[float, float], edge: Station) -> str:
    """From the governor (the higher one) to the dependent, with the label beside the line."""
    source, target = (end, start) if edge.kind == "up" else (start, end)
    middle = (start[0] + end[0]) / 2
    points = (source, (middle, source[1]), (middle, target[1]), target)
    begin, *bend = (f"{x:.1f},{y:.1f}" for x, y in points)
    head = 7 if edge.kind == "up" else -7  # lines end level, so the arrowhead lies flat
    # left of a climbing line, right of a falling one: the label sits in the free corner above
    x = middle - 9 if edge.kind == "up" else middle + 9
    y = min(start[1], end[1]) - 3
    return (
        f'<g class="edge"><path d="M{begin}C{" ".join(bend)}"/><path class="head" d="M{bend[-1]}l{head},-3.5v7z"/>'
        f'<text x="{x:.1f}" y="{y:.1f}">{_shown(edge.text)}</text></g>'
    )


def _text_width(text: str) -> float:
    return sum(CAPITAL if character.isupper() or character.isdigit() else SMALL for character in text)


def _spoken(path: Sequence[Station]) -> str:
    arrows = {"up": "←{}", "down": "{}→"}
    return " ".join(arrows.get(station.kind, "{}").format(station.text) for station in path)


def _shown(text: str) -> str:
    return escape(visible(text))
