"""The contract of everything that makes candidates: pairs, interactions, or a kind of your own.

A policy is plain, frozen data. A model asks it five things: which candidates a text has, what it learns from the training text,
whether it needs sentences, which relation type a candidate carries already, and how it is written to a model file.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, ClassVar, Self

from relhash.candidates.candidate import Candidate
from relhash.codec import InJson
from relhash.corpus.document import Document
from relhash.errors import ModelFileError, ParameterError
from relhash.registry import Registry

Allow = Callable[[Candidate], bool]

POLICIES: Registry[type[CandidatePolicy]] = Registry("kind of candidates", "relhash.candidate_policies")
"""Policies beside pairs and interactions, by the ``kind`` under which model files know them."""


class CandidatePolicy(InJson, ABC):
    """Which mentions may relate.

    A subclass is a frozen dataclass with the class attribute ``kind``, the name under which model files know it.
    """

    __slots__ = ()

    kind: ClassVar[str]
    has_roles: ClassVar[bool] = False
    """Whether candidates have a trigger and roles, so that presets look at them from the sides of an interaction."""

    @abstractmethod
    def candidates(self, documents: Iterable[Document], allow: Allow | None = None) -> Iterator[Candidate]:
        """The candidates of a corpus, document by document, sentence by sentence; only those that ``allow`` lets pass."""

    def fitted(self, documents: Iterable[Document]) -> Self:
        """This policy with what it has to learn from the annotated training text; most learn nothing."""
        return self

    def training_candidates(self, documents: Iterable[Document]) -> Iterator[Candidate]:
        """The candidates of the text that :meth:`fitted` learned from; the same as any other's where it learned nothing."""
        return self.candidates(documents)

    @property
    def needs_sentences(self) -> bool:
        """Whether a text must be split into sentences before it has candidates."""
        return True

    def asks_for_ids(self, document: Document) -> bool:
        """Whether the ids of its entities can change which candidates a document has."""
        return True

    @property
    def settles_types(self) -> bool:
        """Whether the policy alone decides which entity types may relate; if not, a model pairs those that its text paired."""
        return True

    def given_type(self, candidate: Candidate) -> str | None:
        """The relation type that the candidate itself supposes; ``None`` where a classifier has to name it."""
        return None

    def for_unsplit_text(self) -> CandidatePolicy:
        """The policy that takes a document without sentences as one sentence, where it has a choice."""
        return self

    def is_directed(self, candidate: Candidate) -> bool:
        """Whether a relation of the candidate runs from its first participant, by the order of roles, to the second."""
        return False

    def groups(self, found: Sequence[Candidate]) -> list[str] | None:
        """The group of each candidate, where groups are to have thresholds of their own; most kinds have none."""
        return None

    def consistent(
        self, found: Sequence[Candidate], scores: Sequence[float], accepted: Sequence[bool], relations: Sequence[str]
    ) -> list[bool]:
        """Which of the accepted candidates stay when those that exclude each other are decided jointly; most never do.

        ``relations`` are the types that they have if they are relations.
        """
        return list(accepted)

    def with_max_pairs(self, at_most: int) -> CandidatePolicy:
        """The policy with another bound on the pairs of a sentence."""
        raise ParameterError(f"--max-pairs is for pairs; {self.kind} have bounds of their own ({type(self).__name__})")

    @classmethod
    def of_kind(cls, kind: str) -> type[Self]:
        """The policy that model files know by this name; those of RelHash are imported when asked for."""
        found: Any
        if kind in _OURS:
            module, name = _OURS[kind]
            found = getattr(import_module(module), name)
        elif kind in POLICIES:
            found = POLICIES[kind]
        else:
            raise ModelFileError(f"unknown kind of candidates {kind!r}; the model needs the package or script that offers it")
        return found


_OURS = {
    "pairs": ("relhash.candidates.pairs", "PairPolicy"),
    "interactions": ("relhash.candidates.statements.policy", "InteractionPolicy"),
    "open": ("relhash.candidates.statements.open_policy", "OpenPolicy"),
    "judged": ("relhash.candidates.statements.open_policy", "JudgedPolicy"),
}
"""A model of pairs has no use for the wing of interactions, which takes its time to import."""
