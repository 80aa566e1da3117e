"""A dependency path as a small SVG: who governs stands higher, so that the path climbs to its top word and comes down again."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from relhash.structures.evidence import Station

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
