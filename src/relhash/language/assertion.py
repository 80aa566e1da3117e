"""Whether a sentence states a relation, denies it, or leaves it open.

A cue counts only where it governs or modifies the words of the statement, not wherever it stands: *RAF1, which does not bind
GRB2, binds MEK1* states that RAF1 binds MEK1. Where cues attach is read off the parse (:mod:`relhash.language.cue_scope`); two
small logistic regressions weigh what is found there (:class:`AssertionModel`). Text without a parse is judged by the words
between and right before the participants.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from relhash.language.assertion_features import features
from relhash.language.assertion_rules import denies_by_itself, governing_cues, surrounding_cues
from relhash.language.cue_scope import Attachment, CueScope, Statement
from relhash.language.cues import Cue
from relhash.resources import resource_path

SURE = frozenset({"not", "no", "never", "neither"})
"""Cues that deny whatever is in their scope, whichever words a classifier has seen with them (of 416 training events 354)."""
_DENYING = frozenset({Cue.NEGATION, Cue.DENIAL})


class Assertion(StrEnum):
    """What a sentence says of a relation."""

    ASSERTED = "asserted"
    """It states it."""
    SPECULATIVE = "speculative"
    """It thinks it possible or likely, or says that somebody looked for it: *may bind*, *suggests that*, *analysis of*."""
    QUESTIONED = "questioned"
    """It asks without an answer: *we tested whether RAF1 binds MEK1*."""
    NEGATED = "negated"
    """It denies it."""


@dataclass(frozen=True, slots=True)
class LogisticModel:
    """A logistic regression over named features; ``threshold`` is the probability from which on it says yes."""

    bias: float
    weights: Mapping[str, float]
    threshold: float

    def probability(self, found: Iterable[str]) -> float:
        score = self.bias + math.fsum(self.weights.get(name, 0.0) for name in found)
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, score))))

    def holds(self, found: Iterable[str]) -> bool:
        return self.probability(found) >= self.threshold


@dataclass(frozen=True, slots=True)
class AssertionModel:
    """Is it negated? If not, is it speculative? One regression for each question."""

    negated: LogisticModel
    speculative: LogisticModel

    @classmethod
    def read(cls, path: Path) -> AssertionModel:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return cls(*(LogisticModel(**stored[name]) for name in ("negated", "speculative")))

    def of(self, scope: CueScope, statement: Statement) -> Assertion:
        """What the sentence behind ``scope`` says of a statement."""
        if statement.is_given:
            scope = scope.without(Cue.STUDY)
        if not scope.cues:
            return Assertion.ASSERTED
        if not scope.is_parsed:
            return _by_kind(list(surrounding_cues(scope, statement)))
        found = features(scope, statement)
        governing = list(governing_cues(scope, statement))
        if any(cue.word in SURE for cue in governing) or any(denies_by_itself(cue, statement) for cue in scope.cues):
            return Assertion.NEGATED
        if self.negated.holds(found):
            return Assertion.NEGATED
        if any(cue.kind is Cue.QUESTION for cue in governing):
            return Assertion.QUESTIONED
        return Assertion.SPECULATIVE if self.speculative.holds(found) else Assertion.ASSERTED


@cache
def shipped_model() -> AssertionModel:
    """The model that ships with RelHash (``tools/train_assertion.py`` makes it)."""
    return AssertionModel.read(resource_path("assertion", "model.json"))


def assertion_by_rules(scope: CueScope, statement: Statement) -> Assertion:
    """The same by rules alone: any cue with the statement in its scope counts."""
    return _by_kind(list((governing_cues if scope.is_parsed else surrounding_cues)(scope, statement)))


def _by_kind(cues: list[Attachment]) -> Assertion:
    kinds = {cue.kind for cue in cues}
    if kinds & _DENYING:
        return Assertion.NEGATED
    if Cue.QUESTION in kinds:
        return Assertion.QUESTIONED
    return Assertion.SPECULATIVE if kinds else Assertion.ASSERTED
