"""The candidates of interactions in parsed text: each trigger with the entities near it in the graph, in all roles allowed."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from math import log
from typing import TYPE_CHECKING

from relhash.corpus.document import Document
from relhash.errors import StructureError
from relhash.structures.candidate import Candidate, overlap
from relhash.structures.direction import THEME, THEME2
from relhash.structures.interactions.candidate import interaction_candidate, trigger_mention
from relhash.structures.interactions.clues import SentenceLinks
from relhash.structures.interactions.gold import GoldInteractions, gold_interactions
from relhash.structures.interactions.links import LEAST_SHARE, links, nearest
from relhash.structures.interactions.triggers import Trigger
from relhash.structures.stage import SortedEntities, Stage

if TYPE_CHECKING:
    from relhash.structures.interactions.policy import InteractionPolicy

Members = tuple[tuple[str, int], ...]
Proposal = tuple[float, float, int, str, float, Members]
"""Doubt, mean distance, token, type and share of the trigger, and the participants by role: the smallest are the best."""
THIRD = 2.0
"""Doubt that a third participant adds: there are many combinations of three, and few are stated."""


def interaction_candidates(documents: Iterable[Document], policy: InteractionPolicy) -> Iterator[Candidate]:
    """The interaction candidates of parsed documents, sentence by sentence, valid ones with their type as relation.

    Examples
    --------
    >>> from relhash.language.amr.documents import amr_document
    >>> document = amr_document('''# ::id d
    ... # ::snt Ras phosphorylates Raf
    ... (p / phosphorylate-01 :ARG0 (a / protein :name (n / name :op1 "Ras"))
    ...                       :ARG1 (b / enzyme :name (m / name :op1 "Raf")))''')
    >>> from relhash.structures.interactions import InteractionPolicy
    >>> for candidate in interaction_candidates([document], InteractionPolicy(open_types=True)):
    ...     print(candidate.key)
    d|cause=T1|theme=T2|trigger=phosphorylate@4-18
    d|cause=T2|theme=T1|trigger=phosphorylate@4-18
    """
    for document in documents:
        entities = SortedEntities(document)
        if not document.sentences and len(entities.starting_in(0, len(document.text))) > 1:
            raise StructureError(
                f"document {document.id!r} is not split into sentences, nor has it a parse or AMR graphs, along which "
                "interactions are looked for; run it through relhash.language.Pipeline, or give its graphs (--amr)"
            )
        gold: GoldInteractions | None = None
        for number in range(len(document.sentences)):
            here = entities.starting_in(document.sentences[number].start, document.sentences[number].end)
            if len(here) < 2 - policy.one_participant:
                continue
            gold = gold or gold_interactions(document)
            yield from _of_sentence(Stage(document, number, entities=entities), policy, gold)


def _of_sentence(stage: Stage, policy: InteractionPolicy, gold: GoldInteractions) -> Iterator[Candidate]:
    if policy.links is None:
        proposed = _least_doubtful(_proposals(stage, policy), policy.max_candidates)
        known = None
    else:
        triggers = list(policy.triggers(stage))
        found = list(links(stage, triggers, policy))
        if not found:
            return
        known = SentenceLinks(stage, found, policy.links)
        proposed = _least_doubtful(_linked_proposals(triggers, known, policy), policy.max_candidates)
    for _, _, place, kind, share, members in sorted(proposed, key=lambda proposal: (*proposal[2:4], proposal[5])):
        token = stage.tokens[place]
        text = stage.document.text[token.start : token.end]
        trigger = trigger_mention(kind, token.start, token.end, text)
        roles = {role: stage.mentions[number] for role, number in members}
        valid = gold.states(kind, {role: mention.id for role, mention in roles.items()}, trigger)
        candidate = interaction_candidate(stage.document, stage.first, trigger, roles, (kind,) if valid else ())
        yield candidate if known is None else replace(candidate, clues=known.clues(Trigger(place, kind, share), dict(members)))


def _least_doubtful(proposals: Iterable[Proposal], at_most: int) -> list[Proposal]:
    """As many interactions, and as many events about one participant: these are less doubtful, and would take all places."""
    found: tuple[list[Proposal], list[Proposal]] = [], []
    for proposal in proposals:
        found[len(proposal[5]) == 1].append(proposal)
    return [proposal for own in found for proposal in heapq.nsmallest(at_most, own)]


def _proposals(stage: Stage, policy: InteractionPolicy) -> Iterator[Proposal]:
    """What may be a candidate as far as the lexicon and the distances tell.

    The doubt is the mean distance from the trigger, and how seldom such a word names the type (its negative logarithm): of a
    long sentence the bound then keeps near participants of sure triggers, not every word beside two names.
    """
    near: dict[int, list[tuple[int, int]]] = {}
    for trigger in policy.triggers(stage):
        if trigger.token not in near:
            near[trigger.token] = nearest(stage, trigger.token, policy)
        distance = {number: steps for steps, number in near[trigger.token]}
        for members in _combinations(stage, policy, trigger, sorted(distance)):
            chosen = [number for _, number in members]
            mean = sum(distance[number] for number in chosen) / len(chosen)
            doubt = mean - log(max(trigger.share, LEAST_SHARE)) + THIRD * (len(chosen) > 2)
            if doubt <= policy.max_doubt:
                yield doubt, mean, trigger.token, trigger.type, trigger.share, members


def _linked_proposals(triggers: Iterable[Trigger], known: SentenceLinks, policy: InteractionPolicy) -> Iterator[Proposal]:
    """The same by what was learned of links: doubtful is what has an unlikely link."""
    for trigger in triggers:
        for members in _combinations(known.stage, policy, trigger, known.linked(trigger)):
            doubt = known.doubt(trigger, dict(members))
            if doubt <= policy.max_doubt:
                yield doubt, doubt, trigger.token, trigger.type, trigger.share, members


def _combinations(stage: Stage, policy: InteractionPolicy, trigger: Trigger, entities: Sequence[int]) -> Iterator[Members]:
    for roles in policy.signatures_of(trigger.type):
        for chosen in permutations(entities, len(roles)):
            members = tuple(zip(roles, chosen, strict=True))
            if _is_allowed(stage, policy, dict(members)):
                yield members


def _is_allowed(stage: Stage, policy: InteractionPolicy, members: Mapping[str, int]) -> bool:
    if THEME in members and THEME2 in members and members[THEME] > members[THEME2]:
        return False  # themes have no order: the first in the text is the first
    mentions = [stage.mentions[number] for number in members.values()]
    if len(mentions) > 1 and any(mention.id in stage.cell_markers for mention in mentions):
        return False
    if any(overlap(one, other) for number, one in enumerate(mentions) for other in mentions[number + 1 :]):
        return False
    return all(policy.may_be(mention, role) for role, mention in zip(members, mentions, strict=True))
