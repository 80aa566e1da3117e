"""Decisions that fit together: what is accepted of one sentence, jointly, the surest first.

=======================================  ==============================================================================
of one trigger word                      is accepted
=======================================  ==============================================================================
types of regulation                      one: what increases something does not decrease it
other types                              one: a binding is no expression
a cause and a theme, and the two swapped  one direction
a pair, and a third participant with it  the surer of the two
a regulation, and something more special  the latter: who phosphorylates something is not said to regulate it, too
of the same participants
an event about one participant, and one  the fuller one
of the same type with a cause
=======================================  ==============================================================================

A word may name a regulation and something else (*overexpression*, *transfected*) of other participants. Each rule was chosen on
held-out training documents of BioNLP.
Sentences are decided apart, so that a row never depends on other documents.
"""

from __future__ import annotations

from collections.abc import Sequence

from relhash.structures.candidate import TRIGGER, Candidate
from relhash.structures.direction import CAUSE
from relhash.structures.interactions.candidate import interaction_type, participants
from relhash.structures.interactions.triggers import REGULATIONS


def consistent(found: Sequence[Candidate], scores: Sequence[float], accepted: Sequence[bool]) -> list[bool]:
    """Which of the ``accepted`` candidates stay.

    Examples
    --------
    >>> from relhash.corpus import Document, Mention
    >>> from relhash.structures.interactions import interaction_candidate, trigger_mention
    >>> names = Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((14, 17),), "Raf")
    >>> document, word = Document("d", "Ras activates Raf", mentions=names), trigger_mention("Activation", 4, 13, "activates")
    >>> both = [{"cause": names[0], "theme": names[1]}, {"cause": names[1], "theme": names[0]}]
    >>> pair = [interaction_candidate(document, 0, word, roles) for roles in both]
    >>> consistent(pair, [0.9, 0.6], [True, True])
    [True, False]
    """
    types: dict[tuple[object, ...], str] = {}
    taken: dict[tuple[object, ...], list[frozenset[str]]] = {}
    kept = [False] * len(found)
    # ties by key, so that the order of the candidates does not matter
    for number in sorted(range(len(found)), key=lambda n: (-scores[n], found[n].key)):
        if not accepted[number]:
            continue
        candidate = found[number]
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


def _words(candidate: Candidate) -> tuple[int, tuple[tuple[int, int], ...], tuple[tuple[str, str], ...]]:
    """The trigger and the participants of a candidate, whatever its type."""
    word = candidate.mentions[candidate.roles.index(TRIGGER)]
    members = tuple(sorted((role, mention.id) for role, mention in participants(candidate).items()))
    return id(candidate.document), word.spans, members


def _place(candidate: Candidate) -> tuple[object, ...]:
    """The trigger and the type of a candidate, whoever takes part."""
    return (*_words(candidate)[:2], interaction_type(candidate))
