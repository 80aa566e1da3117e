"""Where the nodes of a network stand in a picture: the same network always looks the same.

Each connected part is laid out by forces (Fruchterman and Reingold 1991: neighbours attract, all repel) from a fixed start;
then the parts are put side by side, large ones first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

Floats = NDArray[np.float64]
EDGE = 80.0
"""The length that an edge would like to have, in pixels."""
PULL = 0.04
"""How strongly everything is drawn to the middle, so that chains do not run off."""
STEPS = 300
MARGIN = 23.0
"""Room above and below a node, for its label."""


def layout(widths: Sequence[float], edges: Sequence[tuple[int, int]]) -> tuple[Floats, float, float]:
    """Positions of the nodes, and width and height of the picture.

    Parameters
    ----------
    widths
        How wide the label of each node is, in pixels: room is left for it.
    edges
        Pairs of node numbers.

    >>> positions, width, height = layout([40, 40], [(0, 1)])
    >>> round(float(np.linalg.norm(positions[0] - positions[1]))), bool((positions > 0).all())
    (79, True)
    """
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
        placed = _by_forces(members.size, own)
        side = np.column_stack([room[members] + 6, np.full(members.size, MARGIN)])
        low = (placed - side).min(axis=0)
        positions[members] = placed - low
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
