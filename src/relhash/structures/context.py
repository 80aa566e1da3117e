"""A path in its context: its words with what modifies them, what governs both ends, and the words that a parser collapsed.

*Ras did not bind to the domain of Raf* has the path *bind domain*; with its context it reads *did not bind to domain of*.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from relhash.language.cues import NEGATIONS
from relhash.structures.graph import DependencyPath
from relhash.structures.scene import Scene
from relhash.structures.symbols import edge_down, edge_label, leads_down, leads_up
from relhash.structures.walk import walk

_MODIFIERS = frozenset({"neg", "aux", "auxpass", "aux:pass", "prt", "compound:prt", "prep", "case", "preconj", "agent"})
_MODIFYING_EDGES = frozenset(map(edge_down, _MODIFIERS))
_EDGES_TO_NEGATIONS = frozenset(map(edge_down, ("det", "advmod")))


class InContext(NamedTuple):
    """A token of the sentence; or, with a ``word``, a preposition or conjunction that stands before it and that a collapsed
    dependency has swallowed. ``is_above`` marks what governs the whole path."""

    token: int
    word: str = ""
    is_above: bool = False

    def shown(self, scene: Scene) -> str:
        """How it shows in a sequence of ``scene``."""
        return self.word or scene.shown_as(self.token)


def in_context(scene: Scene, path: DependencyPath) -> list[InContext]:
    """A path between its two ends, which are left out, in the order of the walk; modifiers stand on their side of a word."""
    start, end = path.tokens[0], path.tokens[-1]
    on_path = set(path.tokens)
    found = list(_above(scene, start, on_path)) if all(map(leads_down, path.edges)) else []
    found += _with_modifiers(scene, start, on_path, show=False)
    before = start
    for stop in walk(scene, path):
        found += _swallowed(stop.edge, before if leads_up(stop.edge) else stop.token)
        found += _with_modifiers(scene, stop.token, on_path, show=not stop.inside and stop.token != end)
        before = stop.token
    if all(map(leads_up, path.edges)):
        found += _above(scene, end, on_path)
    return found


def _with_modifiers(scene: Scene, token: int, on_path: set[int], *, show: bool) -> list[InContext]:
    modifiers = [
        other
        for other, edge in scene.stage.graph.steps[token].items()  # from left to right
        if other not in on_path
        and (edge in _MODIFYING_EDGES or (edge in _EDGES_TO_NEGATIONS and scene.shown_as(other) in NEGATIONS))
    ]
    if not modifiers:
        return [InContext(token)] if show else []
    left = [InContext(other) for other in modifiers if other < token]
    right = [InContext(other) for other in modifiers if other > token]
    return [*left, InContext(token), *right] if show else [*left, *right]


def _above(scene: Scene, token: int, on_path: set[int]) -> Iterator[InContext]:
    """What governs a participant that itself governs the other: of *interaction between A and B*, the interaction."""
    for other, edge in scene.stage.graph.steps[token].items():
        if leads_up(edge) and other not in on_path:
            yield InContext(other, is_above=True)
            yield from (item._replace(is_above=True) for item in _swallowed(edge, token))


def _swallowed(edge: str, dependent: int) -> list[InContext]:
    """The words that a collapsed dependency stands for: ``prep_on_behalf_of`` for *on behalf of*."""
    return [InContext(dependent, word) for word in _words_of(edge)]


@lru_cache(maxsize=4096)
def _words_of(edge: str) -> tuple[str, ...]:
    label = edge_label(edge)
    if label == "agent":
        return ("by",)
    if label.startswith(("prep_", "prepc_", "conj_", "nmod:", "obl:")):
        word = label.replace(":", "_").split("_", 1)[1]
        if word not in ("poss", "tmod", "npmod"):
            return tuple(word.split("_"))
    return ()
