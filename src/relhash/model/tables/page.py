"""A page with a table that people sort and filter: one file, no server, no network, no text that could act.

All text is escaped, invisible characters are shown (:mod:`relhash.visible`), and the page forbids itself to load
anything. It adapts to phones, paper and dark rooms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from relhash.candidates.evidence import Evidence
from relhash.model.tables.marked_text import marked_pieces
from relhash.visible import visible

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
