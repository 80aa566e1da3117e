"""One row of a model as a text of its own: the interaction that it states, and only the words of the sentence near it.

The names of a row say who takes part, in the order of the sentence. Who is the cause and who the theme is seen in a picture
(:mod:`relhash.explain.interaction_drawing`), and a picture of a long sentence would be too wide to see anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from relhash.corpus.document import Argument, Attribute, Document, Mention, Relation
from relhash.language.assertion import Assertion
from relhash.models.prediction import Prediction
from relhash.structures.candidate import TRIGGER

NEAR = 3
"""Words that are kept on either side of a trigger or participant; more between two of them become an ellipsis."""


def interaction_of(prediction: Prediction) -> Document:
    """The interaction that a row states; what its sentence says of it is an attribute unless it is simply stated."""
    candidate, stage = prediction.candidate, prediction.scene.stage
    text, places = _near(stage.document.text, candidate.mentions, stage.start, stage.end)
    mentions = tuple(
        replace(mention, id=role, spans=(place,))
        for mention, role, place in zip(candidate.mentions, candidate.roles, places, strict=True)
    )
    arguments = tuple(Argument(role.capitalize(), role) for role in sorted(candidate.roles) if role != TRIGGER)
    said = prediction.assertion
    marks = () if said is Assertion.ASSERTED else (Attribute("M1", "Assertion", "E1", str(said)),)
    relations = (Relation("E1", prediction.relation, arguments, TRIGGER),)
    return Document(stage.document.id, text, mentions=mentions, relations=relations, attributes=marks)


def _near(text: str, mentions: tuple[Mention, ...], start: int, end: int) -> tuple[str, list[tuple[int, int]]]:
    """What stands near mentions between ``start`` and ``end`` of a text, and where the mentions are in it."""
    kept, place = "", start
    moved: dict[int, int] = {}
    for first, last in _taken(mentions):
        kept += _shortened(text[place:first], begins=place == start)
        moved |= {number: len(kept) + number - first for number in range(first, last + 1)}
        kept += text[first:last]
        place = last
    kept += _shortened(text[place:end], ends=True)
    return kept, [(moved[mention.start], moved[mention.end]) for mention in mentions]


def _taken(mentions: tuple[Mention, ...]) -> Iterator[tuple[int, int]]:
    """Stretches of text that mentions take, those that overlap as one."""
    first, last = -1, -1
    for start, end in sorted((mention.start, mention.end) for mention in mentions):
        if start >= last:
            if last >= 0:
                yield first, last
            first = start
        last = max(last, end)
    yield first, last


def _shortened(gap: str, *, begins: bool = False, ends: bool = False) -> str:
    """The words of a gap that are near to its ends, but for that of the sentence.

    >>> _shortened(" one two three four five six seven eight ")
    ' one two three … six seven eight '
    >>> _shortened("one two three four ", begins=True), _shortened(" one two three four", ends=True), _shortened("-")
    ('… two three four ', ' one two three …', '-')
    """
    words = list(re.finditer(r"\S+", gap))
    if len(words) <= (NEAR if begins or ends else 2 * NEAR + 1):
        return gap
    before = "" if begins else gap[: words[NEAR - 1].end()] + " "
    after = "" if ends else " " + gap[words[-NEAR].start() :]
    return f"{before}…{after}"
