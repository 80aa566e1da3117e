"""What a classifier sees of a statement: for each cue of the sentence, where it attaches to the statement's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from relhash.language.assertion_rules import governing_cues, way_to
from relhash.language.cue_scope import Attachment, CueScope, Statement, Way
from relhash.language.cues import CUES, Cue

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
