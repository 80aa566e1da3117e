"""A candidate: mentions of one document that may relate, each in a role.

Pairs have two, interactions a trigger and more; whatever made it, every later room works on this one record.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from relhash.corpus.document import Document, Mention

FIRST, SECOND = "e1", "e2"
TRIGGER = "trigger"
"""The role of the word that names an interaction among the mentions of a candidate."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Mentions of one document that may relate.

    Parameters
    ----------
    document
        Where they stand.
    sentence
        Number of the sentence of the first mention (0 when the document is not split into sentences).
    mentions
        The participants in surface order, whatever their roles.
    roles
        The role of each participant. Undirected pairs of like entities have ``("e1", "e2")``; in a directed pair ``"e1"`` is
        where the relation starts; in a pair of unlike types ``"e1"`` is the type that the policy names first.
    relations
        Types of the gold relations that join them; none for a negative (or unlabelled) candidate.
    clues
        What the policy that made it has learned of its parts, if it learns (:mod:`relhash.candidates.statements.links`).
    """

    document: Document
    sentence: int
    mentions: tuple[Mention, ...]
    roles: tuple[str, ...]
    relations: tuple[str, ...] = ()
    clues: tuple[float, ...] = field(default=(), compare=False)

    @property
    def is_positive(self) -> bool:
        return bool(self.relations)

    @property
    def trigger(self) -> Mention | None:
        """The word that names the interaction; a pair has none."""
        return self.mentions[self.roles.index(TRIGGER)] if TRIGGER in self.roles else None

    @property
    def participants(self) -> tuple[Mention, ...]:
        """The mentions without a trigger in the order of their roles: ``entity1``, ``entity2``, … of a table."""
        by_role = sorted(zip(self.roles, self.mentions, strict=True), key=lambda pair: pair[0])
        return tuple(mention for role, mention in by_role if role != TRIGGER)

    @property
    def is_single(self) -> bool:
        """Whether it is an event about one participant, such as the expression of a gene, and no statement about two."""
        return TRIGGER in self.roles and len(self.roles) == 2

    @property
    def supposed_type(self) -> str | None:
        """The relation type that the candidate itself supposes, that of its trigger; ``None`` for a pair."""
        return None if self.trigger is None else self.trigger.type

    @property
    def key(self) -> str:
        """Document id and mention ids in the order of their roles: the same in every run, unique in a corpus."""
        participants = sorted(zip(self.roles, (mention.id for mention in self.mentions), strict=True))
        if set(self.roles) <= {FIRST, SECOND}:
            return "|".join([self.document.id, *(mention for _, mention in participants)])
        return "|".join([self.document.id, *(f"{role}={mention}" for role, mention in participants)])

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        participants = ", ".join(f"{role}={mention.text!r}" for role, mention in zip(self.roles, self.mentions, strict=True))
        return f"Candidate({self.document.id}: {participants}; {', '.join(self.relations) or 'no relation'})"


def surface_order(mention: Mention) -> tuple[tuple[tuple[int, int], ...], str]:
    """Sorts mentions as a reader meets them; of two that start together, the one that ends first."""
    return mention.spans, mention.id


def overlap(first: Mention, second: Mention) -> bool:
    """Whether two mentions have a character in common (nested, identical or crossing)."""
    if first.end <= second.start or second.end <= first.start:
        return False
    return any(a < d and c < b for a, b in first.spans for c, d in second.spans)


def shared_characters(first: Mention, second: Mention) -> int:
    """How many characters two mentions have in common."""
    return sum(max(0, min(b, d) - max(a, c)) for a, b in first.spans for c, d in second.spans)
