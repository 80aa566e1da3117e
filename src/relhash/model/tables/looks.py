"""Rows as people read them: how columns look, in which order they stand, and a table for notebooks.

Sentences come with marks, ``[E1]RAF1[/E1] binds``, and are cut into pieces that a page or a spreadsheet can colour.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from relhash.visible import shown

if TYPE_CHECKING:
    from relhash.model.prediction import Prediction


@dataclass(frozen=True, slots=True)
class ColumnLook:
    """The look of a column.

    Attributes
    ----------
    width
        In characters.
    is_detail
        Whether a person rarely looks at it, so that a page leaves it out.
    choices
        What may stand in it, where a person fills it in: a spreadsheet offers them.
    within
        The column in which a page says it in small print, if there is that column.
    filter
        How a page filters by it: ``"choice"`` of its values, or ``"atleast"`` a number.
    wraps
        Whether its text runs over several lines of a cell.
    """

    title: str
    width: int = 12
    is_detail: bool = False
    choices: tuple[str, ...] = ()
    within: str = ""
    filter: str = ""
    wraps: bool = False


def _both(name: str, title: str, width: int, is_detail: bool = False, within: str = "") -> dict[str, ColumnLook]:
    """The looks of what both entities have."""
    numbers = ((number, f"{within}{number}" if within else "") for number in (1, 2))
    return {f"{name}{number}": ColumnLook(f"{title} {number}", width, is_detail, within=place) for number, place in numbers}


_WHO = ("subject", "object")
LOOKS = {
    "answer": ColumnLook("Answer", 14, choices=("yes", "no", "skip", "entity wrong", "negated")),
    "verdict": ColumnLook("Verdict", 22, filter="choice"),
    "subject": ColumnLook("Subject", 17),
    "type": ColumnLook("Type", 27),
    "object": ColumnLook("Object", 17),
    "reason": ColumnLook("Reason", 34),
    "suggested": ColumnLook("The sentence says", 24, within="reason"),
    "perturbation": ColumnLook("Perturbation", 14, within="type"),
    "entity1": ColumnLook("Entity 1", 18),
    "entity2": ColumnLook("Entity 2", 18),
    "relation": ColumnLook("Relation", 18, filter="choice"),
    "trigger": ColumnLook("Trigger", 25, within="relation"),
    "entity3": ColumnLook("Third", 14, within="entity2"),
    "belief": ColumnLook("Belief", 12, filter="atleast"),
    "sentences": ColumnLook("Sentences", 12),
    "documents": ColumnLook("Documents", 13),
    "negated": ColumnLook("Negated", 10),
    "speculative": ColumnLook("Speculative", 13),
    "probability": ColumnLook("Probability", 20, filter="atleast"),
    "type_probability": ColumnLook("Probability of the type", 14, True),
    "assertion": ColumnLook("Assertion", 21, filter="choice"),
    "best_sentence": ColumnLook("Best sentence", 84, wraps=True),
    "best_probability": ColumnLook("Probability of it", 15, True),
    "best_document": ColumnLook("Document of it", 16, True),
    "sentence": ColumnLook("Sentence", 80, wraps=True),
    "evidence": ColumnLook("Evidence", 45, within="sentence", wraps=True),
    "document": ColumnLook("Document", 16, filter="choice"),
    **_both("also", "Also", 14, within="entity"),
    **_both("modifier", "Modifier", 12, within="entity"),
    **_both("human", "Human gene", 14, True),
    **_both("ids", "Id", 16, within="entity"),
    **_both("type", "Type", 10, True, within="entity"),
    "is_relation": ColumnLook("Accepted", 9, True),
    "directed": ColumnLook("Directed", 9, True),
    **{f"role{number}": ColumnLook(f"Role {number}", 9, True) for number in (1, 2, 3)},
    "ids3": ColumnLook("Id 3", 16, True),
    "trigger_start": ColumnLook("Trigger start", 8, True),
    "trigger_end": ColumnLook("Trigger end", 8, True),
    "marked": ColumnLook("Sentence with marks", 30, True),
    **{f"{end}{n}": ColumnLook(f"{end.capitalize()} {n}", 8, True) for n in (1, 2, 3) for end in ("start", "end")},
    **{f"{who}_{end}": ColumnLook(f"{who.capitalize()} {end}", 8, True) for who in _WHO for end in ("start", "end")},
    "model": ColumnLook("Model", 12, True),
    "model_version": ColumnLook("Model version", 22, True),
    "sign": ColumnLook("Sign", 16, within="type"),
    "why": ColumnLook("Why it is asked", 30),
    "key": ColumnLook("Key", 24, True),
    "draw": ColumnLook("Draw", 10, True),
}


def look_of(column: str) -> ColumnLook:
    """The look of a column; of one without a description, its name."""
    return LOOKS.get(column, ColumnLook(column.replace("_", " ").capitalize(), 16))


def for_people(columns: Sequence[str]) -> list[str]:
    """The columns in the order in which a person reads them: who, what, how sure, where; the rest behind.

    >>> for_people(["document", "start1", "sentence", "relation", "entity1", "mine"])
    ['entity1', 'relation', 'sentence', 'document', 'start1', 'mine']
    """
    known = {name: number for number, name in enumerate(LOOKS)}
    return sorted(columns, key=lambda name: known.get(name, len(known)))


_MARK = re.compile(r"\[(/?)E([1-9])\]")


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """A stretch of the sentence and the entities that it belongs to, the inner one last."""

    text: str
    within: tuple[int, ...] = ()

    @property
    def entity(self) -> int:
        """The inner one; 0 for plain text."""
        return self.within[-1] if self.within else 0


def marked_pieces(marked: str) -> list[MarkedPiece]:
    """The pieces in order. A mark without a partner was in the text itself, and stays.

    >>> [(piece.text, piece.entity) for piece in marked_pieces("[E1]RAF1[/E1] binds [E2]MEK1[/E2], not [E1].")]
    [('RAF1', 1), (' binds ', 0), ('MEK1', 2), (', not [E1].', 0)]
    """
    pieces: list[MarkedPiece] = []
    opened: list[int] = []
    position = 0

    def add(text: str) -> None:
        if text and pieces and pieces[-1].within == tuple(opened):
            pieces[-1] = MarkedPiece(pieces[-1].text + text, tuple(opened))
        elif text:
            pieces.append(MarkedPiece(text, tuple(opened)))

    for mark in _MARK.finditer(marked):
        closes, entity = mark[1] == "/", int(mark[2])
        has_partner = entity in opened if closes else f"[/E{entity}]" in marked[mark.end() :]
        if not has_partner:
            continue
        add(marked[position : mark.start()])
        position = mark.end()
        if closes:
            opened.reverse()
            opened.remove(entity)  # the last one that was opened, also where marks cross
            opened.reverse()
        else:
            opened.append(entity)
    add(marked[position:])
    return pieces


_INLINE = "background:rgba({});border-radius:.25em;padding:0 .2em;font-weight:600;color:inherit"
_COLOURS = {1: "40,130,220,.25", 2: "240,130,40,.28"}
"""Looks of marked words where a page has no style sheet of ours; they do in light and dark."""


def prediction_table(predictions: Sequence[Prediction], most: int = 20) -> str:
    """A table for notebooks, which bring their own style sheet: all looks are inline, and text is escaped."""
    rows = []
    for prediction in predictions[:most]:
        row = prediction.as_row()
        share = min(max(prediction.probability, 0.0), 1.0) * 100
        bar = f"background:linear-gradient(90deg,rgba(40,130,220,.3) {share:.0f}%,transparent 0);padding:0 .4em"
        sentence = "".join(
            f'<mark style="{_INLINE.format(_COLOURS[min(piece.entity, 2)])}">{shown(piece.text)}</mark>'
            if piece.entity
            else shown(piece.text)
            for piece in marked_pieces(row["marked"])
        )
        ids = " · ".join(shown(row[name]) for name in ("ids1", "ids2") if row.get(name))
        said = "" if row["assertion"] == "asserted" else f"<br><small>{shown(row['assertion'])}</small>"
        arrow = "→" if prediction.is_directed else "–"
        rows.append(
            f'<tr><td style="text-align:left"><b>{shown(row["entity1"])} {arrow} {shown(row["entity2"])}</b><br>'
            f'<small>{ids}</small></td><td style="text-align:left">{shown(prediction.relation)}{said}</td>'
            f'<td><span style="{bar}">{prediction.probability:.2f}</span></td>'
            f'<td style="text-align:left;white-space:normal">{sentence}</td>'
            f'<td style="text-align:left">{shown(row["document"])}</td></tr>'
        )
    if not rows:
        return "<p>No relations were found.</p>"
    rest = f"<p>… and {len(predictions) - most:,} more; to_frame() has all.</p>" if len(predictions) > most else ""
    heads = "".join(
        f'<th style="text-align:left">{name}</th>' for name in ("who", "relation", "probability", "sentence", "document")
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>{rest}"
