"""One candidate of an interaction: made of a trigger and participants in roles, and taken apart again.

It is an ordinary :class:`~relhash.candidates.candidate.Candidate`. Its trigger is one of the mentions, in the role
``"trigger"``; the type of the interaction is the trigger's type, so that it is part of what is judged valid or invalid. All
that works on candidates works on it; :mod:`relhash.candidates.statements.roles` has views that keep the roles apart.
"""

from __future__ import annotations

from collections.abc import Mapping

from relhash.candidates.candidate import TRIGGER, Candidate, surface_order
from relhash.corpus.document import Document, Mention


def interaction_candidate(
    document: Document,
    sentence: int,
    trigger: Mention,
    roles: Mapping[str, Mention],
    relations: tuple[str, ...] = (),
    clues: tuple[float, ...] = (),
) -> Candidate:
    """A candidate of the trigger's type with participants in ``roles``."""
    members = sorted([(trigger, TRIGGER), *((mention, role) for role, mention in roles.items())], key=_surface)
    mentions, named = zip(*members, strict=True)
    return Candidate(document, sentence, mentions, named, relations, clues)


def trigger_mention(kind: str, start: int, end: int, text: str) -> Mention:
    """The mention that stands for a trigger in a candidate; its id says type and place."""
    return Mention(f"{kind}@{start}-{end}", kind, ((start, end),), text, is_trigger=True)


def interaction_type(candidate: Candidate) -> str:
    """The type of the interaction that a candidate supposes: that of its trigger."""
    return candidate.mentions[candidate.roles.index(TRIGGER)].type


def participants(candidate: Candidate) -> dict[str, Mention]:
    """Role → participant, without the trigger."""
    return {role: mention for role, mention in zip(candidate.roles, candidate.mentions, strict=True) if role != TRIGGER}


def _surface(member: tuple[Mention, str]) -> tuple[tuple[tuple[tuple[int, int], ...], str], str]:
    return surface_order(member[0]), member[1]
