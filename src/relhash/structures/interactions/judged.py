"""Candidates that experts have judged already: PubMed45's interactions as candidates with their labels.

The file says type and participants of each interaction, not the word that names it. It is looked for here: a word of the
type's stem, or one that the lexicon knows for the type, the nearest to the participants; else what joins the participants in
the graph. In text that nobody has judged every verb names candidates (:mod:`relhash.structures.interactions.verbs`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal, Self

from relhash.corpus.document import Document
from relhash.corpus.pubmed45 import SWAPPED, VALID, Interaction, interactions
from relhash.errors import ParameterError
from relhash.structures.candidate import Candidate
from relhash.structures.direction import CAUSE, THEME, THEME2
from relhash.structures.interactions.candidate import interaction_candidate, trigger_mention
from relhash.structures.interactions.naming import trigger_of
from relhash.structures.interactions.triggers import TriggerLexicon
from relhash.structures.interactions.verbs import verb_candidates
from relhash.structures.policies import Allow, CandidatePolicy
from relhash.structures.stage import Stage

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
        """The judged interactions whose participants the text spells; of text that nobody has judged, those of its verbs."""
        for document in documents:
            found = (candidate for _, candidate in judged_candidates(document, self))
            for candidate in found if interactions(document) else verb_candidates(document):
                if candidate is not None and (allow is None or allow(candidate)):
                    yield candidate

    def given_type(self, candidate: Candidate) -> str | None:
        """None where some are a class of their own because two roles are swapped: then a classifier tells."""
        return None if self.swapped == "class" else candidate.supposed_type

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, **asdict(self)}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        return cls(TriggerLexicon(**given["lexicon"]), given["swapped"])

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
        stage = stages.setdefault(number, Stage(document, number))
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
