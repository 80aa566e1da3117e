"""Which types of entities a model pairs: those that its training text paired.

A pipeline finds proteins, chemicals and diseases; a model that learned interactions of proteins has no opinion on a protein and
a disease. Pairs of known types that never were candidates in the training text are no candidates later.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from relhash.candidates.candidate import TRIGGER, Candidate
from relhash.candidates.policies import CandidatePolicy
from relhash.candidates.symbols import entity_class

Pair = tuple[str, ...]


@dataclass(frozen=True)
class PairTypes:
    """The pairs of entity types that were candidates; ``None`` where the candidate policy decides alone.

    >>> PairTypes(frozenset({("chemical", "disease")})).as_list()
    [['chemical', 'disease']]
    """

    pairs: frozenset[Pair] | None = None

    @classmethod
    def of(cls, candidates: Iterable[Candidate], policy: CandidatePolicy) -> PairTypes:
        """The pairs among ``candidates``; a policy that names its types, or makes candidates of its own kind, needs none."""
        if policy.settles_types:
            return cls()
        return cls(frozenset(_classes(candidate) for candidate in candidates))

    def allow(self, candidate: Candidate) -> bool:
        """Whether the candidate is of a known pair, or of types that are new, or listed by its corpus."""
        if self.pairs is None or candidate.document.candidates is not None:
            return True
        classes = _classes(candidate)
        known = {name for pair in self.pairs for name in pair}
        return classes in self.pairs or not known.issuperset(classes)

    def knows(self, candidate: Candidate) -> bool:
        """Whether the training text had candidates of these types (always, where the policy decides alone).

        >>> from relhash.corpus import Document, Mention
        >>> names = (Mention("T1", "Gene", ((0, 3),), "Ras"), Mention("T2", "disease", ((4, 7),), "flu"))
        >>> PairTypes(frozenset({("protein", "protein")})).knows(Candidate(Document("d", "Ras flu"), 0, names, ("e1", "e2")))
        False
        """
        return self.pairs is None or _classes(candidate) in self.pairs

    @classmethod
    def named(cls, types: Iterable[tuple[str, str]]) -> PairTypes:
        """Pairs that a person names, in any order.

        >>> PairTypes.named([("Gene", "chemical")]).as_list()
        [['chemical', 'protein']]
        """
        return cls(frozenset(tuple(sorted(map(entity_class, pair))) for pair in types))

    def has(self, candidate: Candidate) -> bool:
        """Whether any two participants of the candidate are of these pairs; a trigger is no participant."""
        classes = sorted(
            entity_class(mention.type)
            for mention, role in zip(candidate.mentions, candidate.roles, strict=True)
            if role != TRIGGER
        )
        return self.pairs is None or self.pairs.issuperset(combinations(classes, 2))

    def as_list(self) -> list[list[str]] | None:
        return None if self.pairs is None else sorted(map(list, self.pairs))

    @classmethod
    def from_list(cls, given: Sequence[Sequence[str]] | None) -> PairTypes:
        return cls() if given is None else cls(frozenset(tuple(map(str, pair)) for pair in given))


def _classes(candidate: Candidate) -> Pair:
    return tuple(sorted(entity_class(mention.type) for mention in candidate.mentions))
