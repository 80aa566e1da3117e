"""How much of an annotation interaction candidates can reach at all: the ceiling of recall, and where the rest is lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from relhash.corpus.document import Document, Mention
from relhash.structures.candidate import Candidate
from relhash.structures.interactions import (
    GoldInteraction,
    InteractionPolicy,
    TriggerLexicon,
    gold_interactions,
    interaction_candidates,
    interaction_type,
    participants,
)
from relhash.structures.interactions.gold import GoldInteractions
from relhash.structures.word_split import split_words


@dataclass(frozen=True, slots=True)
class InteractionCoverage:
    """Counts over a corpus.

    Attributes
    ----------
    events
        Annotated relations with a trigger.
    mapped_events
        Those that state an interaction: the others are about one protein.
    interactions
        Stated interactions, sites left aside: a type, participants in roles, and the trigger.
    in_one_sentence
        Those whose trigger and participants stand in one sentence.
    known_trigger
        Those whose trigger is one word of one sentence that the lexicon knows for the type.
    reached
        Those among the candidates.
    candidates
        All candidates, valid or not.
    """

    events: int = 0
    mapped_events: int = 0
    interactions: int = 0
    in_one_sentence: int = 0
    known_trigger: int = 0
    reached: int = 0
    candidates: int = 0

    def __add__(self, other: InteractionCoverage) -> InteractionCoverage:
        return InteractionCoverage(*(a + b for a, b in zip(asdict(self).values(), asdict(other).values(), strict=True)))


def interaction_coverage(documents: Iterable[Document], policy: InteractionPolicy) -> InteractionCoverage:
    """Coverage of documents that are split into sentences; ``reached`` and ``candidates`` count only where they are parsed."""
    return sum((_of_document(document, policy) for document in documents), InteractionCoverage())


def _of_document(document: Document, policy: InteractionPolicy) -> InteractionCoverage:
    gold = gold_interactions(document)
    together = [one for one in gold.distinct if _in_one_sentence(document, one)]
    parsed = bool(document.sentences) and all(sentence.is_parsed for sentence in document.sentences)
    found = list(interaction_candidates([document], policy)) if parsed else []
    return InteractionCoverage(
        events=sum(relation.trigger is not None for relation in document.relations),
        mapped_events=len({one.relation for one in gold.stated}),
        interactions=len(gold.distinct),
        in_one_sentence=len(together),
        known_trigger=sum(_knows(policy.lexicon or TriggerLexicon(), document, one) for one in together),
        reached=len({number for one in found for number in _met(gold, one)}),
        candidates=len(found),
    )


def _in_one_sentence(document: Document, one: GoldInteraction) -> bool:
    members: list[Mention] = [document.mention_by_id[mention] for _, mention in one.roles]
    if one.trigger is not None:
        members.append(document.mention_by_id[one.trigger])
    return any(
        all(sentence.start <= mention.start and mention.end <= sentence.end for mention in members)
        for sentence in document.sentences
    )


def _met(gold: GoldInteractions, candidate: Candidate) -> Iterator[int]:
    roles = {role: mention.id for role, mention in participants(candidate).items()}
    return gold.met(interaction_type(candidate), roles, candidate.trigger)


def _knows(lexicon: TriggerLexicon, document: Document, one: GoldInteraction) -> bool:
    if one.trigger is None:
        return False
    word = list(split_words(text := document.mention_by_id[one.trigger].text, 0, len(text)))[-1].text
    return any(kind == one.type for kind, _ in lexicon.types_of(word))
