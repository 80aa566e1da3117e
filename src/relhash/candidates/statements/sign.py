"""The sign of what a sentence says of two entities, composed of the words on the way between them.

*Loss of Smad4 enhances EGFR expression*: *loss* turns the sign, *enhances* does not, *expression* says that the amount is
meant. So Smad4 decreases the amount of EGFR, and what the experiment did to it (``perturbation``) is the *loss of* it. Nested
regulations multiply (*A prevents the inhibition of B*). Cues are rows of ``resources/statements/cues.tsv``; a cue counts where
it lies on the way from the subject over the trigger to the object in the dependency graph, or modifies a word there.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from relhash.candidates.graph import Connection
from relhash.candidates.scene import Stage
from relhash.corpus.document import Mention
from relhash.resources import resource_path

LOSS, DOWN, UP, AMOUNT, ACTIVITY, CONTEXT = "loss", "down", "up", "amount", "activity", "context"
_MODIFIED_BY = frozenset({"amod>", "advmod>"})
"""Steps from a word to what qualifies it: *reduced* of *reduced expression*, *negatively* of *negatively regulates*."""
_HYPHENS = frozenset("-‐‑–")
_NEAR = 3
"""Tokens behind a name within which a hyphen or a word may say what was done to it: *Stat3 -/- mice*, *Smad4 siRNA*."""


class Cue(NamedTuple):
    """What a word does to a sign: its own (-1 turns it), what kind of word it is, and what it says of the object."""

    sign: int
    kind: str
    aspect: str


@dataclass(frozen=True, slots=True)
class Composed:
    """The sign of a statement and what it was composed of.

    Attributes
    ----------
    sign
        1 or -1 for the wild type: more of the subject is more, or less, of the object.
    observed
        The sign that the sentence itself reports, the perturbation left in: of *loss of A enhances B* it is 1.
    aspect
        ``"amount"`` or ``"activity"`` of the object; empty if no word says.
    perturbation
        What was done to the subject, as the sentence says it: ``"loss of"``.
    cues
        The words that counted, from the subject to the object.
    """

    sign: int
    observed: int
    aspect: str = ""
    perturbation: str = ""
    cues: tuple[tuple[str, Cue], ...] = ()
    is_context: bool = False
    """Whether the subject is only that in response to which something was seen, not the subject of the trigger."""


def compose(stage: Stage, subject: Mention, object: Mention, trigger: int | None, sign: int = 1) -> Composed:
    """The sign of a statement about two mentions of a parsed sentence.

    Parameters
    ----------
    trigger
        The token that names the relation; ``None``: whatever lies on the shortest path.
    sign
        That of the trigger, where the table of cues does not know its word.
    """
    start, goal = stage.tokens_of(subject), stage.tokens_of(object)
    first, second = _ways(stage, start, goal, trigger)
    before = list(_cues(stage, first, start, is_subject=True, without=trigger))
    named_and_after = second if trigger is None else (trigger, *second)
    after = list(_cues(stage, named_and_after, goal, is_subject=False, without=trigger))
    if len(goal) > 1 and (inside := cue_of(stage.words[goal[-1]])) is not None and inside.kind == AMOUNT:
        after.append((goal[-1], inside))  # the tagger takes "EGFR mRNA" for a name
    own = None if trigger is None else cue_of(stage.words[trigger])
    is_context = any(cue.kind == CONTEXT for _, cue in before)
    named = own.sign if own is not None and own.kind in (DOWN, UP, LOSS) and own.sign else sign
    observed = (1 if is_context else named) * _product(after)
    lost = [(token, cue) for token, cue in before if cue.sign < 0]
    counted = [*before, *([] if own is None or trigger is None else [(trigger, own)]), *after]
    return Composed(
        sign=observed * _product(before),
        observed=observed,
        aspect=_aspect(after, own),
        perturbation=_in_words(stage, [token for token, _ in lost], start) if lost else "",
        cues=tuple((stage.tokens[token].text, cue) for token, cue in counted),
        is_context=is_context,
    )


def _ways(
    stage: Stage, start: Sequence[int], goal: Sequence[int], trigger: int | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The inner tokens from the subject to the trigger, and from there to the object."""
    if not stage.is_parsed:
        return (), ()
    if trigger is None or trigger in start or trigger in goal:
        path = stage.graph.shortest_path(start, goal)
        inner = path.tokens[1:-1] if path.connection is Connection.PATH else ()
        if trigger is None and inner:
            top = inner.index(path.top) if path.top in inner else 0
            return inner[:top], inner[top:]
        return inner, ()
    sides = (stage.graph.shortest_path(start, (trigger,)), stage.graph.shortest_path((trigger,), goal))
    return sides[0].tokens[1:-1], sides[1].tokens[1:-1]


def _cues(
    stage: Stage, way: Sequence[int], name: Sequence[int], *, is_subject: bool, without: int | None
) -> Iterator[tuple[int, Cue]]:
    """Cues on a way and beside it, each word once, in the order of the text."""
    seen = {*name, *(() if without is None else (without,))}
    found: dict[int, Cue] = {}
    for token in way:
        cue = cue_of(stage.words[token])
        if token not in seen and cue is not None:
            found[token] = cue
    for token in (*way, *name):
        for other, label in stage.graph.steps[token].items() if stage.is_parsed else ():
            cue = cue_of(stage.words[other]) if label in _MODIFIED_BY else None
            if cue is not None and cue.kind in (LOSS, DOWN, UP) and other not in seen:
                found.setdefault(other, cue)
    if is_subject:
        found |= {token: cue for token, cue in _attached(stage, name) if token not in seen}
    yield from sorted(found.items())


def _attached(stage: Stage, name: Sequence[int]) -> Iterator[tuple[int, Cue]]:
    """Words of loss that stand right at a name, whatever the parser made of them: *siRNA*, *-deficient*, *-/-*, *anti-*."""
    words, last, first = stage.words, max(name), min(name)
    after = range(last + 1, min(last + 1 + _NEAR, len(words)))
    if len(after) > 2 and words[after[1]] == "/" and {words[after[0]], words[after[2]]} <= _HYPHENS:
        yield after[0], Cue(-1, LOSS, "")
    for place in after:
        if words[place] in _HYPHENS:
            continue
        cue = cue_of(words[place])
        if cue is not None and cue.kind == LOSS:
            yield place, cue
        break
    before = [place for place in range(max(0, first - 2), first) if words[place] not in _HYPHENS]
    if before:
        cue = cue_of(words[before[-1]])
        if cue is not None and cue.kind == LOSS:
            yield before[-1], cue


def _product(cues: Sequence[tuple[int, Cue]]) -> int:
    sign = 1
    for _, cue in cues:
        sign *= cue.sign or 1
    return sign


def _aspect(after: Sequence[tuple[int, Cue]], own: Cue | None) -> str:
    """What of the object is meant: the word nearest to it decides, then the trigger itself."""
    said = [cue.aspect for _, cue in after if cue.aspect] or ([own.aspect] if own is not None and own.aspect else [])
    return AMOUNT if AMOUNT in said else said[0] if said else ""


def _in_words(stage: Stage, tokens: Sequence[int], name: Sequence[int]) -> str:
    """The words of a perturbation as the sentence writes them, with the *of* that follows."""
    first, last = min(tokens), max(tokens)
    text, end = stage.document.text, stage.tokens[last].end
    if last < min(name) and min(name) - last <= 4:
        end = stage.tokens[min(name)].start
    return " ".join(text[stage.tokens[first].start : end].split()).strip(" -") if last - first < 6 else stage.tokens[first].text


@lru_cache(maxsize=16384)
def cue_of(word: str) -> Cue | None:
    """What the table says of a word: its own row, else the longest row with a star that it begins with."""
    exact, beginnings = _table()
    word = word.lower()
    found = exact.get(word)
    for length in range(len(word), 2, -1) if found is None else ():
        found = beginnings.get(word[:length])
        if found is not None:
            break
    return found


@cache
def _table() -> tuple[dict[str, Cue], dict[str, Cue]]:
    exact, beginnings = {}, {}
    with resource_path("statements", "cues.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            cue = Cue({"+": 1, "-": -1}.get(row["sign"], 0), row["kind"], row["aspect"])
            if row["word"].endswith("*"):
                beginnings[row["word"][:-1]] = cue
            else:
                exact[row["word"]] = cue
    return exact, beginnings
