"""Whether a sentence states a relation, denies it, or leaves it open.

A cue counts only where it governs or modifies the words of the statement: *RAF1, which does not bind GRB2, binds MEK1* states
that RAF1 binds MEK1. Where cues attach is read off the parse (:mod:`relhash.biomed.cues`); two small logistic regressions weigh
what is found there (:class:`AssertionModel`). Text without a parse is judged by the words between and right before the
participants.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from relhash.biomed.cues import CUES, WEAK, Attachment, Cue, CueScope, Statement, Way
from relhash.resources import resource_path

_BELOW = frozenset({"neg>", "advmod>", "det>", "case>", "preconj>", "cc>", "aux>", "amod>", "mark>", "complm>"})
"""How a word that modifies hangs below what it modifies."""
_BESIDE_NAMES = frozenset({"neg>", "det>", "preconj>", "cc>"})
"""The same below a participant: *but not MEK1*, *neither RAF1 nor BRAF*."""
_PART_OF = frozenset({"<nn", "<amod", "<hyphen", "<poss", "<prep_of"})
"""How a participant hangs below the noun that it is part of: *neither IFN-stimulated expression nor the induction of IRF1*."""
_SUPPORT = frozenset(
    {
        "show", "detect", "observe", "find", "see", "have", "exhibit", "display", "note", "identify", "demonstrate", "reveal",
        "evidence", "indication", "sign",
    }
)  # fmt: skip
"""Words that say of something no more than that it is there: *binding was not detected*, *no evidence that it binds*."""
_SUPPORTED = frozenset({"<nsubjpass", "<dobj", "<ccomp", "<prep_of"})
_COMPLEMENT = frozenset({"<xcomp", "<dobj", "<prep_of", "<prep_in", "<prepc", "<prep_to", "<infmod", "<vmod"})
_CLAUSE = frozenset({*_COMPLEMENT, "<ccomp", "<acl"})
_STUDIED = frozenset({"<dobj", "<prep_of", "<nsubjpass"})
_CONTRAST = frozenset({"but", "and", ","})
_NEW_START = frozenset({"but", "and", "while", "whereas", "which", "that", "when", "if", "because", "since", "after", ";", ":"})
_TURNED_AWAY = frozenset({"independent", "insensitive", "refractory", "unresponsive"})
"""Adjectives that deny what they join: *RAF1 is insensitive to MEK1*, *the RAF1-independent activation of MEK1*."""
REACH = 8
"""Words after a *but not* within which a name is taken out by it."""
NEAR = 3
"""Words before the first participant that count where the sentence is not parsed."""


def governing_cues(scope: CueScope, statement: Statement) -> Iterator[Attachment]:
    """The cues that have the statement in their scope."""
    for cue in scope.cues:
        if cue.word in WEAK:
            continue
        if any(_governs(cue, scope, token) for token in statement.head if token in cue.ways) or (
            cue.kind is Cue.NEGATION
            and (any(_stands_by(cue, token) for token in statement.participants) or _leaves_out(cue, scope, statement))
        ):
            yield cue


def denies_by_itself(cue: Attachment, statement: Statement) -> bool:
    """Whether an adjective that names the statement, or has a participant in its compound, denies it."""
    if cue.word not in _TURNED_AWAY:
        return False
    return statement.head[:1] == (cue.token,) or any(cue.ways.get(token) == ("<hyphen",) for token in statement.participants)


def surrounding_cues(scope: CueScope, statement: Statement) -> Iterator[Attachment]:
    """The cues between the participants or shortly before them, and a *whether* anywhere before: for text without a parse."""
    around = statement.participants or statement.head
    if not around:
        return
    first, last = min(around), max(around)
    for cue in scope.cues:
        is_plain = cue.kind in (Cue.NEGATION, Cue.DENIAL, Cue.MODAL) and cue.word not in WEAK and cue.token not in around
        if (is_plain and first - NEAR <= cue.token <= last) or (cue.word == "whether" and cue.token < first):
            yield cue


def _governs(cue: Attachment, scope: CueScope, token: int) -> bool:
    way = way_to(cue, scope, token)
    match cue.kind:
        case Cue.NEGATION | Cue.MODAL | Cue.QUESTION:
            return _modifies(way)
        case Cue.DENIAL:
            return way == () or _is_one_of(way, _COMPLEMENT) or way in (("amod>",), ("<nsubj",))
        case Cue.HEDGE:
            return _is_one_of(way, _CLAUSE) or (len(way) == 2 and way[0] in ("<xcomp", "<conj") and way[1] in _CLAUSE)
        case Cue.STUDY:
            return _is_one_of(way, _STUDIED)


def _modifies(way: Way) -> bool:
    """Directly, or what has the word as its complement: *did not seem to bind*."""
    return _is_one_of(way, _BELOW) or (len(way) == 2 and way[0] == "<xcomp" and way[1] in _BELOW)


def way_to(cue: Attachment, scope: CueScope, token: int) -> Way:
    """The way from a token to a cue; a cue below a supporting verb counts as one below the token itself."""
    way = cue.ways[token]
    if len(way) == 2 and way[0] in _SUPPORTED and way[1] in _BELOW and scope.tokens[cue.following[token]].lemma in _SUPPORT:
        return way[1:]
    return way


def _stands_by(cue: Attachment, token: int) -> bool:
    way = cue.ways.get(token, ())
    if cue.word == "neither":
        # not *no*: in "no inhibition of RAF1 expression" the expression is there
        way = way[-1:] if _PART_OF.issuperset(way[:-1]) else way
    return _is_one_of(way, _BESIDE_NAMES)


def _leaves_out(cue: Attachment, scope: CueScope, statement: Statement) -> bool:
    """Whether one of the participants is what *but not* takes out: *RAF1 binds to MEK1, but not to AKT1 or to JUN*.

    Parsers hang such a *not* on the verb, on the preposition or on what comes after, so the words decide: the others stand
    before it, and from the *not* to the participant neither a verb nor a *but* begins something new.
    """
    if cue.word != "not" or cue.token == 0 or scope.tokens[cue.token - 1].text.lower() not in _CONTRAST:
        return False
    left_out = [token for token in statement.participants if 0 < token - cue.token <= REACH]
    if not left_out or min(statement.participants) > cue.token:
        return False
    between = range(cue.token + 1, min(left_out))
    return not any(number in statement.head or _begins_anew(scope, number) for number in between)


def _begins_anew(scope: CueScope, number: int) -> bool:
    token = scope.tokens[number]
    return token.pos.startswith(("V", "MD")) or token.text.lower() in _NEW_START


def _is_one_of(way: Way, steps: frozenset[str]) -> bool:
    return len(way) == 1 and way[0] in steps


_SAID_OF: frozenset[Way] = frozenset({("<xcomp",), ("<infmod",)})
_GOVERNING = frozenset({Cue.DENIAL, Cue.HEDGE})


def features(scope: CueScope, statement: Statement) -> set[str]:
    """Names of all that holds of the statement; empty where no cue is near."""
    found = {feature for cue in scope.cues for feature in _of_cue(cue, scope, statement)}
    for cue in governing_cues(scope, statement):
        found |= {f"rule {cue.kind}", f"rule {cue.word}"}
    return found


def _of_cue(cue: Attachment, scope: CueScope, statement: Statement) -> Iterator[str]:
    head, aside = nearest(cue, _said(cue, statement.head)), nearest(cue, statement.participants)
    first = scope.tokens[statement.head[0]] if statement.head else None
    if head is not None and first is not None:
        way = way_to(cue, scope, head)
        yield from _named(cue, "head", way)
        yield f"{cue.kind} head {shape(way)} {first.pos[:1]}"
        yield f"{cue.word} head {shape(way)}"
        if way:
            yield f"{cue.kind} {'before' if cue.token < head else 'after'} {len(way)}"
            yield f"{cue.kind} first {way[0]} last {way[-1]}"
        if len(way) == 2:
            middle = scope.tokens[cue.following[head]].lemma
            yield f"{cue.kind} over {middle} {shape(way)}"
            if middle in CUES:
                yield f"{cue.word} over {middle}"
    if aside is not None and len(cue.ways[aside]) < 3 and (head is None or len(cue.ways[aside]) <= len(cue.ways[head])):
        yield from _named(cue, "participant", cue.ways[aside])
    for where, part in (("head", statement.head), ("participant", statement.participants)):
        if cue.token + 1 in part:
            yield f"{cue.kind} right before {where}"
            yield f"{cue.word} right before {where}"


def _said(cue: Attachment, head: Sequence[int]) -> Sequence[int]:
    """Where the cue is itself a word of the statement, as in *appears to bind*, the words that it is said of."""
    if cue.kind not in _GOVERNING or cue.token not in head:
        return head
    return [token for token in head if cue.ways.get(token) in _SAID_OF] or head


def _named(cue: Attachment, where: str, way: Way) -> Iterator[str]:
    told = " ".join(way) if len(way) < 4 else shape(way)
    yield f"{cue.kind} {where} {told}"
    if len(way) < 3:
        yield f"{cue.word} {where} {told}"


def nearest(cue: Attachment, tokens: Iterable[int]) -> int | None:
    """Of ``tokens`` the one with the shortest way to the cue."""
    near = [token for token in tokens if token in cue.ways]
    return min(near, key=lambda token: (len(cue.ways[token]), token)) if near else None


def shape(way: Sequence[str]) -> str:
    """A way without its labels: ``^`` for each step up, ``v`` for each down."""
    return "".join("^" if step.startswith("<") else "v" for step in way) or "self"


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
