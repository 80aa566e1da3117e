"""Views of a candidate that are aligned by role, for interactions with a trigger and any number of participants.

=====================  ==============================================================================================
``role(theme)``        the path from the trigger to the theme, after the type of the interaction and the trigger word:
                       ``<PHOSPHORYLATION> phosphorylates dobj> <THEME>``
``role(cause,theme)``  the path between the two, where the graph joins them without the trigger
``interaction``        the whole candidate in one sequence, from the cause (or the first theme) over type and trigger to
                       the others: ``<CAUSE> <nsubj <PHOSPHORYLATION> phosphorylates dobj> <THEME>``
=====================  ==============================================================================================

One view per role, combined by a kernel over the views, compares causes with causes and themes with themes. A role that a
candidate lacks shows as one symbol (``<NO_CAUSE>``), which matches only itself, so that the combined kernel stays normalised.
In a pair without a trigger ``role(e1,e2)`` is the path between the two, as in ``path+edges``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from relhash.candidates.candidate import TRIGGER
from relhash.candidates.graph import Connection
from relhash.candidates.scene import Scene
from relhash.candidates.symbols import role_symbol, type_symbol
from relhash.candidates.view import SequenceView, tokens_and_edges_on
from relhash.errors import ParameterError, StructureError

INTERACTION = "interaction"
"""The view of the whole candidate."""


def role_views(roles: Iterable[str], *, joined: bool = True) -> tuple[str, ...]:
    """Names of the views of ``roles``; ``joined`` adds those between two participants.

    >>> role_views(["cause", "theme"])
    ('role(cause)', 'role(theme)', 'role(cause,theme)')
    """
    roles = list(roles)
    pairs = [(first, second) for number, first in enumerate(roles) for second in roles[number + 1 :]]
    return (*(f"role({role})" for role in roles), *(f"role({first},{second})" for first, second in pairs if joined))


def role_view(*roles: str) -> SequenceView:
    """The view ``role(r)``, or ``role(r,s)`` between two participants."""
    name = f"role({','.join(roles)})"
    if not 1 <= len(roles) <= 2 or not all(re.fullmatch(r"\w+", role) for role in roles):
        raise ParameterError("role takes one role or two, as in role(theme) and role(cause,theme)")
    if len(roles) == 1:
        return SequenceView(name, lambda scene: _from_trigger(scene, roles[0]), needs_parse=True)
    return SequenceView(name, lambda scene: _between(scene, roles[0], roles[1]), needs_parse=True)


def _whole(scene: Scene) -> list[str]:
    trigger = _trigger(scene, INTERACTION)
    # roles in one order, wherever the participants stand in the sentence: cause, site, theme, theme2
    first, *others = sorted((n for n in range(len(scene.tokens)) if n != trigger), key=scene.candidate.roles.__getitem__)
    kind = _shown(scene.candidate.mentions[trigger].type)
    sequence = [scene.symbols[first], *_path(scene, first, trigger), *kind, scene.symbols[trigger]]
    for number, participant in enumerate(others):
        again = [scene.symbols[trigger]] if number else []
        sequence += [*again, *_path(scene, trigger, participant), scene.symbols[participant]]
    return sequence


def _from_trigger(scene: Scene, role: str) -> list[str]:
    trigger, roles = _trigger(scene, f"role({role})"), scene.candidate.roles
    if role not in roles:
        return [_missing(role)]
    participant = roles.index(role)
    beginning = [*_shown(scene.candidate.mentions[trigger].type), scene.symbols[trigger]]
    return [*beginning, *_path(scene, trigger, participant), scene.symbols[participant]]


def _shown(kind: str) -> list[str]:
    """A type of a closed list as a symbol; one that is any verb, in lower case, as its words, which have vectors."""
    return kind.replace("_", " ").split() if kind.islower() else [type_symbol(kind)]


def _trigger(scene: Scene, name: str) -> int:
    """Number of the trigger among the mentions; an error for a candidate without one."""
    if TRIGGER not in scene.candidate.roles:
        raise StructureError(
            f"candidate {scene.candidate.key!r} has no trigger, which the view {name} starts from; "
            "for pairs use path+edges, or role(e1,e2)"
        )
    return scene.candidate.roles.index(TRIGGER)


def _path(scene: Scene, start: int, end: int) -> Iterable[str]:
    """What lies between two mentions of the candidate, by their numbers."""
    return tokens_and_edges_on(scene, scene.stage.graph.shortest_path(scene.tokens[start], scene.tokens[end]))


def _between(scene: Scene, first: str, second: str) -> list[str]:
    roles = scene.candidate.roles
    if first not in roles or second not in roles:
        return [_missing(first, second)]
    one, other = roles.index(first), roles.index(second)
    path = scene.stage.graph.shortest_path(scene.tokens[one], scene.tokens[other])
    if TRIGGER in roles and not set(path.tokens).isdisjoint(scene.tokens[roles.index(TRIGGER)]):
        return [_missing(first, second)]
    # a pair without a path shows the words between, as in path+edges
    between = scene.between[0] if len(roles) == 2 and path.connection is not Connection.PATH else []
    return [scene.symbols[one], *tokens_and_edges_on(scene, path), *between, scene.symbols[other]]


def _missing(*roles: str) -> str:
    return role_symbol("no_" + "_".join(roles))


INTERACTION_VIEW = SequenceView(INTERACTION, _whole, needs_parse=True)
