"""A sentence with marks, ``[E1]RAF1[/E1] binds``, cut into pieces that a page or a spreadsheet can colour."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARK = re.compile(r"\[(/?)E([1-9])\]")


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """A stretch of the sentence and the entity that it belongs to; 0 is plain text. Of nested entities the inner one counts."""

    text: str
    entity: int = 0


def marked_pieces(marked: str) -> list[MarkedPiece]:
    """The pieces in order. A mark without a partner was in the text itself, and stays.

    >>> [(piece.text, piece.entity) for piece in marked_pieces("[E1]RAF1[/E1] binds [E2]MEK1[/E2], not [E1].")]
    [('RAF1', 1), (' binds ', 0), ('MEK1', 2), (', not [E1].', 0)]
    """
    pieces: list[MarkedPiece] = []
    opened: list[int] = []
    position = 0

    def add(text: str) -> None:
        entity = opened[-1] if opened else 0
        if text and pieces and pieces[-1].entity == entity:
            pieces[-1] = MarkedPiece(pieces[-1].text + text, entity)
        elif text:
            pieces.append(MarkedPiece(text, entity))

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
