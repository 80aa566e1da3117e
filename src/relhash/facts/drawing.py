"""The network of facts as a picture (SVG) that stands in a page, or alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relhash.facts.layout import layout
from relhash.facts.merging import Fact
from relhash.facts.network import network_of
from relhash.models.tables.page import shown

MOST_EDGES = 75
"""Facts that a picture can show; more are a ball of wool."""
LONGEST_LABEL = 22
RADIUS = 5.0
LETTER = 6.6
"""Width of a letter, about."""
ABOVE, BELOW = -9.0, 18.0


def draw_network(facts: Sequence[Fact], link: str | None = "pair-", style: str = "") -> str:
    """The first facts as a network; an edge leads to the row ``#pair-0`` of its fact, and says on hovering what it is.

    Without a ``link`` and with a ``style`` it is a picture that stands alone.

    The surer a fact, the thicker its edge. It is dashed where no sentence states it plainly, and red where sentences deny it.
    """
    drawn = facts[:MOST_EDGES]
    network = network_of(drawn)
    labels = [_short(entity.name) for entity in network.nodes]
    place, width, height = layout([LETTER * len(label) for label in labels], [(a, b) for a, b, _ in network.edges])
    lines, used = [], dict.fromkeys((edge[:2] for edge in network.edges), 0)
    for number, (one, two, fact) in enumerate(network.edges):
        used[one, two] += 1
        shape = _edge(place[one], place[two], 3.5 * (used[one, two] - 1), fact)
        arrow = "→" if fact.is_directed else "–"
        words = f"{fact.first.name} {arrow} {fact.second.name}: {fact.relation}, belief {fact.belief:.2f}"
        start, end = ("<g>", "</g>") if link is None else (f'<a href="#{link}{number}">', "</a>")
        lines.append(f"{start}<title>{shown(words)}</title>{shape}{end}")
    nodes = [
        f"<g><title>{shown(' · '.join(filter(None, (entity.name, entity.type, ';'.join(entity.ids)))))}</title>"
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}"/><text x="{x:.1f}" y="{y + down:.1f}">{shown(label)}</text></g>'
        for entity, label, (x, y), down in zip(network.nodes, labels, place.tolist(), _sides(labels, place), strict=True)
    ]
    head = (
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>'
    )
    box = f'viewBox="0 0 {width:.0f} {height + 8:.0f}" width="{width:.0f}" height="{height + 8:.0f}"'
    alone = 'xmlns="http://www.w3.org/2000/svg" ' if style else ""
    head += f"<style>{style}</style>" if style else ""
    return f'<svg {alone}{box} role="img" aria-label="network of the pairs">{head}\n' + "\n".join([*lines, *nodes]) + "\n</svg>"


def _edge(start: np.ndarray, end: np.ndarray, aside: float, fact: Fact) -> str:
    kinds = [] if fact.count("asserted") else ["doubtful"]
    kinds += ["denied"] if fact.count("negated") else []
    style = f'stroke-width="{1 + 3 * fact.belief:.1f}" opacity="{0.35 + 0.6 * fact.belief:.2f}"'
    if fact.first.key == fact.second.key:
        x, y = start
        return f'<path {style} class="{" ".join(["loop", *kinds])}" d="M{x:.1f} {y:.1f}c16 4 16 22 0 20c-16 2 -16 -16 0 -20"/>'
    style += f' class="{" ".join(kinds)}"' if kinds else ""
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
    across = np.array([-along[1], along[0]]) * aside
    (x1, y1), (x2, y2) = start + across, end + across - along * (RADIUS + 2 if fact.is_directed else 0)
    marker = ' marker-end="url(#head)"' if fact.is_directed else ""
    return f'<line {style}{marker} x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _sides(labels: Sequence[str], place: np.ndarray) -> list[float]:
    """How far below its node each label stands: above it (negative), unless that would cover a label that is there already."""
    taken: list[tuple[float, float, float]] = []
    sides = []
    for label, (x, y) in zip(labels, place.tolist(), strict=True):
        half = LETTER * len(label) / 2

        def is_free(at: float, x: float = x, half: float = half) -> bool:
            return all(abs(x - other) > half + width or abs(at - height) > 12 for other, height, width in taken)

        side = ABOVE if is_free(y + ABOVE) or not is_free(y + BELOW) else BELOW
        taken.append((x, y + side, half))
        sides.append(side)
    return sides


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1] + "…"
