"""Which interactions are candidates: the words that name them, the roles of each type, and how far participants may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Self

from relhash.corpus.document import Document, Mention
from relhash.errors import ParameterError
from relhash.structures.candidate import Candidate
from relhash.structures.direction import CAUSE, SITE, THEME, THEME2
from relhash.structures.interactions.candidate import interaction_type
from relhash.structures.interactions.candidates import interaction_candidates
from relhash.structures.interactions.consistency import consistent
from relhash.structures.interactions.gold import gold_interactions
from relhash.structures.interactions.link_model import LinkModel
from relhash.structures.interactions.triggers import Trigger, TriggerLexicon, frame_triggers
from relhash.structures.policies import Allow, CandidatePolicy
from relhash.structures.stage import Stage
from relhash.structures.symbols import entity_class

Signature = tuple[str, ...]
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
        Types of entities that may take part (as :func:`~relhash.structures.symbols.entity_class` sees them); ``None``: all but
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
        nested around them (:func:`~relhash.structures.interactions.output.with_interactions`).
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
        at 36. A model that was not told of so doubtful ones accepts next to none of them.
        """
        return replace(self, max_candidates=at_most, max_doubt=ANY_DOUBT)

    def to_dict(self) -> dict[str, Any]:
        links = None if self.links is None else self.links.to_dict()
        return {"kind": self.kind, **asdict(replace(self, links=None)), "links": links}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        own: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value  # JSON has no tuples
            for name, value in given.items()
            if name != "kind"
        }
        if own["lexicon"] is not None:
            own["lexicon"] = TriggerLexicon(**own["lexicon"])
        if own.get("links") is not None:
            own["links"] = LinkModel.from_dict(own["links"])
        own["signatures"] = {kind: tuple(tuple(roles) for roles in listed) for kind, listed in own["signatures"].items()}
        return cls(**own)

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
        if kind in {entity_class(name) for name in self.site_types}:
            return role == SITE
        return role != SITE and (self.entity_types is None or kind in {entity_class(name) for name in self.entity_types})
