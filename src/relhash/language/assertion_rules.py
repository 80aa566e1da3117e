"""Which cues have a statement in their scope, by rules over the parse; and by words alone where there is none."""

from __future__ import annotations

from collections.abc import Iterator

from relhash.language.cue_scope import Attachment, CueScope, Statement, Way
from relhash.language.cues import WEAK, Cue

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
"""Words before the first participant that count where nobody has parsed the sentence."""


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
