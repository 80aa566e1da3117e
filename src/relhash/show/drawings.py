"""A dependency path as a small SVG: who governs stands higher, so that the path climbs to its top word and comes down again.

Precision-recall curves as inline SVG, coloured by the page's own style sheet so that they follow light and dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from relhash.candidates.evidence import Station

WIDTH, HEIGHT = 640, 420
LEFT, RIGHT, TOP, BOTTOM = 56, 52, 16, 50
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
EQUAL_F1 = (0.2, 0.4, 0.6, 0.8)

Curve = Sequence[tuple[float, float]]


def draw_curves(series: Iterable[tuple[Curve, tuple[float, float], str]], positive_rate: float | None = None) -> str:
    """Draw ``(curve, chosen point, colour)`` of each system; a curve is ``(recall, precision)`` with recall rising."""
    parts = [
        f'<svg class="curves" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Precision against recall of each system">',
        *_frame(),
        *(f'<path class="iso" d="{_line(_equal_f1(f1))}"/>' for f1 in EQUAL_F1),
        *(f'<text class="iso" x="{_x(1) + 5}" y="{_y(f1 / (2 - f1)) + 4:.1f}">F1 {f1}</text>' for f1 in EQUAL_F1),
    ]
    if positive_rate is not None:
        parts.append(f'<path class="guess" d="{_line([(0.0, positive_rate), (1.0, positive_rate)])}"/>')
    dots = []
    for curve, (recall, precision), colour in series:
        parts.append(f'<path class="curve" style="stroke:{colour}" d="{_line(_steps(_thinned(curve)))}"/>')
        dots.append(f'<circle class="point" style="fill:{colour}" cx="{_x(recall):.1f}" cy="{_y(precision):.1f}" r="6"/>')
    return "\n".join([*parts, *dots, "</svg>"])  # dots last, on top of all curves


def _frame() -> Iterator[str]:
    for tick in TICKS:
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{_y(tick):.1f}" y2="{_y(tick):.1f}"/>'
        yield f'<text x="{LEFT - 8}" y="{_y(tick) + 4:.1f}" text-anchor="end">{tick:.1f}</text>'
        yield f'<text x="{_x(tick):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{tick:.1f}</text>'
    yield f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">Recall</text>'
    middle = (TOP + HEIGHT - BOTTOM) / 2
    yield f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">Precision</text>'


def _equal_f1(f1: float) -> list[tuple[float, float]]:
    """Points of equal F1, from precision 1 down to recall 1."""
    lowest = f1 / (2 - f1)
    recalls = [lowest + (1 - lowest) * step / 40 for step in range(41)]
    return [(recall, f1 * recall / (2 * recall - f1)) for recall in recalls]


def _thinned(curve: Curve) -> list[tuple[float, float]]:
    """The curve at the resolution of the screen; a large test set has a point a candidate."""
    kept: list[tuple[float, float]] = []
    for recall, precision in curve:
        if not kept or abs(recall - kept[-1][0]) >= 0.002 or abs(precision - kept[-1][1]) >= 0.01:
            kept.append((recall, precision))
    if curve and kept[-1] != tuple(curve[-1]):
        kept.append((curve[-1][0], curve[-1][1]))
    return kept


def _steps(points: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Between two thresholds nothing is reachable: the curve goes in steps, not in straight lines."""
    previous: float | None = None
    for recall, precision in points:
        if previous is not None and recall != previous:
            yield previous, precision
        yield recall, precision
        previous = recall


def _line(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_x(x):.1f},{_y(y):.1f}" for x, y in points)


def _x(recall: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * recall


def _y(precision: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * precision


STATION_HEIGHT, LEVEL, MARGIN, PADDING = 26, 34, 4, 9
CAPITAL, SMALL, EDGE = 9.6, 7.8, 6.4
"""Widths to reserve for a capital or figure, another character, and a character of an edge label; generous: fonts differ."""


def draw_path(path: Sequence[Station]) -> str:
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
        f'aria-label="{escape(_spoken(path))}">',
    ]
    for number, edge in enumerate(edges):
        start = (lefts[number] + widths[number] + 2, tops[number] + STATION_HEIGHT / 2)
        end = (lefts[number + 1] - 2, tops[number + 1] + STATION_HEIGHT / 2)
        parts.append(_arrow(start, end, edge))
    for station, left, width, y in zip(stations, lefts, widths, tops, strict=True):
        parts.append(
            f'<g class="station {station.kind}">'
            f'<rect x="{left:.1f}" y="{y}" width="{width:.1f}" height="{STATION_HEIGHT}" rx="6"/>'
            f'<text x="{left + width / 2:.1f}" y="{y + 17.5}">{escape(station.text)}</text></g>'
        )
    return "".join([*parts, "</svg>"])


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
        f'<text x="{x:.1f}" y="{y:.1f}">{escape(edge.text)}</text></g>'
    )


def _text_width(text: str) -> float:
    return sum(CAPITAL if character.isupper() or character.isdigit() else SMALL for character in text)


def _spoken(path: Sequence[Station]) -> str:
    arrows = {"up": "←{}", "down": "{}→"}
    return " ".join(arrows.get(station.kind, "{}").format(station.text) for station in path)
