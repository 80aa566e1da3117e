"""A statement: who does what to whom, with its sign, in the words of the field."""

from __future__ import annotations

from dataclasses import dataclass

from relhash.candidates.candidate import Candidate
from relhash.candidates.gold import CAUSE, THEME, THEME2
from relhash.candidates.scene import Scene, Stage
from relhash.candidates.statements.candidate import interaction_type, participants
from relhash.candidates.statements.sign import Composed, compose
from relhash.candidates.statements.types import StatementType, shipped_types
from relhash.corpus.document import Mention

NEGATIVE = frozenset({"Negative_regulation", "Protein_catabolism"})
"""Events that are negative whatever word names them, beside those whose name begins with *De*."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Type, participants, and the sign composed of the words between them.

    *Loss of Smad4 enhances EGFR expression* is a ``DecreaseAmount`` of EGFR by Smad4, its perturbation *Loss of*.
    """

    type: StatementType
    subject: Mention
    object: Mention
    composed: Composed

    @property
    def sign(self) -> str:
        """``positive`` or ``negative`` for the wild type; empty where the type has no sign."""
        return "" if not self.type.sign else self.composed.in_words


def composed_of(stage: Stage, candidate: Candidate) -> Composed:
    """The sign of an interaction candidate; of one about a single participant, of what is said of that one."""
    roles, kind, trigger = participants(candidate), interaction_type(candidate), candidate.trigger
    assert trigger is not None
    subject = roles.get(CAUSE, roles[THEME])
    object = roles[THEME2] if THEME2 in roles and CAUSE not in roles else roles[THEME]
    sign = -1 if kind in NEGATIVE or kind.startswith("De") else 1
    return compose(stage, subject, object, stage.tokens_of(trigger)[-1], sign)


def statement_of(scene: Scene) -> Statement | None:
    """The statement that an interaction of two participants makes; ``None`` for pairs and for events about one participant."""
    candidate = scene.candidate
    if candidate.trigger is None or not scene.stage.is_parsed:
        return None
    roles = participants(candidate)
    second = roles.get(THEME2)
    subject = roles.get(CAUSE) or (roles.get(THEME) if second is not None else None)
    object = roles.get(THEME) if CAUSE in roles else second
    if subject is None or object is None:
        return None
    composed = composed_of(scene.stage, candidate)
    kind = shipped_types().stated(interaction_type(candidate), composed.sign, composed.aspect)
    return Statement(kind, subject, object, composed)
