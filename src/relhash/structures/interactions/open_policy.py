"""Interactions of any type: judged statements to learn from, and in new text every verb with the entities around it.

====================================  ==================================================================================
a document                            its candidates
====================================  ==================================================================================
that lists judged interactions        these, with their labels
(PubMed45)
that lists pairs and states types     every type stated in a sentence with every two of its listed entities, in both
(NERO, a sheet with roles)            directions; valid is what was stated of just these
any other                             every verb, or noun of a verb, with every two entities near it, in both directions;
                                      its type is its lemma
====================================  ==================================================================================

Types are written in lower case, and views show them as words, not as symbols: kernels compare them by their vectors, so that
*phosphorylate*, *phosphorylation* and *Phosphorylation* meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import permutations
from typing import Any, ClassVar, Self

from relhash.corpus.document import Document
from relhash.corpus.pubmed45 import interactions
from relhash.errors import ParameterError
from relhash.structures.candidate import TRIGGER, Candidate, overlap
from relhash.structures.direction import CAUSE, THEME, role_of
from relhash.structures.interactions.candidate import trigger_mention
from relhash.structures.interactions.consistency import consistent
from relhash.structures.interactions.judged import judged_candidates
from relhash.structures.interactions.naming import trigger_of
from relhash.structures.interactions.triggers import TriggerLexicon
from relhash.structures.interactions.verbs import MAX_DISTANCE, MOST_ENTITIES, stated_candidate, verb_candidates
from relhash.structures.policies import Allow, CandidatePolicy
from relhash.structures.stage import Stage


@dataclass(frozen=True, slots=True)
class OpenPolicy(CandidatePolicy):
    """Which interactions of any type are candidates.

    Parameters
    ----------
    most_entities
        How many entities of a sentence are combined.
    max_distance
        The longest path from a verb of new text to a participant, in steps.
    """

    most_entities: int = MOST_ENTITIES
    max_distance: int = MAX_DISTANCE

    kind: ClassVar[str] = "open"
    has_roles: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.most_entities < 2 or self.max_distance < 1:
            raise ParameterError(f"most_entities={self.most_entities}, max_distance={self.max_distance}: at least 2 and 1")

    def candidates(self, documents: Iterable[Document], allow: Allow | None = None) -> Iterator[Candidate]:
        found: Iterator[Candidate]
        for document in documents:
            if interactions(document):
                found = (_as_words(candidate) for _, candidate in judged_candidates(document) if candidate is not None)
            elif document.candidates is not None:
                found = self._judged(document)
            else:
                found = verb_candidates(document, most_entities=self.most_entities, max_distance=self.max_distance)
            for candidate in found:
                if allow is None or allow(candidate):
                    yield candidate

    def given_type(self, candidate: Candidate) -> str | None:
        return candidate.supposed_type

    def is_directed(self, candidate: Candidate) -> bool:
        return True

    def consistent(
        self, found: Sequence[Candidate], scores: Sequence[float], accepted: Sequence[bool], relations: Sequence[str]
    ) -> list[bool]:
        return consistent(found, scores, accepted)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, **asdict(self)}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        return cls(int(given["most_entities"]), int(given["max_distance"]))

    def _judged(self, document: Document) -> Iterator[Candidate]:
        stated: set[tuple[str, str, str]] = set()
        for relation in document.relations:
            roles = {role_of(argument.role): argument.target for argument in relation.arguments}
            if CAUSE in roles and THEME in roles:
                stated.add((relation.type.lower(), roles[CAUSE], roles[THEME]))
        judged = {end for pair in document.candidates or () for end in (pair.first, pair.second)}
        for number, sentence in enumerate(document.sentences):
            here = [m for m in document.entities if m.id in judged and sentence.start <= m.start < sentence.end]
            types = sorted({kind for kind, cause, _ in stated if any(cause == mention.id for mention in here)})
            if not 2 <= len(here) <= self.most_entities or not types:
                continue
            stage = Stage(document, number)
            for kind in types:
                for cause, theme in permutations(here, 2):
                    token = None if overlap(cause, theme) else trigger_of(stage, kind, [cause, theme], TriggerLexicon())
                    if token is not None:
                        candidate = stated_candidate(stage, token, kind, cause, theme)
                        yield replace(candidate, relations=(kind,)) if (kind, cause.id, theme.id) in stated else candidate


def _as_words(candidate: Candidate) -> Candidate:
    """The candidate with its type in lower case, as all open types are: then it is shown by its words, which have vectors."""
    word = candidate.mentions[candidate.roles.index(TRIGGER)]
    named = trigger_mention(word.type.lower(), word.start, word.end, word.text)
    mentions = tuple(named if mention is word else mention for mention in candidate.mentions)
    return replace(candidate, mentions=mentions, relations=tuple(relation.lower() for relation in candidate.relations))
