"""Decisions that fit together: what is accepted of one sentence, jointly, the surest first.

=========================================  ===========================================================================
of one trigger word                        is accepted
=========================================  ===========================================================================
types of regulation, and other types       one of each: what increases something does not decrease it
a cause and a theme, and the two swapped   one direction
a pair, and a third participant with it    the surer of the two
two names of one thing                     nothing: *p21 (WAF1)* does nothing to itself
a regulation, and something more special   the latter: who phosphorylates something is not said to regulate it, too
an event about one participant, and one    the fuller one
of the same type with a cause
=========================================  ===========================================================================

What a ``Positive_regulation`` is about has its cause (*IL-4 induced expression of FOXP3*: an expression of FOXP3, caused by
IL-4), and what is regulated otherwise has none. So a regulation of a theme by a cause that is not positive leaves this pair no
other event, and a positive one gives its cause to the event about the theme whose trigger lies on the way. Each rule was chosen
on held-out training documents of BioNLP. Sentences are decided apart: a row never depends on other documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from relhash.candidates.candidate import TRIGGER, Candidate, surface_order
from relhash.candidates.gold import CAUSE, THEME, THEME2
from relhash.candidates.same_thing import SameThing
from relhash.candidates.scene import Stage
from relhash.candidates.statements.candidate import interaction_type, participants
from relhash.candidates.statements.output import STATES_INNER_CAUSE, Way
from relhash.candidates.statements.triggers import REGULATIONS

Caused = tuple[int, int, str, str]
"""Document, sentence, cause and theme."""


def consistent(found: Sequence[Candidate], scores: Sequence[float], accepted: Sequence[bool]) -> list[bool]:
    """Which of the ``accepted`` candidates stay."""
    things: dict[int, SameThing] = {}
    types: dict[tuple[object, ...], str] = {}
    taken: dict[tuple[object, ...], list[frozenset[str]]] = {}
    kept = [False] * len(found)
    # ties by key, so that the order of the candidates does not matter
    for number in sorted(range(len(found)), key=lambda n: (-scores[n], found[n].key)):
        candidate = found[number]
        if not accepted[number] or _are_one_thing(candidate, things):
            continue
        kind = interaction_type(candidate)
        word = candidate.mentions[candidate.roles.index(TRIGGER)]
        place = (id(candidate.document), word.spans, kind in REGULATIONS)
        if types.setdefault(place, kind) != kind:
            continue
        members = frozenset(mention.id for mention in participants(candidate).values())
        if len(members) > 1:
            known = taken.setdefault(place, [])
            if any(members <= other or other <= members for other in known):
                continue
            known.append(members)
        kept[number] = True
    _contradicted(found, kept)
    _implied(found, kept)
    fuller = {
        (_place(one), mention)
        for one, is_kept in zip(found, kept, strict=True)
        if is_kept and len(one.mentions) > 2
        for role, mention in _words(one)[2]
        if role != CAUSE
    }
    for number, one in enumerate(found):
        if kept[number] and len(one.mentions) == 2:
            kept[number] = all((_place(one), mention) not in fuller for _, mention in _words(one)[2])
    special = {_words(found[n]) for n in range(len(found)) if kept[n] and interaction_type(found[n]) not in REGULATIONS}
    return [
        is_kept and not (interaction_type(one) in REGULATIONS and _words(one) in special)
        for one, is_kept in zip(found, kept, strict=True)
    ]


def _are_one_thing(candidate: Candidate, things: dict[int, SameThing]) -> bool:
    """Whether two of the participants are names of one thing; ``things`` keeps what is known of each document."""
    members = sorted(participants(candidate).values(), key=surface_order)
    if len(members) < 2:
        return False
    same = things.setdefault(id(candidate.document), SameThing(candidate.document))
    return any(same(first, second) is not None for first, second in combinations(members, 2))


def _contradicted(found: Sequence[Candidate], kept: list[bool]) -> None:
    """Take back events with a cause that only regulates their theme, and not positively."""
    by_sign: dict[bool, set[Caused]] = {True: set(), False: set()}
    for one, is_kept in zip(found, kept, strict=True):
        if is_kept and interaction_type(one) in REGULATIONS:
            by_sign[interaction_type(one) == STATES_INNER_CAUSE].update(_caused(one))
    for number, one in enumerate(found):
        if kept[number] and interaction_type(one) not in REGULATIONS:
            caused = set(_caused(one))
            kept[number] = not caused & by_sign[False] or bool(caused & by_sign[True])


def _implied(found: Sequence[Candidate], kept: list[bool]) -> None:
    """Accept the cause of a positive regulation as that of the event that the regulation is about."""
    inducing: dict[Caused, list[Candidate]] = {}
    events: set[tuple[object, ...]] = set()
    for one, is_kept in zip(found, kept, strict=True):
        if is_kept and interaction_type(one) == STATES_INNER_CAUSE:
            for pair in _caused(one):
                inducing.setdefault(pair, []).append(one)
        elif is_kept and interaction_type(one) not in REGULATIONS:
            events.update((_place(one), theme) for theme in _themes(one))
    stages: dict[tuple[int, int], Stage] = {}
    for number, one in enumerate(found):
        caused = list(_caused(one))
        if kept[number] or interaction_type(one) in REGULATIONS or len(caused) != 1:
            continue  # an event of two themes is about both: not asked
        if (_place(one), caused[0][-1]) not in events:
            continue
        place = id(one.document), one.sentence
        for outer in inducing.get(caused[0], ()):
            if place not in stages:
                stages[place] = Stage.of(one.document, one.sentence)
            if _lies_on_the_way(stages[place], outer, one):
                kept[number] = True
                break


def _lies_on_the_way(stage: Stage, outer: Candidate, inner: Candidate) -> bool:
    word, other = outer.mentions[outer.roles.index(TRIGGER)], inner.mentions[inner.roles.index(TRIGGER)]
    way = Way.between(stage, word, participants(outer)[THEME])
    return word.spans != other.spans and way is not None and way.by(other) is not None


def _themes(candidate: Candidate) -> Iterator[str]:
    return (mention.id for role, mention in participants(candidate).items() if role in (THEME, THEME2))


def _caused(candidate: Candidate) -> Iterator[Caused]:
    """The cause of a candidate with each of its themes, and where they stand; nothing if it has no cause."""
    cause = participants(candidate).get(CAUSE)
    if cause is not None:
        yield from ((id(candidate.document), candidate.sentence, cause.id, theme) for theme in _themes(candidate))


def _words(candidate: Candidate) -> tuple[int, tuple[tuple[int, int], ...], tuple[tuple[str, str], ...]]:
    """The trigger and the participants of a candidate, whatever its type."""
    word = candidate.mentions[candidate.roles.index(TRIGGER)]
    members = tuple(sorted((role, mention.id) for role, mention in participants(candidate).items()))
    return id(candidate.document), word.spans, members


def _place(candidate: Candidate) -> tuple[object, ...]:
    """The trigger and the type of a candidate, whoever takes part."""
    return (*_words(candidate)[:2], interaction_type(candidate))
