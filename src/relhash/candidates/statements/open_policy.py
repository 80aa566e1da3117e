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

PubMed45 says type and participants of an interaction, not the word that names it. It is looked for: a word of the type's stem,
or one that the lexicon knows for the type, the nearest to the participants; else what joins them in the graph. Types are in
lower case, and views show them as words: kernels compare them by their vectors, so that *phosphorylate*, *phosphorylation*
and *Phosphorylation* meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import ClassVar, Literal

from relhash.candidates.candidate import TRIGGER, Candidate, overlap
from relhash.candidates.gold import CAUSE, THEME, THEME2, role_of
from relhash.candidates.graph import Connection
from relhash.candidates.policies import Allow, CandidatePolicy
from relhash.candidates.scene import SortedEntities, Stage
from relhash.candidates.statements.candidate import interaction_candidate, trigger_mention
from relhash.candidates.statements.consistency import consistent
from relhash.candidates.statements.triggers import TriggerLexicon, trigger_of
from relhash.corpus.document import Document, Mention
from relhash.corpus.pubmed45 import SWAPPED, VALID, Interaction, interactions
from relhash.errors import ParameterError

MOST_ENTITIES = 8
"""Entities of a sentence that are combined; judged sentences with more are left out: not all their pairs were judged."""
MAX_DISTANCE = 4
_NO_TYPES = frozenset({"be", "have", "do", "is", "are", "was", "were", "show", "suggest", "indicate", "demonstrate", "use"})
_NOUNS = ("ation", "ition", "ction", "ment", "ding", "ssion")


def verb_candidates(
    document: Document, *, most_entities: int = MOST_ENTITIES, max_distance: int = MAX_DISTANCE
) -> Iterator[Candidate]:
    """The candidates of a parsed document; the type of each is the lemma of its verb."""
    entities = SortedEntities(document)
    for number, sentence in enumerate(document.sentences):
        if len(entities.starting_in(sentence.start, sentence.end)) < 2:
            continue
        stage = Stage.of(document, number, entities=entities)
        for token, kind in _verbs(stage):
            for cause, theme in permutations(_near(stage, token, most_entities, max_distance), 2):
                if not overlap(cause, theme):
                    yield stated_candidate(stage, token, kind, cause, theme)


def stated_candidate(stage: Stage, token: int, kind: str, cause: Mention, theme: Mention) -> Candidate:
    """The candidate of a token that names an interaction of two entities."""
    start, end = stage.tokens[token].start, stage.tokens[token].end
    trigger = trigger_mention(kind, start, end, stage.document.text[start:end])
    return interaction_candidate(stage.document, stage.first, trigger, {CAUSE: cause, THEME: theme})


def _near(stage: Stage, token: int, most_entities: int, max_distance: int) -> list[Mention]:
    found = []
    for mention in stage.mentions:
        if mention.id in stage.cell_markers:
            continue
        path = stage.graph.shortest_path((token,), stage.tokens_of(mention))
        if path.connection is not Connection.DISCONNECTED and len(path.edges) <= max_distance:
            found.append((len(path.edges), mention.spans, mention))
    return [mention for _, _, mention in sorted(found, key=lambda one: one[:2])[:most_entities]]


def _verbs(stage: Stage) -> Iterator[tuple[int, str]]:
    """Tokens that may name an interaction, and the type that they name: verbs, and nouns made of verbs."""
    for number, token in enumerate(stage.tokens):
        if not stage.is_free(number) or token.start >= token.end:
            continue
        kind = (token.lemma or token.text).lower()
        is_noun = token.pos.startswith("NN") and token.text.lower().rstrip("s").endswith(_NOUNS)
        if (token.pos.startswith("VB") or is_noun) and kind.isalpha() and kind not in _NO_TYPES:
            yield number, kind


_ROLES = {"catalyst": CAUSE, "affected": THEME, "entity": THEME, "entity2": THEME2}


@dataclass(frozen=True, slots=True)
class JudgedPolicy(CandidatePolicy):
    """Which of the judged interactions are candidates, and what their labels mean.

    Parameters
    ----------
    lexicon
        Words that name types of interaction, besides the types themselves.
    swapped
        Interactions that would be valid with the catalyst and another participant swapped: ``"invalid"``, or a ``"class"`` of
        their own (the relations of candidates are then ``"valid"`` and ``"swapped"`` instead of the type).
    """

    lexicon: TriggerLexicon = field(default_factory=TriggerLexicon)
    swapped: Literal["invalid", "class"] = "invalid"

    kind: ClassVar[str] = "judged"
    has_roles: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.swapped not in ("invalid", "class"):
            raise ParameterError(f"swapped={self.swapped!r}: choose 'invalid' or 'class'")

    def candidates(self, documents: Iterable[Document], allow: Allow | None = None) -> Iterator[Candidate]:
        """The judged interactions whose participants the text spells; of text without labels, those of its verbs."""
        for document in documents:
            found = (candidate for _, candidate in judged_candidates(document, self))
            for candidate in found if interactions(document) else verb_candidates(document):
                if candidate is not None and (allow is None or allow(candidate)):
                    yield candidate

    def given_type(self, candidate: Candidate) -> str | None:
        """None where some are a class of their own because two roles are swapped: then a classifier tells."""
        return None if self.swapped == "class" else candidate.supposed_type

    def relations(self, interaction: Interaction) -> tuple[str, ...]:
        """What a judgement says of the candidate's relations."""
        if interaction.label == VALID:
            return (interaction.type,) if self.swapped == "invalid" else ("valid",)
        return ("swapped",) if interaction.label == SWAPPED and self.swapped == "class" else ()


def judged_candidates(document: Document, policy: JudgedPolicy | None = None) -> Iterator[tuple[Interaction, Candidate | None]]:
    """Every judged interaction of a PubMed45 document with its candidate; ``None`` where the text spells no participant.

    A participant that the text does not spell is left out of the candidate. For structures along paths the sentences must be
    parsed, or analysed by meaning graphs (:func:`relhash.language.amr.documents.with_amr`).
    """
    policy = policy or JudgedPolicy()
    numbers = {sentence.id: number for number, sentence in enumerate(document.sentences)}
    stages: dict[int, Stage] = {}
    for interaction in interactions(document):
        number = numbers[interaction.sentence]
        stage = stages.setdefault(number, Stage.of(document, number))
        roles = {
            _ROLES[one.role]: document.mention_by_id[one.mention] for one in interaction.participants if one.mention is not None
        }
        token = trigger_of(stage, interaction.type, list(roles.values()), policy.lexicon) if roles else None
        if token is None:
            yield interaction, None
            continue
        start, end = stage.tokens[token].start, stage.tokens[token].end
        trigger = trigger_mention(interaction.type, start, end, document.text[start:end])
        yield interaction, interaction_candidate(document, number, trigger, roles, policy.relations(interaction))


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
            stage = Stage.of(document, number)
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
