"""A sentence in the making: chance, the cast of the document, and what has been claimed so far."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from demo_grammar.lexicon import Style
from demo_grammar.names import Protein
from demo_grammar.tree import Node

T = TypeVar("T")
AFFIRM, HEDGE, DENY, OPEN = "affirm", "hedge", "deny", "open"
"""How a clause stands to its content: said, said with reserve (still counted as said), denied, left open."""


class UnwritableError(Exception):
    """The sentence in the making came to nothing: too few proteins in the cast, or more negations than a reader follows."""


@dataclass
class NounPhrase:
    """A noun phrase; ``members`` are the mentions that play its part, ``excluded`` those that expressly do not."""

    node: Node
    members: tuple[Node, ...] = ()
    plural: bool = False
    excluded: tuple[Node, ...] = ()


@dataclass
class Draft:
    """Collects the pairs of mentions that a sentence relates or denies while the grammar builds it."""

    rng: random.Random
    style: Style
    cast: Sequence[Protein]
    related: list[tuple[Node, Node]] = field(default_factory=list)
    denied: list[tuple[Node, Node]] = field(default_factory=list)
    unused: list[Protein] = field(init=False)

    def __post_init__(self) -> None:
        self.unused = self.rng.sample(self.cast, len(self.cast))

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def pick(self, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def one_of(self, rules: Mapping[Callable[..., T], float]) -> Callable[..., T]:
        """A rule, drawn by its weight."""
        return self.rng.choices(list(rules), list(rules.values()))[0]

    def protein(self) -> Node:
        """A new mention of a protein that this sentence has not mentioned."""
        if not self.unused:
            raise UnwritableError("the cast is used up")
        return self.unused.pop().mention()

    def claim(self, subject: NounPhrase, other: NounPhrase, mode: str) -> None:
        """Record what a clause in this mode says of each member of the one and each of the other."""
        if mode == DENY and (subject.excluded or other.excluded):
            raise UnwritableError("X but not Y does not bind Z")
        pairs = [(a, b) for a in subject.members for b in other.members]
        if mode in (AFFIRM, HEDGE):
            self.related += pairs
            self.denied += [(a, b) for a in subject.excluded for b in other.members]
            self.denied += [(a, b) for a in subject.members for b in other.excluded]
        elif mode == DENY:
            self.denied += pairs

    def claim_among(self, members: Sequence[Node], mode: str) -> None:
        """Record that the members interact with each other."""
        for number, member in enumerate(members):
            self.claim(NounPhrase(member, (member,)), NounPhrase(member, tuple(members[number + 1 :])), mode)
