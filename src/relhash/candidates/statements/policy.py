"""Which interactions are candidates: each word that names one with the entities near it in the graph, in all roles allowed."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from math import log
from typing import ClassVar

from relhash.candidates.candidate import Candidate
from relhash.candidates.gold import CAUSE, SITE, THEME, THEME2
from relhash.candidates.policies import Allow, CandidatePolicy
from relhash.candidates.scene import SortedEntities, Stage
from relhash.candidates.statements.candidate import interaction_candidate, interaction_type, trigger_mention
from relhash.candidates.statements.consistency import consistent
from relhash.candidates.statements.gold import GoldInteractions, gold_interactions
from relhash.candidates.statements.links import LEAST_SHARE, LinkModel, SentenceLinks, links, nearest
from relhash.candidates.statements.triggers import Trigger, TriggerLexicon, frame_triggers
from relhash.candidates.symbols import entity_class
from relhash.corpus.document import Document, Mention
from relhash.errors import ParameterError, StructureError

Signature = tuple[str, ...]
Members = tuple[tuple[str, int], ...]
Proposal = tuple[float, float, int, str, float, Members]
"""Doubt, mean distance, token, type and share of the trigger, and the participants by role: the smallest are the best."""
THIRD = 2.0
"""Doubt that a third participant adds: there are many combinations of three, and few are stated."""


LEAST_DOUBTFUL = (2, 4)
"""Candidates that are made of a stated participant alone, and of two."""
DETOUR, LEAST_NAMING = 1, 0.03
"""Of a stated pair: steps that a word may lie beside the way between the two, and the least share of such words that name its
type. With 4 steps, any share and twice as many candidates the shipped judge is no better (AUC 0.771 on judged statements)."""


def interaction_candidates(documents: Iterable[Document], policy: InteractionPolicy) -> Iterator[Candidate]:
    """The interaction candidates of parsed documents, sentence by sentence, valid ones with their type as relation."""
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
            yield from _of_sentence(Stage.of(document, number, entities=entities), policy, gold)


def stated_candidates(stage: Stage, policy: InteractionPolicy, pairs: Iterable[tuple[int, int]]) -> Iterator[Candidate]:
    """The candidates of a sentence in which exactly these participants take part, in any roles, by the words near them.

    To check a given statement against its sentence. ``pairs`` are numbers of :attr:`Stage.mentions`;
    of a number twice the events about that one participant are meant. Of each pair the :data:`LEAST_DOUBTFUL` are made.
    """
    wanted = list(dict.fromkeys(frozenset(pair) for pair in pairs))
    if policy.links is None or not wanted:
        return
    likely = (trigger for trigger in policy.triggers(stage) if trigger.share >= LEAST_NAMING)
    triggers = [trigger for trigger in likely if _is_near(stage, trigger.token, wanted)]
    found = list(links(stage, triggers, policy))
    if not found:
        return
    known = SentenceLinks(stage, found, policy.links)
    for chosen in wanted:
        proposed = [
            (known.doubt(trigger, dict(members)), number, members)
            for number, trigger in enumerate(triggers)
            if chosen.issubset(known.linked(trigger))
            for members in _combinations(stage, policy, trigger, sorted(chosen))
            if len(members) == len(chosen)
        ]
        for _, number, members in heapq.nsmallest(LEAST_DOUBTFUL[len(chosen) - 1], proposed):
            trigger = triggers[number]
            word, roles = _naming(stage, trigger.token, trigger.type), {role: stage.mentions[n] for role, n in members}
            clues = known.clues(trigger, dict(members))
            yield interaction_candidate(stage.document, stage.first, word, roles, clues=clues)


def _is_near(stage: Stage, token: int, wanted: Iterable[frozenset[int]]) -> bool:
    """Whether a word lies on the way between two participants, or little beside it."""
    for chosen in wanted:
        ends = [stage.tokens_of(stage.mentions[number]) for number in chosen]
        steps = [stage.graph.distances(end)[token] for end in ends]
        if min(steps) < 0:
            continue
        way = max(stage.graph.distances(ends[0])[one] for one in ends[-1])
        if sum(steps) <= way * (len(ends) > 1) + DETOUR:
            return True
    return False


def _of_sentence(stage: Stage, policy: InteractionPolicy, gold: GoldInteractions) -> Iterator[Candidate]:
    if policy.links is None:
        proposed = _least_doubtful(_proposals(stage, policy), policy.max_candidates)
        known = None
    else:
        triggers = [trigger for trigger in policy.triggers(stage) if gold.covers(trigger.type)]
        found = list(links(stage, triggers, policy))
        if not found:
            return
        known = SentenceLinks(stage, found, policy.links)
        proposed = _least_doubtful(_linked_proposals(triggers, known, policy), policy.max_candidates)
    words: dict[tuple[int, str], Mention] = {}
    for _, _, place, kind, share, members in sorted(proposed, key=lambda proposal: (*proposal[2:4], proposal[5])):
        trigger = words.get((place, kind))
        if trigger is None:
            trigger = words[place, kind] = _naming(stage, place, kind)
        roles = {role: stage.mentions[number] for role, number in members}
        valid = gold.is_any and gold.states(kind, {role: mention.id for role, mention in roles.items()}, trigger)
        clues = () if known is None else known.clues(Trigger(place, kind, share), dict(members))
        yield interaction_candidate(stage.document, stage.first, trigger, roles, (kind,) if valid else (), clues)


def _naming(stage: Stage, place: int, kind: str) -> Mention:
    """A token as the word that names an interaction of a type."""
    token = stage.tokens[place]
    return trigger_mention(kind, token.start, token.end, stage.document.text[token.start : token.end])


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
    triggers = list(policy.triggers(stage))
    near = nearest(stage, [trigger.token for trigger in triggers], policy)
    for trigger in triggers:
        distance = {number: steps for steps, number in near[trigger.token]}
        for members in _combinations(stage, policy, trigger, sorted(distance)):
            chosen = [number for _, number in members]
            mean = sum(distance[number] for number in chosen) / len(chosen)
            doubt = mean - log(max(trigger.share, LEAST_SHARE)) + THIRD * (len(chosen) > 2)
            if doubt <= policy.max_doubt:
                yield doubt, mean, trigger.token, trigger.type, trigger.share, members


def _linked_proposals(triggers: Iterable[Trigger], known: SentenceLinks, policy: InteractionPolicy) -> Iterator[Proposal]:
    """The same by what was learned of links: doubtful is what has an unlikely link.

    Doubts add up, so an entity that is too doubtful in a role by itself is not combined with others.
    """
    at_most = policy.max_doubt
    stage, markers = known.stage, known.stage.cell_markers
    for trigger in triggers:
        linked = known.linked(trigger)  # all of them may take part, and none may be a site
        unmarked = [number for number in linked if stage.mentions[number].id not in markers] if markers else linked
        as_theme, as_cause = known.doubts(trigger)
        for roles in policy.signatures_of(trigger.type):
            own = [as_cause if role == CAUSE else as_theme for role in roles]
            able = [() if role == SITE else linked if len(roles) == 1 else unmarked for role in roles]
            likely = [[one for one in ones if doubts[one] <= at_most] for ones, doubts in zip(able, own, strict=True)]
            for chosen in _chosen(stage, roles, likely):
                doubt = sum([doubts[one] for doubts, one in zip(own, chosen)])
                doubt = 2 * doubt if len(chosen) == 1 else doubt
                if doubt <= at_most:
                    members = tuple(zip(roles, chosen, strict=True))
                    yield doubt, doubt, trigger.token, trigger.type, trigger.share, members


def _combinations(stage: Stage, policy: InteractionPolicy, trigger: Trigger, entities: Sequence[int]) -> Iterator[Members]:
    """Who may take part in which role."""
    for roles, able in _able(stage, policy, trigger, entities):
        yield from (tuple(zip(roles, chosen, strict=True)) for chosen in _chosen(stage, roles, able))


def _able(
    stage: Stage, policy: InteractionPolicy, trigger: Trigger, entities: Sequence[int]
) -> Iterator[tuple[Signature, list[list[int]]]]:
    """For each signature the entities that may have each role: none that only names a kind of cell, unless it is alone."""
    mentions, markers = stage.mentions, stage.cell_markers
    for roles in policy.signatures_of(trigger.type):
        taking = [number for number in entities if len(roles) == 1 or mentions[number].id not in markers]
        yield roles, [[number for number in taking if policy.may_be(mentions[number], role)] for role in roles]


def _chosen(stage: Stage, roles: Signature, able: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """One entity for each role: none in two roles, none that share characters."""
    mentions, overlapping = stage.mentions, stage.overlapping
    two_themes = (roles.index(THEME), roles.index(THEME2)) if THEME in roles and THEME2 in roles else None
    for chosen in product(*able):
        if len(set(chosen)) < len(chosen):
            continue
        if two_themes and chosen[two_themes[0]] > chosen[two_themes[1]]:
            continue  # themes have no order: the first in the text is the first
        if overlapping and any(other in overlapping.get(mentions[one].id, ()) for one in chosen for other in chosen):
            continue
        yield chosen


@cache
def _classes(types: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(entity_class, types))


ALONE: Signature = (THEME,)
ONE_THEME: tuple[Signature, ...] = ((CAUSE, THEME),)
TWO_THEMES: tuple[Signature, ...] = ((THEME, THEME2), (CAUSE, THEME, THEME2))
FOLDS, NEIGHBOURS = 3, 10
"""Parts of the training text whose candidates are made without what was learned of them; so many documents stay together."""
ANY_DOUBT = 1e9
"""A bound that is none, in a form that JSON takes."""
_ROLES = frozenset({CAUSE, THEME, THEME2, SITE})
_REMEDY = "use TriggerLexicon.learn, extend one, or for AMR set open_types=True"


@dataclass(frozen=True, slots=True)
class InteractionPolicy(CandidatePolicy):
    """Which interactions are candidates.

    Parameters
    ----------
    lexicon
        Words that name interactions; ``None``: those that name them in the text that a model is fitted on (:meth:`fitted`).
    open_types
        In meaning graphs, let every frame that a word expresses name an interaction of its own kind (``bind-01``: *bind*) where
        the lexicon is silent.
    signatures
        Type → the combinations of roles in which it occurs, out of ``cause``, ``theme``, ``theme2`` (two themes have no order)
        and ``site``. Other types have a cause and a theme.
    entity_types
        Types of entities that may take part (as :func:`~relhash.candidates.symbols.entity_class` sees them); ``None``: all but
        those that may only be sites.
    site_types
        Types of entities that may be a ``site``, and nothing else.
    max_distance
        The longest path from the trigger to a participant, in steps.
    max_participants
        How many entities, the nearest in the graph, a trigger is combined with.
    max_candidates
        How many candidates a sentence may have, those of the least doubt; as many again about one participant.
    max_doubt
        How doubtful a candidate may be: the mean number of steps from the trigger to its participants, minus the logarithm of
        the share of such words that name the type. Chosen on held-out training documents of BioNLP.
    one_participant
        Also events about one participant: the expression of a gene, a regulation whose cause is not named. Others are then
        nested around them (:func:`~relhash.candidates.statements.output.with_interactions`).
    links
        What was learned of the links between triggers and entities (:meth:`fitted`). Doubt is then how unlikely the links of a
        candidate are, in place of distances and shares, and candidates have clues.
    """

    lexicon: TriggerLexicon | None = None
    open_types: bool = False
    signatures: Mapping[str, Sequence[Signature]] = field(default_factory=lambda: {"Binding": TWO_THEMES, "bind": TWO_THEMES})
    entity_types: Sequence[str] | None = None
    site_types: Sequence[str] = ("Entity", "protein-segment", "amino-acid", "site")
    max_distance: int = 10
    max_participants: int = 12
    max_candidates: int = 150
    max_doubt: float = 12.0
    one_participant: bool = False
    links: LinkModel | None = None

    kind: ClassVar[str] = "interactions"
    has_roles: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for name in ("max_distance", "max_participants", "max_candidates"):
            if getattr(self, name) < 1:
                raise ParameterError(f"{name}={getattr(self, name)}: at least 1")
        if not self.max_doubt > 0:
            raise ParameterError(f"max_doubt={self.max_doubt}: more than 0")
        for kind, signatures in self.signatures.items():
            for roles in signatures:
                if not roles or not _ROLES.issuperset(roles) or len(set(roles)) < len(roles):
                    raise ParameterError(
                        f"signatures[{kind!r}]: {roles!r} must be distinct names out of {', '.join(sorted(_ROLES))}"
                    )
        if self.lexicon is not None and not len(self.lexicon) and not self.open_types:
            raise ParameterError(f"no word names an interaction: {_REMEDY}")

    def fitted(self, documents: Iterable[Document]) -> InteractionPolicy:
        """This policy; without a lexicon, with that of the annotated interactions of ``documents``, and with their links.

        Then also the types of entities that take part in them are the ones that may (unless ``entity_types`` says so).
        """
        if self.lexicon is not None or self.open_types:
            return self
        documents = list(documents)
        learned = TriggerLexicon.learn(documents)
        if not len(learned):
            raise ParameterError(
                "the training text states no interaction: events with a trigger and two participants are expected (BioNLP .a2 "
                f"or brat .ann files with E lines); {_REMEDY}"
            )
        sites = {entity_class(name) for name in self.site_types}
        taking_part = {
            entity_class(document.mention_by_id[mention].type)
            for document in documents
            for stated in gold_interactions(document).stated
            for _, mention in stated.roles
        }
        known = replace(self, lexicon=learned, entity_types=self.entity_types or tuple(sorted(taking_part - sites)))
        if any(SITE in roles for signatures in self.signatures.values() for roles in signatures):
            return known  # nothing is learned of links to sites
        return replace(known, links=LinkModel.learn(documents, known))

    def candidates(self, documents: Iterable[Document], allow: Allow | None = None) -> Iterator[Candidate]:
        found = interaction_candidates(documents, self)
        return filter(allow, found) if allow else found

    def training_candidates(self, documents: Iterable[Document]) -> Iterator[Candidate]:
        """The candidates of the text that :meth:`fitted` learned from, each made without what its own part of it taught.

        A word that only this document has seen would otherwise look well known, and every link certain.
        """
        documents = list(documents)
        if self.links is None:
            yield from self.candidates(documents)
            return
        unlearned = replace(self, lexicon=None, links=None)
        number_of = [number // NEIGHBOURS % FOLDS for number in range(len(documents))]
        found: dict[int, list[Candidate]] = {}
        for fold in sorted(set(number_of)):
            others = [document for document, own in zip(documents, number_of, strict=True) if own != fold]
            without = unlearned.fitted(others) if any(document.relations for document in others) else self
            for number, document in enumerate(documents):
                if number_of[number] == fold:
                    found[number] = list((without if without.links else self).candidates([document]))
        for number in range(len(documents)):
            yield from found[number]

    def given_type(self, candidate: Candidate) -> str | None:
        return candidate.supposed_type

    def is_directed(self, candidate: Candidate) -> bool:
        return CAUSE in candidate.roles

    def groups(self, found: Sequence[Candidate]) -> list[str] | None:
        """Types, and apart from them events about one participant: what is easy to tell has another threshold."""
        return [f"{interaction_type(one)} alone" if len(one.mentions) == 2 else interaction_type(one) for one in found]

    def consistent(
        self, found: Sequence[Candidate], scores: Sequence[float], accepted: Sequence[bool], relations: Sequence[str]
    ) -> list[bool]:
        return consistent(found, scores, accepted)

    def with_max_pairs(self, at_most: int) -> InteractionPolicy:
        """The policy that keeps this many candidates of a sentence, the least doubtful, however doubtful they are.

        On held-out training documents of BioNLP 400 hold 0.87 of what is stated, at 77 per sentence; the bounds of before 0.83
        at 36. A model that has not seen such doubtful ones accepts next to none of them.
        """
        return replace(self, max_candidates=at_most, max_doubt=ANY_DOUBT)

    def signatures_of(self, kind: str) -> Sequence[Signature]:
        """The combinations of roles in which interactions of a type occur."""
        found = self.signatures.get(kind, ONE_THEME)
        return (*found, ALONE) if self.one_participant and ALONE not in found else found

    def triggers(self, stage: Stage) -> Iterator[Trigger]:
        """Triggers of a sentence by the lexicon, and by the frames that it does not know."""
        if self.lexicon is None and not self.open_types:
            raise ParameterError(f"this policy does not know yet which words name interactions: fit a model, or {_REMEDY}")
        known: set[int] = set()
        for trigger in self.lexicon.find(stage) if self.lexicon is not None else ():
            known.add(trigger.token)
            yield trigger
        if self.open_types:
            yield from (trigger for trigger in frame_triggers(stage) if trigger.token not in known)

    def may_be(self, mention: Mention, role: str) -> bool:
        """Whether the type of ``mention`` allows the role."""
        kind = entity_class(mention.type)
        if kind in _classes(tuple(self.site_types)):
            return role == SITE
        return role != SITE and (self.entity_types is None or kind in _classes(tuple(self.entity_types)))
