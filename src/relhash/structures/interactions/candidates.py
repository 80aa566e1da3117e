"""Candidates of interactions: a trigger that gives the type, and participants in roles, read off a sentence's graph.

An interaction candidate is an ordinary :class:`~relhash.structures.candidates.Candidate`. Its trigger is one of the mentions,
in the role ``"trigger"``; the type of the interaction is the trigger's type, so that it is part of what is judged valid or
invalid. All that works on candidates works on it; :mod:`relhash.structures.interactions.roles` has views that keep the roles
apart.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import permutations
from typing import Any, ClassVar, Self

from relhash.corpus.document import Document, Mention
from relhash.errors import ParameterError, StructureError
from relhash.structures.candidates import Candidate, overlap, surface_order
from relhash.structures.graph import Connection
from relhash.structures.interactions.gold import CAUSE, SITE, THEME, THEME2, GoldInteractions, gold_interactions
from relhash.structures.interactions.roles import TRIGGER
from relhash.structures.interactions.triggers import Trigger, TriggerLexicon, frame_triggers
from relhash.structures.policies import Allow, CandidatePolicy
from relhash.structures.stage import SortedEntities, Stage
from relhash.structures.symbols import entity_class

__all__ = [
    "CAUSE", "SITE", "THEME", "THEME2", "TRIGGER", "InteractionPolicy", "interaction_candidate", "interaction_candidates",
    "interaction_type", "participants", "supposed_type", "trigger_mention",
]  # fmt: skip

Signature = tuple[str, ...]
ONE_THEME: tuple[Signature, ...] = ((CAUSE, THEME),)
TWO_THEMES: tuple[Signature, ...] = ((THEME, THEME2), (CAUSE, THEME, THEME2))
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
        Types of entities that may take part (as :func:`~relhash.structures.symbols.entity_class` sees them); ``None``: all but
        those that may only be sites.
    site_types
        Types of entities that may be a ``site``, and nothing else.
    max_distance
        The longest path from the trigger to a participant, in steps.
    max_participants
        How many entities, the nearest in the graph, a trigger is combined with.
    max_candidates
        How many candidates a sentence may have; those with the shortest paths stay, then those with the surest trigger.
    """

    lexicon: TriggerLexicon | None = None
    open_types: bool = False
    signatures: Mapping[str, Sequence[Signature]] = field(default_factory=lambda: {"Binding": TWO_THEMES, "bind": TWO_THEMES})
    entity_types: Sequence[str] | None = None
    site_types: Sequence[str] = ("Entity", "protein-segment", "amino-acid", "site")
    max_distance: int = 5
    max_participants: int = 6
    max_candidates: int = 100

    kind: ClassVar[str] = "interactions"
    has_roles: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for name in ("max_distance", "max_participants", "max_candidates"):
            if getattr(self, name) < 1:
                raise ParameterError(f"{name}={getattr(self, name)}: at least 1")
        for kind, signatures in self.signatures.items():
            for roles in signatures:
                if not roles or not _ROLES.issuperset(roles) or len(set(roles)) < len(roles):
                    raise ParameterError(
                        f"signatures[{kind!r}]: {roles!r} must be distinct names out of {', '.join(sorted(_ROLES))}"
                    )
        if self.lexicon is not None and not len(self.lexicon) and not self.open_types:
            raise ParameterError(f"no word names an interaction: {_REMEDY}")

    def fitted(self, documents: Iterable[Document]) -> InteractionPolicy:
        """This policy; without a lexicon, with that of the annotated interactions of ``documents``.

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
        return replace(self, lexicon=learned, entity_types=self.entity_types or tuple(sorted(taking_part - sites)))

    def candidates(self, documents: Iterable[Document], allow: Allow | None = None) -> Iterator[Candidate]:
        """:func:`interaction_candidates` by this policy, so that it serves wherever a policy of candidates does."""
        return filter(allow, interaction_candidates(documents, self)) if allow else interaction_candidates(documents, self)

    def given_type(self, candidate: Candidate) -> str | None:
        return supposed_type(candidate)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, **asdict(self)}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        own: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value  # JSON has no tuples
            for name, value in given.items()
            if name != "kind"
        }
        if own["lexicon"] is not None:
            own["lexicon"] = TriggerLexicon(**own["lexicon"])
        own["signatures"] = {
            kind: tuple(tuple(roles) for roles in listed) for kind, listed in own["signatures"].items()
        }
        return cls(**own)

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
        if kind in {entity_class(name) for name in self.site_types}:
            return role == SITE
        return role != SITE and (self.entity_types is None or kind in {entity_class(name) for name in self.entity_types})


def interaction_candidates(documents: Iterable[Document], policy: InteractionPolicy) -> Iterator[Candidate]:
    """The interaction candidates of parsed documents, sentence by sentence, valid ones with their type as relation.

    Examples
    --------
    >>> from relhash.language.amr.documents import amr_document
    >>> document = amr_document('''# ::id d
    ... # ::snt Ras phosphorylates Raf
    ... (p / phosphorylate-01 :ARG0 (a / protein :name (n / name :op1 "Ras"))
    ...                       :ARG1 (b / enzyme :name (m / name :op1 "Raf")))''')
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
            if len(entities.starting_in(document.sentences[number].start, document.sentences[number].end)) < 2:
                continue
            gold = gold or gold_interactions(document)
            yield from _of_sentence(Stage(document, number, entities=entities), policy, gold)


def interaction_candidate(
    document: Document, sentence: int, trigger: Mention, roles: Mapping[str, Mention], relations: tuple[str, ...] = ()
) -> Candidate:
    """A candidate of the trigger's type with participants in ``roles``."""
    members = sorted([(trigger, TRIGGER), *((mention, role) for role, mention in roles.items())], key=_surface)
    return Candidate(document, sentence, tuple(m for m, _ in members), tuple(role for _, role in members), relations)


def trigger_mention(kind: str, start: int, end: int, text: str) -> Mention:
    """The mention that stands for a trigger in a candidate; its id says type and place."""
    return Mention(f"{kind}@{start}-{end}", kind, ((start, end),), text, is_trigger=True)


def interaction_type(candidate: Candidate) -> str:
    """The type of the interaction that a candidate supposes."""
    return candidate.mentions[candidate.roles.index(TRIGGER)].type


def supposed_type(candidate: Candidate) -> str | None:
    """The same, or ``None`` for a candidate without a trigger (a pair)."""
    return interaction_type(candidate) if TRIGGER in candidate.roles else None


def participants(candidate: Candidate) -> dict[str, Mention]:
    """Role → participant, without the trigger."""
    return {role: mention for role, mention in zip(candidate.roles, candidate.mentions, strict=True) if role != TRIGGER}


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
    """Mean distance, doubt, token and type of the trigger, and the participants by role: the smallest are the best."""
    near: dict[int, list[tuple[int, int]]] = {}
    for trigger in policy.triggers(stage):
        if trigger.token not in near:
            near[trigger.token] = _nearest(stage, trigger.token, policy)
        distance = {number: steps for steps, number in near[trigger.token]}
        for roles in policy.signatures.get(trigger.type, ONE_THEME):
            for chosen in permutations(sorted(distance), len(roles)):
                members = tuple(zip(roles, chosen, strict=True))
                if _is_allowed(stage, policy, dict(members)):
                    mean = sum(distance[number] for number in chosen) / len(chosen)
                    yield mean, -trigger.share, trigger.token, trigger.type, members


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


def _surface(member: tuple[Mention, str]) -> tuple[tuple[tuple[tuple[int, int], ...], str], str]:
    return surface_order(member[0]), member[1]
