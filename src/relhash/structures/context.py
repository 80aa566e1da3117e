"""A path in its context: its words with what modifies them, what governs both ends, and the words that a parser collapsed.

*Ras did not bind to the domain of Raf* has the path *bind domain*; with its context it reads *did not bind to domain of*.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from relhash.language.cues import NEGATIONS
from relhash.structures.graph import DependencyPath
from relhash.structures.scene import Scene
from relhash.structures.symbols import edge_label, leads_down, leads_up
from relhash.structures.walk import walk

__all__ = ["InContext", "in_context"]

_MODIFIERS = frozenset({"neg", "aux", "auxpass", "aux:pass", "prt", "compound:prt", "prep", "case", "preconj", "agent"})


class InContext(NamedTuple):
    """A token of the sentence; or, with a ``word``, a preposition or conjunction that stands before it and that a collapsed
    dependency has swallowed. ``is_above`` marks what governs the whole path."""

    token: int
    word: str = ""
    is_above: bool = False

    def shown(self, scene: Scene) -> str:
        """How it shows in a sequence of ``scene``."""
        return self.word or scene.shown_as(self.token)


def in_context(scene: Scene, path: DependencyPath) -> Iterator[InContext]:
    """A path between its two ends, which are left out, in the order of the walk; modifiers stand on their side of a word."""
    start, end = path.tokens[0], path.tokens[-1]
    on_path = set(path.tokens)
    if all(map(leads_down, path.edges)):
        yield from _above(scene, start, on_path)
    yield from _with_modifiers(scene, start, on_path, show=False)
    before = start
    for stop in walk(scene, path):
        yield from _swallowed(stop.edge, before if leads_up(stop.edge) else stop.token)
        yield from _with_modifiers(scene, stop.token, on_path, show=not stop.inside and stop.token != end)
        before = stop.token
    if all(map(leads_up, path.edges)):
        yield from _above(scene, end, on_path)


def _with_modifiers(scene: Scene, token: int, on_path: set[int], *, show: bool) -> Iterator[InContext]:
    modifiers = sorted(
        other
        for other, edge in scene.stage.graph.steps[token].items()
        if other not in on_path and leads_down(edge) and _modifies(edge_label(edge), scene.shown_as(other))
    )
    yield from (InContext(other) for other in modifiers if other < token)
    if show:
        yield InContext(token)
    yield from (InContext(other) for other in modifiers if other > token)


def _above(scene: Scene, token: int, on_path: set[int]) -> Iterator[InContext]:
    """What governs a participant that itself governs the other: of *interaction between A and B*, the interaction."""
    for other, edge in scene.stage.graph.steps[token].items():
        if leads_up(edge) and other not in on_path:
            yield InContext(other, is_above=True)
            yield from (item._replace(is_above=True) for item in _swallowed(edge, token))


def _modifies(label: str, word: str) -> bool:
    return label in _MODIFIERS or (label in ("det", "advmod") and word in NEGATIONS)


def _swallowed(edge: str, dependent: int) -> Iterator[InContext]:
    """The words that a collapsed dependency stands for: ``prep_on_behalf_of`` for *on behalf of*."""
    label = edge_label(edge)
    if label == "agent":
        yield InContext(dependent, "by")
    elif label.startswith(("prep_", "prepc_", "conj_", "nmod:", "obl:")):
        word = label.replace(":", "_").split("_", 1)[1]
        if word not in ("poss", "tmod", "npmod"):
            yield from (InContext(dependent, part) for part in word.split("_"))
