"""Views of a candidate that are aligned by role, for interactions with a trigger and any number of participants.

=====================  ==============================================================================================
``role(theme)``        the path from the trigger to the theme, after the type of the interaction and the trigger word:
                       ``<PHOSPHORYLATION> phosphorylates dobj> <THEME>``
``role(cause,theme)``  the path between the two, where the graph joins them without the trigger
=====================  ==============================================================================================

One such view a role, combined by a kernel over the views, compares like with like: causes with causes, themes with themes. A
role that a candidate lacks shows as one symbol (``<NO_CAUSE>``), which matches only itself, so that the combined kernel stays
normalised: candidates that lack the same role are alike in it, and one that has it resembles none that lacks it. In a pair
without a trigger ``role(e1,e2)`` is the path between the two, as in ``path+edges``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from relhash.errors import StructureError
from relhash.structures.graph import Connection, DependencyPath
from relhash.structures.scene import Scene
from relhash.structures.symbols import DISCONNECTED, SHARED_TOKEN, role_symbol, type_symbol

__all__ = ["TRIGGER", "interleaved", "role_sequence", "role_views"]

TRIGGER = "trigger"
"""The role of the trigger among the mentions of a candidate."""

_NAME = re.compile(r"role\((\w+)(?:,(\w+))?\)")
_FLAGS = {Connection.SHARED_TOKEN: SHARED_TOKEN, Connection.DISCONNECTED: DISCONNECTED}


def role_views(roles: Iterable[str], *, joined: bool = True) -> tuple[str, ...]:
    """Names of the views of ``roles``; ``joined`` adds those between two participants.

    >>> role_views(["cause", "theme"])
    ('role(cause)', 'role(theme)', 'role(cause,theme)')
    """
    roles = list(roles)
    pairs = [(first, second) for number, first in enumerate(roles) for second in roles[number + 1 :]]
    return (*(f"role({role})" for role in roles), *(f"role({first},{second})" for first, second in pairs if joined))


def role_sequence(name: str) -> Callable[[Scene], list[str]] | None:
    """The function of the view called ``name`` (without blanks); ``None`` if it is not a view of this kind."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    first, second = match[1], match[2]
    if second is None:
        return lambda scene: _from_trigger(scene, first)
    return lambda scene: _between(scene, first, second)


def interleaved(scene: Scene, path: DependencyPath) -> Iterable[str]:
    """Edge, word, edge, …, edge; a step inside an entity of several words is not shown."""
    yield path.edges[0]
    for position in range(1, len(path.tokens) - 1):
        token, following = path.tokens[position], path.tokens[position + 1]
        owner = scene.owners[token]
        if owner != -1 and scene.owners[following] == owner:
            continue
        yield scene.labels[token]
        yield path.edges[position]


def _from_trigger(scene: Scene, role: str) -> list[str]:
    roles = scene.candidate.roles
    if TRIGGER not in roles:
        raise StructureError(
            f"candidate {scene.candidate.key!r} has no trigger, from which the view role({role}) starts; "
            "for pairs use path+edges, or role(e1,e2)"
        )
    if role not in roles:
        return [_missing(role)]
    trigger, participant = roles.index(TRIGGER), roles.index(role)
    path = scene.stage.graph.shortest_path(scene.tokens[trigger], scene.tokens[participant])
    beginning = [type_symbol(scene.candidate.mentions[trigger].type), scene.symbols[trigger]]
    return [*beginning, *_along(scene, path), scene.symbols[participant]]


def _between(scene: Scene, first: str, second: str) -> list[str]:
    roles = scene.candidate.roles
    if first not in roles or second not in roles:
        return [_missing(first, second)]
    one, other = roles.index(first), roles.index(second)
    path = scene.stage.graph.shortest_path(scene.tokens[one], scene.tokens[other])
    if TRIGGER in roles and not set(path.tokens).isdisjoint(scene.tokens[roles.index(TRIGGER)]):
        return [_missing(first, second)]
    return [scene.symbols[one], *_along(scene, path), scene.symbols[other]]


def _along(scene: Scene, path: DependencyPath) -> Iterable[str]:
    return interleaved(scene, path) if path.connection is Connection.PATH else [_FLAGS[path.connection]]


def _missing(*roles: str) -> str:
    return role_symbol("no_" + "_".join(roles))
