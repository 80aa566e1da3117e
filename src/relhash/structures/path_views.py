"""Views along the dependency path: its words, with the dependencies walked, or with what modifies them."""

from __future__ import annotations

from collections.abc import Callable

from relhash.structures.context import in_context
from relhash.structures.graph import Connection, DependencyPath
from relhash.structures.scene import Scene
from relhash.structures.view import SequenceView
from relhash.structures.walk import tokens_and_edges_on, tokens_on
from relhash.structures.windowing import windowed


def _path(scene: Scene) -> list[str]:
    return _along(scene, tokens_on)


def _with_edges(scene: Scene) -> list[str]:
    return _along(scene, tokens_and_edges_on)


def _with_context(scene: Scene) -> list[str]:
    return _along(scene, lambda scene, path: [item.shown(scene) for item in in_context(scene, path)])


def _along(scene: Scene, inner: Callable[[Scene, DependencyPath], list[str]]) -> list[str]:
    """Participants with, between each and the next, what ``inner`` makes of the path, or a flag and the words between."""
    sequence = scene.symbols[:1]
    for number, path in enumerate(scene.paths):
        if path.connection is Connection.PATH:
            sequence += windowed(inner(scene, path), scene.warn_of_window)
        else:
            sequence += [*tokens_on(scene, path), *scene.between[number]]
        sequence.append(scene.symbols[number + 1])
    return sequence


PATH = SequenceView("path", _path, needs_parse=True)
PATH_WITH_EDGES = SequenceView("path+edges", _with_edges, needs_parse=True)
PATH_WITH_CONTEXT = SequenceView("path+context", _with_context, needs_parse=True)
