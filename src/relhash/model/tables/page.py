"""A page with a table that people sort and filter: one file, no server, no network, no text that could act.

All text is escaped, invisible characters are shown (:mod:`relhash.visible`), and the page forbids itself to load
anything. It adapts to phones, paper and dark rooms. Sentences come with marks, ``[E1]RAF1[/E1] binds``, and are cut into
pieces that a page or a spreadsheet can colour.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from relhash.candidates.evidence import Evidence
from relhash.visible import visible

if TYPE_CHECKING:
    from relhash.model.prediction import Prediction


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


_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True, slots=True)
class Heading:
    """A column of the page: its title, its share of the width, whether it holds numbers, and the filter that it has."""

    title: str
    width: int
    is_number: bool = False
    filter: str = ""

    def html(self) -> str:
        kind = ' data-kind="number"' if self.is_number else ""
        chosen = f' data-filter="{escape(self.filter)}"' if self.filter else ""
        return f'<th scope="col"{kind}{chosen}>{shown(self.title)}</th>'


def page_start(title: str, lead: str) -> str:
    """Everything up to the body of the page."""
    style = files("relhash.model.tables").joinpath("page.css").read_text("utf-8")
    return f'{page_head(title, style, _POLICY)}<h1>{shown(title)}</h1>\n<p class="lead">{shown(lead)}</p>\n'


def page_head(title: str, style: str, policy: str = "default-src 'none'; style-src 'unsafe-inline'") -> str:
    """A page up to its first heading; by its ``policy`` it loads nothing and, as a rule, runs nothing."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{shown(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
    )


def table_start(headings: Sequence[Heading]) -> str:
    """The controls, which the script fills, and the head of the table."""
    total = sum(heading.width for heading in headings)
    columns = "".join(f'<col style="width:{100 * heading.width / total:.2f}%">' for heading in headings)
    return (
        '<div class="tools" hidden><label class="search">Search<input type="search" placeholder="all words must occur">'
        '</label><span class="count" role="status"></span></div>\n'
        f'<table class="rows">\n<colgroup>{columns}</colgroup>\n<thead><tr>{"".join(h.html() for h in headings)}</tr></thead>\n'
        "<tbody>\n"
    )


def table_end() -> str:
    """The end of the table, and the buttons that show more of it."""
    buttons = '<button type="button" hidden>Show more</button><button type="button" hidden>Show all</button>'
    return f'</tbody>\n</table>\n<div class="more">{buttons}</div>\n'


def page_end() -> str:
    """The script and the end of the page."""
    script = files("relhash.model.tables").joinpath("page.js").read_text("utf-8")
    return f"</main>\n<script>\n{script}</script>\n</body>\n</html>\n"


def shown(text: object) -> str:
    """Any text, safe in an element or an attribute.

    >>> shown("<b>\\u202e")
    '&lt;b&gt;⟨U+202E⟩'
    """
    return escape(visible(str(text)))


def marked_sentence(evidence: Evidence) -> str:
    """The sentence of an evidence, its entities and the words of its path marked."""
    pieces = ((piece.kind, shown(piece.text)) for piece in evidence.sentence)
    return "".join(text if kind == "text" else f'<mark class="{kind}">{text}</mark>' for kind, text in pieces)


def marked(sentence: str) -> str:
    """A sentence with marks, its entities coloured.

    >>> marked("[E1]RAF1[/E1] < [E2]MEK1[/E2]")
    '<mark class="e1">RAF1</mark> &lt; <mark class="e2">MEK1</mark>'
    """
    pieces = marked_pieces(sentence)
    return "".join(
        f'<mark class="e{piece.entity}">{shown(piece.text)}</mark>' if piece.entity else shown(piece.text) for piece in pieces
    )


def bar(value: float) -> str:
    """A number from 0 to 1 with a bar behind it; what is nearly 1 is not shown as 1.

    >>> bar(0.25)
    '<span class="bar" style="--p:0.250">0.25</span>'
    """
    text = "&gt; 0.999" if value > 0.999 else f"{value:.3f}" if value >= 0.995 else f"{value:.2f}"
    return f'<span class="bar" style="--p:{min(max(value, 0.0), 1.0):.3f}">{text}</span>'


def chip(kind: str) -> str:
    """What a sentence says of its relation, coloured unless it simply says so."""
    return f'<span class="chip {shown(kind)}">{shown(kind)}</span>'


_INLINE = {
    1: "background:rgba(40,130,220,.25);border-radius:.25em;padding:0 .2em;font-weight:600;color:inherit",
    2: "background:rgba(240,130,40,.28);border-radius:.25em;padding:0 .2em;font-weight:600;color:inherit",
}
"""Looks of marked words where a page has no style sheet of ours; they do in light and dark."""


def prediction_table(predictions: Sequence[Prediction], most: int = 20) -> str:
    """A table for notebooks, which bring their own style sheet: all looks are inline, and text is escaped."""
    rows = []
    for prediction in predictions[:most]:
        row = prediction.as_row()
        share = min(max(prediction.probability, 0.0), 1.0) * 100
        bar = f"background:linear-gradient(90deg,rgba(40,130,220,.3) {share:.0f}%,transparent 0);padding:0 .4em"
        sentence = "".join(
            f'<mark style="{_INLINE[min(piece.entity, 2)]}">{shown(piece.text)}</mark>' if piece.entity else shown(piece.text)
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
