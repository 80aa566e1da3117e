"""Views: the sequence of labels that a candidate shows from one side.

=====================  ==============================================================================================
``path``               words on the shortest dependency path
``path+edges``         the same with the dependencies walked, ``<E1> <nsubj binds prep_to> <E2>``
``path+context``       the words with what modifies them (negation, auxiliaries, particles, prepositions), and with what
                       governs both where one participant governs the other: *interaction between A and B*
``between``            the words between the participants
``window(b,a)``        the same with ``b`` words before the first and ``a`` words after the last
``role(r)``            the path from the trigger of an interaction to the participant in role ``r``
``interaction``        all participants of an interaction in one sequence; see :mod:`relhash.structures.interactions.roles`
=====================  ==============================================================================================

Sequences run in surface order of the participants, who appear as their role symbols; other entities appear as type symbols, a
mention of several words as one. Where a parse has no path, the flag ``<SHARED>`` or ``<DISCONNECTED>`` and the words
between take its place. With more than two participants the path runs from each to the next.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from relhash.errors import ParameterError
from relhash.structures.candidates import Candidate
from relhash.structures.graph import Connection, DependencyPath
from relhash.structures.interactions.roles import interleaved, role_sequence
from relhash.structures.scene import Scene, scenes
from relhash.structures.symbols import DISCONNECTED, SHARED_TOKEN

__all__ = ["View", "view"]

_MODIFIERS = frozenset({"neg", "aux", "auxpass", "aux:pass", "prt", "compound:prt", "prep", "case", "preconj", "agent"})
_FLAGS = {Connection.SHARED_TOKEN: SHARED_TOKEN, Connection.DISCONNECTED: DISCONNECTED}


@dataclass(frozen=True, slots=True)
class View:
    """A named function from a candidate to its sequence of labels.

    Examples
    --------
    >>> from relhash.corpus import Document, Mention
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> view("between")(Candidate(Document("d", "Ras binds Raf", mentions=names), 0, names, ("e1", "e2")))
    ['<E1>', 'binds', '<E2>']
    """

    name: str
    needs_parse: bool
    sequence: Callable[[Scene], list[str]]
    """The function on a prepared scene; calling the view prepares one for a single candidate."""

    def __call__(self, candidate: Candidate, *, lemmas: bool = False) -> list[str]:
        (scene,) = scenes([candidate], lemmas=lemmas)
        return self.sequence(scene)


def view(name: str) -> View:
    """The view called ``name``, with its parameters in parentheses: ``"path+edges"``, ``"window(3,5)"``."""
    compact = name.replace(" ", "")
    if compact in _PATH_VIEWS:
        return View(name, True, _PATH_VIEWS[compact])
    if compact == "between":
        return View(name, False, _between)
    match = re.fullmatch(r"window\((\d+),(\d+)\)", compact)
    if match:
        return View(name, False, _window(int(match[1]), int(match[2])))
    by_role = role_sequence(compact)
    if by_role is not None:
        return View(name, True, by_role)
    known = ", ".join([*_PATH_VIEWS, "between", "window(before,after)", "role(name)", "interaction", "descriptors"])
    raise ParameterError(f"unknown view {name!r}; there are {known}")


def _path(scene: Scene) -> list[str]:
    return _along(scene, lambda path: scene.shown(path.tokens[1:-1]))


def _path_with_edges(scene: Scene) -> list[str]:
    return _along(scene, lambda path: list(interleaved(scene, path)))


def _path_with_context(scene: Scene) -> list[str]:
    return _along(scene, lambda path: list(_in_context(scene, path)))


def _between(scene: Scene) -> list[str]:
    sequence = scene.symbols[:1]
    for number in range(len(scene.tokens) - 1):
        sequence += scene.between[number]
        sequence.append(scene.symbols[number + 1])
    return sequence


def _window(before: int, after: int) -> Callable[[Scene], list[str]]:
    def window(scene: Scene) -> list[str]:
        first, last = scene.tokens[0][0], max(tokens[-1] for tokens in scene.tokens)
        left = scene.shown(range(first - 1, -1, -1), before)
        right = scene.shown(range(last + 1, len(scene.labels)), after)
        return left[::-1] + _between(scene) + right

    return window


def _along(scene: Scene, inner: Callable[[DependencyPath], list[str]]) -> list[str]:
    """Participants with, between each and the next, what ``inner`` makes of the path, or the words between and a flag."""
    sequence = scene.symbols[:1]
    for number, path in enumerate(scene.paths):
        if path.connection is Connection.PATH:
            sequence += inner(path)
        else:
            sequence.append(_FLAGS[path.connection])
            sequence += scene.between[number]
        sequence.append(scene.symbols[number + 1])
    return sequence


def _in_context(scene: Scene, path: DependencyPath) -> Iterator[str]:
    """Words of the path, each between its modifiers to the left and to the right; prepositions and conjunctions of collapsed
    arcs as words."""
    on_path = set(path.tokens)
    previous_owner = scene.owners[path.tokens[0]]
    if all(edge[-1] == ">" for edge in path.edges):
        yield from _above(scene, path.tokens[0], on_path)
    for position, token in enumerate(path.tokens):
        modifiers = sorted(
            other
            for other, edge in scene.stage.graph.steps[token].items()
            if other not in on_path and edge[-1] == ">" and _modifies(edge[:-1], scene.labels[other])
        )
        for other in modifiers:
            if other < token:
                yield scene.labels[other]
        owner = scene.owners[token]
        if 0 < position < len(path.tokens) - 1 and (owner == -1 or owner != previous_owner):
            yield scene.labels[token]
        previous_owner = owner
        for other in modifiers:
            if other > token:
                yield scene.labels[other]
        if position < len(path.edges):
            yield from _collapsed_words(path.edges[position])
    if all(edge[0] == "<" for edge in path.edges):
        yield from _above(scene, path.tokens[-1], on_path)


def _above(scene: Scene, token: int, on_path: set[int]) -> Iterator[str]:
    """What governs a participant that itself governs the other: of *interaction between A and B*, the interaction."""
    for other, edge in scene.stage.graph.steps[token].items():
        if edge[0] == "<" and other not in on_path:
            yield scene.labels[other]
            yield from _collapsed_words(edge)


def _modifies(label: str, word: str) -> bool:
    return label in _MODIFIERS or (label in ("det", "advmod") and word in _NEGATIONS)


_NEGATIONS = frozenset({"no", "not", "neither", "nor", "never", "n't", "cannot", "without", "hardly", "barely", "scarcely"})


def _collapsed_words(edge: str) -> Iterator[str]:
    label = edge.strip("<>")
    if label == "agent":
        yield "by"
    elif label.startswith(("prep_", "prepc_", "conj_", "nmod:", "obl:")):
        word = label.replace(":", "_").split("_", 1)[1]
        if word not in ("poss", "tmod", "npmod"):
            yield from word.split("_")


_PATH_VIEWS: dict[str, Callable[[Scene], list[str]]] = {
    "path": _path,
    "path+edges": _path_with_edges,
    "path+context": _path_with_context,
}
