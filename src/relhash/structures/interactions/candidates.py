"""The candidates of interactions in parsed text: each trigger with the entities near it in the graph, in all roles allowed."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations
from math import log
from typing import TYPE_CHECKING

from relhash.corpus.document import Document
from relhash.errors import StructureError
from relhash.structures.candidate import Candidate, overlap
from relhash.structures.graph import Connection
from relhash.structures.interactions.candidate import interaction_candidate, trigger_mention
from relhash.structures.interactions.gold import SITE, THEME, THEME2, GoldInteractions, gold_interactions
from relhash.structures.stage import SortedEntities, Stage

if TYPE_CHECKING:
    from relhash.structures.interactions.policy import InteractionPolicy

__all__ = ["interaction_candidates"]

LEAST_SHARE = 1e-6
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
    proposed = heapq.nsmallest(policy.max_candidates, _proposals(stage, policy))
    for _, _, place, kind, members in sorted(proposed, key=lambda proposal: proposal[2:]):
        token = stage.tokens[place]
        text = stage.document.text[token.start : token.end]
        trigger = trigger_mention(kind, token.start, token.end, text)
        roles = {role: stage.mentions[number] for role, number in members}
        valid = gold.states(kind, {role: mention.id for role, mention in roles.items()}, trigger)
        yield interaction_candidate(stage.document, stage.first, trigger, roles, (kind,) if valid else ())


def _proposals(stage: Stage, policy: InteractionPolicy) -> Iterator[tuple[float, float, int, str, tuple[tuple[str, int], ...]]]:
    """Doubt, mean distance, token and type of the trigger, and the participants by role: the smallest are the best.

    The doubt is the mean distance from the trigger, and how seldom such a word names the type (its negative logarithm): of a
    long sentence the bound then keeps near participants of sure triggers, not every word beside two names.
    """
    near: dict[int, list[tuple[int, int]]] = {}
    for trigger in policy.triggers(stage):
        if trigger.token not in near:
            near[trigger.token] = _nearest(stage, trigger.token, policy)
        distance = {number: steps for steps, number in near[trigger.token]}
        for roles in policy.signatures_of(trigger.type):
            for chosen in permutations(sorted(distance), len(roles)):
                members = tuple(zip(roles, chosen, strict=True))
                if _is_allowed(stage, policy, dict(members)):
                    mean = sum(distance[number] for number in chosen) / len(chosen)
                    doubt = mean - log(max(trigger.share, LEAST_SHARE)) + THIRD * (len(chosen) > 2)
                    if doubt <= policy.max_doubt:
                        yield doubt, mean, trigger.token, trigger.type, members


def _nearest(stage: Stage, token: int, policy: InteractionPolicy) -> list[tuple[int, int]]:
    """Steps to, and numbers of, the entities nearest to a token: as many that may take part, and as many that may be sites."""
    found: tuple[list[tuple[int, int]], list[tuple[int, int]]] = [], []
    for number, mention in enumerate(stage.mentions):
        path = stage.graph.shortest_path((token,), stage.tokens_of(mention))
        if path.connection is not Connection.DISCONNECTED and len(path.edges) <= policy.max_distance:
            is_site = policy.may_be(mention, SITE)
            if is_site or policy.may_be(mention, THEME):
                found[is_site].append((len(path.edges), number))
    return [entry for entries in found for entry in heapq.nsmallest(policy.max_participants, entries)]


def _is_allowed(stage: Stage, policy: InteractionPolicy, members: Mapping[str, int]) -> bool:
    if THEME in members and THEME2 in members and members[THEME] > members[THEME2]:
        return False  # themes have no order: the first in the text is the first
    mentions = [stage.mentions[number] for number in members.values()]
    if any(overlap(one, other) for number, one in enumerate(mentions) for other in mentions[number + 1 :]):
        return False
    return all(policy.may_be(mention, role) for role, mention in zip(members, mentions, strict=True))
