"""Pictures (SVG) of one sentence: words in a line, an arc from each trigger or governor to what belongs to it.

Drawn are the dependency path between two names (:func:`draw_path`), the interactions of a short document with their roles
(:func:`draw_interactions`), and one row of a model as such a document (:func:`interaction_of`), from which words far from its
names are left out: a picture of a long sentence would be too wide to see anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from relhash.biomed.assertion import Assertion
from relhash.candidates.candidate import TRIGGER
from relhash.candidates.evidence import Station
from relhash.corpus.document import Argument, Attribute, Document, Mention, Relation
from relhash.errors import StructureError
from relhash.model.prediction import Prediction
from relhash.visible import shown, visible

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


LONGEST = 400
"""Characters of a text that fits a picture."""
WIDE, NARROW, SMALL, SPACE, MARGIN = 9.6, 7.8, 6.2, 9.0, 8.0
HEIGHT, LEVEL, LIFT = 26.0, 30.0, 12.0
_MARKED = {"Negation": "negated", "Speculation": "speculative"}
"""Attributes of interactions that a picture tells; an ``Assertion`` says it by its value."""
_STYLE = (
    "text{font:14px sans-serif;text-anchor:middle;fill:#222}.small{font-size:11px}"
    ".trigger rect{fill:#fde7c3;stroke:#c8861a}.participant rect{fill:#d9e8fb;stroke:#3c78c3}"
    ".arc path{fill:none;stroke:#555}.arc .head{fill:#555;stroke:none}"
    ".arc text{fill:#555;stroke:#fff;stroke-width:4px;paint-order:stroke}"
)
Arc = tuple[int, int, str]
"""The keys of the boxes where it starts and ends, and its label."""


@dataclass(frozen=True, slots=True)
class _Box:
    """A word, or a mention of several, where it stands in the picture, and what is said below it."""

    text: str
    kind: str
    note: str
    left: float
    width: float

    @property
    def middle(self) -> float:
        return self.left + self.width / 2


def draw_path(path: Sequence[Station]) -> Markup:
    """The stations of a dependency path from left to right, an arc from each governor to its dependent."""
    boxes: dict[int, _Box] = {}
    arcs: list[Arc] = []
    left = MARGIN
    for number, station in enumerate(path[::2]):
        text = visible(station.text)
        width = max(HEIGHT, _width(text) + 14)
        if number:
            edge, before = path[2 * number - 1], boxes[number - 1]
            label = visible(edge.text)
            left += max(SPACE, SMALL * len(label) + 16 - (before.width + width) / 2)
            arcs.append((number, number - 1, label) if edge.kind == "up" else (number - 1, number, label))
        boxes[number] = _Box(text, station.kind, "", left, width)
        left += width
    arrows = {"up": "←{}", "down": "{}→"}
    words = " ".join(arrows.get(station.kind, "{}").format(station.text) for station in path)
    return Markup(_picture("path", boxes, arcs, words))


def draw_interactions(document: Document, *, styled: bool = True) -> str:
    """An SVG of a document of a sentence or two; unless it is ``styled``, colours are those of the page around it.

    >>> words = Mention("T1", "Protein", ((0, 3),), "Ras"), Mention("T2", "Protein", ((14, 17),), "Raf")
    >>> word = Mention("T3", "Positive_regulation", ((4, 13),), "activates", is_trigger=True)
    >>> relation = Relation("E1", "Positive_regulation", (Argument("Theme", "T2"), Argument("Cause", "T1")), "T3")
    >>> picture = draw_interactions(Document("d", "Ras activates Raf", mentions=(*words, word), relations=(relation,)))
    >>> picture.startswith("<svg"), picture.count('class="arc"')
    (True, 2)
    """
    if len(document.text) > LONGEST:
        raise StructureError(f"document {document.id!r}: a text of more than {LONGEST} characters fits no picture; cut it")
    arcs: dict[Arc, None] = {}
    for relation in document.relations:
        trigger = document.mention_by_id.get(relation.trigger or "")
        for argument in relation.arguments:
            inner = document.relation_by_id.get(argument.target)  # an interaction is reached by its trigger
            target = document.mention_by_id.get(argument.target if inner is None else inner.trigger or "")
            if trigger is not None and target is not None:
                arcs[trigger.start, target.start, argument.role] = None
    return _picture("interaction", _boxes(document), list(arcs), _spoken(document), styled=styled)


def _boxes(document: Document) -> dict[int, _Box]:
    """By the place in the text where they start: mentions, and the words between them."""
    mentions = sorted(document.mentions, key=lambda one: (one.start, -one.end))
    marks: dict[str, str] = {}  # what is said of the interactions of a trigger beside their type: denied, only supposed
    for attribute in document.attributes:
        relation = document.relation_by_id.get(attribute.target)
        name = attribute.value if attribute.type == "Assertion" else _MARKED.get(attribute.type)
        if relation is not None and relation.trigger is not None and name is not None:
            marks[relation.trigger] = f", {name}"
    boxes: dict[int, _Box] = {}
    place, left = 0, MARGIN
    while place < len(document.text):
        if document.text[place].isspace():
            place += 1
            continue
        here = [one for one in mentions if one.start == place]
        later = (one.start for one in mentions if one.start > place)  # it begins a box of its own, also inside another
        blanks = (number for number in range(place, len(document.text)) if document.text[number].isspace())
        end = min([*later, *([max(one.end for one in here)] if here else blanks), len(document.text)])
        kind = "" if not here else "trigger" if any(one.is_trigger for one in here) else "participant"
        types = ", ".join(dict.fromkeys(one.type.replace("_", " ") + marks.get(one.id, "") for one in here))
        text = visible(document.text[place:end].rstrip())
        width = max(_width(text) + (14 if kind else 0), SMALL * len(types) + 4 if kind else 0)
        boxes[place] = _Box(text, kind, types, left, width)
        left += width + SPACE
        place = end
    return boxes


def _picture(kind: str, boxes: Mapping[int, _Box], arcs: Sequence[Arc], words: str, *, styled: bool = False) -> str:
    """Boxes in a line, arcs above them, wider ones higher; ``words`` are for those who cannot see it."""
    levels: list[tuple[int, int, int]] = []
    placed: list[tuple[_Box, _Box, str, int]] = []
    for start, end, label in sorted(arcs, key=lambda one: (abs(one[0] - one[1]), one)):
        if start in boxes and end in boxes:
            low, high = sorted((start, end))
            level = 1 + max((own for first, last, own in levels if first < high and low < last), default=-1)
            levels.append((low, high, level))
            placed.append((boxes[start], boxes[end], label, level))
    highest = max((level for *_, level in placed), default=0)
    line = MARGIN + LIFT + (highest + 1) * LEVEL
    width = max(box.left + box.width for box in boxes.values()) + MARGIN if boxes else 2 * MARGIN
    height = line + HEIGHT + (22 if any(box.note for box in boxes.values()) or styled else MARGIN)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{shown(words)}">',
        f"<style>{_STYLE}</style>" if styled else "",
        # the widest first: the names of narrower ones lie above it
        *(_arc(start, end, label, line, level) for start, end, label, level in reversed(placed)),
        *(_drawn(box, line) for box in boxes.values()),
        "</svg>",
    ]
    return "".join(parts)


def _arc(start: _Box, end: _Box, label: str, line: float, level: int) -> str:
    top = line - LIFT - (level + 0.4) * LEVEL
    aside = 5 if end.middle > start.middle else -5
    first, last = start.middle + aside, end.middle - aside
    curve = f"M{first:.1f},{line:.1f}C{first:.1f},{top:.1f} {last:.1f},{top:.1f} {last:.1f},{line - 6:.1f}"
    return (
        f'<g class="arc"><path d="{curve}"/>'
        f'<path class="head" d="M{last:.1f},{line:.1f}l-3.5,-7h7z"/>'
        f'<text class="small" x="{(first + last) / 2:.1f}" y="{line - 0.75 * (line - top) - 4:.1f}">{shown(label)}</text></g>'
    )


def _drawn(box: _Box, line: float) -> str:
    word = f'<text x="{box.middle:.1f}" y="{line + 17.5:.1f}">{shown(box.text)}</text>'
    if not box.kind:
        return word
    frame = f'<rect x="{box.left:.1f}" y="{line:.1f}" width="{box.width:.1f}" height="{HEIGHT}" rx="6"/>'
    note = f'<text class="small" x="{box.middle:.1f}" y="{line + HEIGHT + 14:.1f}">{shown(box.note)}</text>' if box.note else ""
    return f'<g class="{box.kind}">{frame}{word}{note}</g>'


def _width(text: str) -> float:
    return sum(WIDE if character.isupper() or character.isdigit() else NARROW for character in text)


def _spoken(document: Document) -> str:
    def said(target: str, seen: Sequence[str] = ()) -> str:
        relation = document.relation_by_id.get(target)
        if relation is None or target in seen:
            return document.mention_by_id[target].text if target in document.mention_by_id else target
        inner = ", ".join(f"{one.role}: {said(one.target, [*seen, target])}" for one in relation.arguments)
        return f"{relation.type}({inner})"

    return "; ".join(said(relation.id) for relation in document.relations) or document.text
