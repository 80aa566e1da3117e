"""Facts as a network, entities its nodes and facts its edges: as data, as rows, and as a picture (SVG) in a page or alone.

The same network always looks the same. Each connected part is laid out by forces (Fruchterman and Reingold 1991: neighbours
attract, all repel) from a fixed start; then the parts are put side by side, large ones first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from relhash.show.facts.merging import Entity, Fact
from relhash.visible import shown

FACT_COLUMNS = (
    "entity1", "type1", "ids1", "entity2", "type2", "ids2", "relation", "directed", "belief", "sentences", "documents",
    "negated", "speculative", "best_probability", "best_document", "best_sentence", "names1", "names2",
)  # fmt: skip
"""Columns of a table of facts, in this order; JSON also has all ``sources``."""
OF_SOURCES = ("document", "marked", "probability", "assertion", "evidence")


def fact_row(fact: Fact) -> dict[str, Any]:
    """One row. ``sentences`` counts all, those that deny the relation or think it likely among them."""
    best = fact.sources[0]
    return {
        **{f"{'entity' if name == 'name' else name}1": value for name, value in node_data(fact.first).items()},
        **{f"{'entity' if name == 'name' else name}2": value for name, value in node_data(fact.second).items()},
        "relation": fact.relation,
        "directed": fact.is_directed,
        "belief": round(fact.belief, 4),
        "sentences": len(fact.sources),
        "documents": fact.documents,
        "negated": fact.count("negated"),
        "speculative": fact.count("speculative"),
        "best_probability": best.probability,
        "best_document": best.document,
        "best_sentence": best.marked,
        "sources": [{name: getattr(one, name) for name in OF_SOURCES} for one in fact.sources],
    }


EDGE_COLUMNS = (
    "directed", "belief", "sentences", "documents", "negated", "speculative", "best_sentence", "best_document",
)  # fmt: skip
"""Columns of a table that are also said of an edge."""


@dataclass(frozen=True)
class FactNetwork:
    """Nodes in the order in which facts name them, and for each fact the numbers of its two nodes."""

    nodes: tuple[Entity, ...]
    edges: tuple[tuple[int, int, Fact], ...]


def network_of(facts: Sequence[Fact]) -> FactNetwork:
    """The network of the facts."""
    numbers: dict[object, int] = {}
    nodes: list[Entity] = []
    for fact in facts:
        for entity in (fact.first, fact.second):
            if entity.key not in numbers:
                numbers[entity.key] = len(nodes)
                nodes.append(entity)
    return FactNetwork(tuple(nodes), tuple((numbers[fact.first.key], numbers[fact.second.key], fact) for fact in facts))


def node_data(entity: Entity) -> dict[str, Any]:
    """What a network file says of a node."""
    return {"name": entity.name, "type": entity.type, "ids": ";".join(entity.ids), "names": "; ".join(entity.names)}


def edge_data(fact: Fact) -> dict[str, Any]:
    """What a network file says of an edge."""
    row = fact_row(fact)
    return {"interaction": fact.relation, **{name: row[name] for name in EDGE_COLUMNS}}


Floats = NDArray[np.float64]
EDGE = 80.0
"""The length that an edge would like to have, in pixels."""
PULL = 0.04
"""How strongly everything is drawn to the middle, so that chains do not run off."""
STEPS = 300
ABOVE, BELOW, BESIDE = 22.0, 8.0, 6.0
"""Room above a node, for its label, below it, and beside the label."""


def layout(widths: Sequence[float], edges: Sequence[tuple[int, int]]) -> tuple[Floats, float, float]:
    """Positions of the nodes, and width and height of the picture; ``widths`` are those of the labels, in pixels."""
    n = len(widths)
    if not n:
        return np.zeros((0, 2)), 0.0, 0.0
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    graph = coo_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n))
    of = connected_components(graph, directed=False)[1]
    positions, room = np.zeros((n, 2)), np.asarray(widths, dtype=np.float64) / 2
    boxes: list[tuple[NDArray[np.int64], Floats]] = []
    for part in range(int(of.max()) + 1):
        members = np.flatnonzero(of == part)
        own = np.searchsorted(members, ends[np.isin(ends[:, 0], members)])
        side = np.column_stack([room[members] + BESIDE, np.full(members.size, (ABOVE + BELOW) / 2)])
        placed = _apart(_by_forces(members.size, own), side)
        low = (placed - side).min(axis=0)
        positions[members] = placed - low + (0, (ABOVE - BELOW) / 2)  # a node stands in the lower half of its box
        boxes.append((members, (placed + side).max(axis=0) - low))
    return _packed(positions, boxes)


def _by_forces(n: int, edges: NDArray[np.int64]) -> Floats:
    """The positions of one connected part, its longer side lying flat."""
    # a spiral: no two nodes at one place, no chance involved
    turn = np.arange(n) * np.pi * (3 - 5**0.5)
    place = EDGE * np.sqrt(np.arange(n) + 0.5)[:, None] * np.column_stack([np.cos(turn), np.sin(turn)]) / 2
    weights = np.zeros((n, n))
    weights[edges[:, 0], edges[:, 1]] = weights[edges[:, 1], edges[:, 0]] = 1
    np.fill_diagonal(weights, 0)
    for step in range(STEPS):
        apart = place[:, None] - place[None]
        distance = np.maximum(np.linalg.norm(apart, axis=2), 1.0)
        force = (EDGE / distance) ** 2 - weights * distance / EDGE
        np.fill_diagonal(force, 0)
        moved = (apart * force[:, :, None]).sum(axis=1) - PULL * n**0.5 * (place - place.mean(axis=0))
        length = np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-9)
        place += moved / length * np.minimum(length, EDGE * (1 - step / STEPS) ** 1.5)
    place -= place.mean(axis=0)
    if n > 1:
        axes = np.linalg.svd(place, full_matrices=False)[2]
        place = place @ (axes * np.where(axes.sum(axis=1, keepdims=True) < 0, -1, 1)).T
    return place


def _apart(place: Floats, side: Floats) -> Floats:
    """The same nodes, moved until the boxes around them and their labels are apart; each pair the shorter way."""
    room = side[:, None] + side[None]
    first = np.sign(np.arange(len(place))[:, None] - np.arange(len(place)))  # of two at one place the later goes on
    for _ in range(STEPS):
        apart = place[:, None] - place[None]
        over = room - np.abs(apart)
        hit = (over > 0).all(axis=2) & (first != 0)
        if not hit.any():
            break
        way = np.where(apart == 0, first[:, :, None], np.sign(apart)) * (over / 2 + 0.5) * hit[:, :, None]
        place = place + np.where(np.arange(2) == over.argmin(axis=2)[:, :, None], way, 0).sum(axis=1)
    return place


def _packed(positions: Floats, boxes: list[tuple[NDArray[np.int64], Floats]]) -> tuple[Floats, float, float]:
    """The parts beside each other without overlap: each as high up, then as far left, as there is room."""
    boxes = sorted(boxes, key=lambda box: (-float(box[1].prod()), int(box[0][0])))
    area = sum(float(size.prod()) for _, size in boxes)
    widest = max(float(max(size[0] for _, size in boxes)), 1.6 * area**0.5)
    taken: list[tuple[float, float, float, float]] = []  # left, top, right, bottom
    for members, size in boxes:
        wide, high = map(float, size)
        corners = [(0.0, 0.0)]
        for left, top, right, bottom in taken:
            corners += [(right, top), (left, bottom), (right, 0.0), (0.0, bottom)]
        x, y = min(
            (corner for corner in corners if corner[0] + wide <= widest + 1e-6 and not _hits(corner, wide, high, taken)),
            key=lambda corner: (corner[1], corner[0]),
        )
        taken.append((x, y, x + wide, y + high))
        positions[members] += (x, y)
    return positions, max(box[2] for box in taken), max(box[3] for box in taken)


def _hits(corner: tuple[float, float], wide: float, high: float, taken: list[tuple[float, float, float, float]]) -> bool:
    x, y = corner
    return any(
        x < right - 1e-6 and left < x + wide - 1e-6 and y < bottom - 1e-6 and top < y + high - 1e-6
        for left, top, right, bottom in taken
    )


MOST_EDGES = 75
"""Facts that a picture can show; more are a ball of wool."""
LONGEST_LABEL = 22
RADIUS = 5.0
LETTER = 7.4
"""Width of a letter, about."""


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
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}"/><text x="{x:.1f}" y="{y - 9:.1f}">{shown(label)}</text></g>'
        for entity, label, (x, y) in zip(network.nodes, labels, place.tolist(), strict=True)
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


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1] + "…"
