"""What a house style consists of: its verbs and nouns with their frames, and the phrases they are set in.

The two styles (``abstract_style``, ``fulltext_style``) share a few words and otherwise say the same things differently.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verb:
    """A verb with its forms; ``preposition`` is empty when it takes a direct object."""

    base: str
    preposition: str = ""
    past: str = ""
    participle: str = ""

    @property
    def third(self) -> str:
        if self.base.endswith(("ny", "fy", "ry")):
            return self.base[:-1] + "ies"
        return self.base + ("es" if self.base.endswith(("s", "sh", "ch", "x")) else "s")

    @property
    def preterite(self) -> str:
        return self.past or (self.base + ("d" if self.base.endswith("e") else "ed"))

    @property
    def passive(self) -> str:
        return self.participle or self.preterite

    @property
    def gerund(self) -> str:
        return (self.base[:-1] if self.base.endswith("e") else self.base) + "ing"


@dataclass(frozen=True)
class Style:
    """Everything that one house style says in its own words."""

    name: str
    tense: str
    relating: tuple[Verb, ...]
    """Verbs of interaction: what they join is related."""
    joining: tuple[Verb, ...]
    """Verbs whose plural subject interacts with itself."""
    comparing: tuple[Verb, ...]
    """Verbs that join two proteins without an interaction."""
    drifting: tuple[Verb, ...]
    """Verbs whose plural subject does not interact with itself."""
    nominal_pairs: tuple[str, ...]
    """Nouns of interaction *between A and B*."""
    nominal_comparisons: tuple[str, ...]
    """Nouns of something else *between A and B*."""
    nominal_actions: tuple[tuple[str, str, str], ...]
    """Nouns of interaction, with the preposition of the patient and that of the agent."""
    nominal_doings: tuple[tuple[str, str, str], ...]
    """The same shape without an interaction."""
    roles: tuple[str, ...]
    """*A is a … of B*, where A and B interact."""
    kinships: tuple[str, ...]
    """*A is a … of B*, where they do not."""
    classes: tuple[str, ...]
    qualities: tuple[str, ...]
    regions: tuple[str, ...]
    others: tuple[str, ...]
    """Things named after a protein ``$name`` that are not that protein."""
    reports: tuple[str, ...]
    """Notation of a main clause with ``$clause`` as its content, taken as true."""
    questions: tuple[tuple[str, str], ...]
    """Complementiser and notation of main clauses that leave their content open or deny it."""
    openers: tuple[tuple[str, str], ...]
    """Label and notation of what a sentence may begin with."""
    manners: tuple[str, ...]
    places: tuple[str, ...]
    partners: tuple[str, ...]
    """Things that are bound and are no proteins."""
    assembly: str
    """What proteins form together."""
    sightings: tuple[Verb, ...]
    """Verbs of observing."""
    removals: tuple[str, ...]
    """What is done to a gene."""
    aspects: tuple[str, ...]
    """What of a protein may change."""
    quantities: tuple[str, ...]
    circumstances: tuple[str, ...]
    """Where a protein ``$name`` takes no part."""
    changes: tuple[Verb, ...]
    """What may be done to an interaction."""
    modals: tuple[str, ...]
    conjunctions: tuple[str, ...]
    processes: tuple[str, ...]


def verbs(listed: str) -> tuple[Verb, ...]:
    """Verbs written as ``base/past/participle preposition``, separated by commas; regular forms are left out."""
    found = []
    for entry in listed.split(","):
        forms, _, preposition = entry.strip().partition(" ")
        base, past, participle = (*forms.split("/"), "", "")[:3]
        found.append(Verb(base, preposition, past, participle))
    return tuple(found)


def actions(listed: str) -> tuple[tuple[str, str, str], ...]:
    """Nouns with two prepositions, separated by commas."""
    entries = (entry.split() for entry in listed.split(","))
    return tuple((noun, patient, agent) for noun, patient, agent in entries)
