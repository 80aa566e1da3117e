"""Interactions of any type: judged statements to learn from, and in new text every verb with the entities around it.

====================================  ==================================================================================
a document                            its candidates
====================================  ==================================================================================
that lists pairs and states types     every type stated in a sentence with every two of its listed entities, in both
(NERO, a sheet with roles)            directions; valid is what was stated of just these
any other                             every verb, or noun of a verb, with every two entities near it, in both directions;
                                      its type is its lemma
====================================  ==================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import permutations
from typing import Any, ClassVar, Self

from relhash.corpus.document import Document, Mention
from relhash.errors import ParameterError
from relhash.structures.candidate import Candidate, overlap
from relhash.structures.direction import CAUSE, THEME, role_of
from relhash.structures.graph import Connection
from relhash.structures.interactions.candidate import interaction_candidate, trigger_mention
from relhash.structures.interactions.consistency import consistent
from relhash.structures.interactions.naming import trigger_of
from relhash.structures.interactions.triggers import TriggerLexicon
from relhash.structures.policies import Allow, CandidatePolicy
from relhash.structures.stage import SortedEntities, Stage

__all__ = ["MOST_ENTITIES", "OpenPolicy"]

MOST_ENTITIES = 8
"""Entities of a sentence that are combined; judged sentences with more are left out: nobody read all their pairs."""
_NO_TYPES = frozenset({"be", "have", "do", "is", "are", "was", "were", "show", "suggest", "indicate", "demonstrate", "use"})
_NOUNS = ("ation", "ition", "ction", "ment", "ding", "ssion")


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
    max_distance: int = 4

    kind: ClassVar[str] = "open"
    has_roles: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.most_entities < 2 or self.max_distance < 1:
            raise ParameterError(f"most_entities={self.most_entities}, max_distance={self.max_distance}: at least 2 and 1")

    def candidates(self, documents: Iterable[Document], allow: Allow | None = None) -> Iterator[Candidate]:
        for document in documents:
            found = self._in_new_text(document) if document.candidates is None else self._judged(document)
            for candidate in found:
                if allow is None or allow(candidate):
                    yield candidate

    def given_type(self, candidate: Candidate) -> str | None:
        return candidate.supposed_type

    def is_directed(self, candidate: Candidate) -> bool:
        return True

    def consistent(self, found: Sequence[Candidate], scores: Sequence[float], accepted: Sequence[bool]) -> list[bool]:
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
                stated.add((relation.type, roles[CAUSE], roles[THEME]))
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
                        candidate = _candidate(stage, token, kind, cause, theme)
                        yield replace(candidate, relations=(kind,)) if (kind, cause.id, theme.id) in stated else candidate

    def _in_new_text(self, document: Document) -> Iterator[Candidate]:
        entities = SortedEntities(document)
        for number, sentence in enumerate(document.sentences):
            if len(entities.starting_in(sentence.start, sentence.end)) < 2:
                continue
            stage = Stage(document, number, entities=entities)
            for token, kind in _verbs(stage):
                near = self._near(stage, token)
                for cause, theme in permutations(near, 2):
                    if not overlap(cause, theme):
                        yield _candidate(stage, token, kind, cause, theme)

    def _near(self, stage: Stage, token: int) -> list[Mention]:
        found = []
        for mention in stage.mentions:
            path = stage.graph.shortest_path((token,), stage.tokens_of(mention))
            if path.connection is not Connection.DISCONNECTED and len(path.edges) <= self.max_distance:
                found.append((len(path.edges), mention.spans, mention))
        return [mention for _, _, mention in sorted(found, key=lambda one: one[:2])[: self.most_entities]]


def _verbs(stage: Stage) -> Iterator[tuple[int, str]]:
    """Tokens that may name an interaction, and the type that they name: verbs, and nouns made of verbs."""
    for number, token in enumerate(stage.tokens):
        if not stage.is_free(number) or token.start >= token.end:
            continue
        kind = (token.lemma or token.text).lower()
        is_noun = token.pos.startswith("NN") and token.text.lower().rstrip("s").endswith(_NOUNS)
        if (token.pos.startswith("VB") or is_noun) and kind.isalpha() and kind not in _NO_TYPES:
            yield number, kind


def _candidate(stage: Stage, token: int, kind: str, cause: Mention, theme: Mention) -> Candidate:
    start, end = stage.tokens[token].start, stage.tokens[token].end
    trigger = trigger_mention(kind, start, end, stage.document.text[start:end])
    return interaction_candidate(stage.document, stage.first, trigger, {CAUSE: cause, THEME: theme})
