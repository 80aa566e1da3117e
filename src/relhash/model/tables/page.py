"""Rows as people read them: how columns look, and a page with a table that a curator can sort, filter and print.

A page is one file, no server, no network. All text is escaped, invisible characters are shown (:mod:`relhash.visible`), and the
page forbids itself to load anything. Sentences come with marks, ``[E1]RAF1[/E1] binds``, and are cut into pieces that a page or
a spreadsheet can colour.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from itertools import chain
from typing import IO, TYPE_CHECKING

from relhash.candidates.evidence import Evidence
from relhash.model.tables.format import Row, TableFormat
from relhash.visible import visible

if TYPE_CHECKING:
    from relhash.model.prediction import Prediction


@dataclass(frozen=True, slots=True)
class Look:
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


def _both(name: str, title: str, width: int, is_detail: bool = False, within: str = "") -> dict[str, Look]:
    """The looks of what both entities have."""
    numbers = ((number, f"{within}{number}" if within else "") for number in (1, 2))
    return {f"{name}{number}": Look(f"{title} {number}", width, is_detail, within=place) for number, place in numbers}


_LOOKS = {
    "answer": Look("Answer", 14, choices=("yes", "no", "skip", "entity wrong", "negated")),
    "verdict": Look("Verdict", 19, filter="choice"),
    "subject": Look("Subject", 18),
    "type": Look("Type", 20),
    "object": Look("Object", 18),
    "reason": Look("Reason", 26),
    "suggested": Look("The sentence says", 24, within="reason"),
    "perturbation": Look("Perturbation", 14, within="type"),
    "entity1": Look("Entity 1", 18),
    "entity2": Look("Entity 2", 18),
    "relation": Look("Relation", 18, filter="choice"),
    "trigger": Look("Trigger", 20, within="relation"),
    "entity3": Look("Third", 14, within="entity2"),
    "belief": Look("Belief", 12, filter="atleast"),
    "sentences": Look("Sentences", 12),
    "documents": Look("Documents", 13),
    "negated": Look("Negated", 10),
    "speculative": Look("Speculative", 13),
    "probability": Look("Probability", 16, filter="atleast"),
    "type_probability": Look("Probability of the type", 14, True),
    "assertion": Look("Assertion", 17, filter="choice"),
    "best_sentence": Look("Best sentence", 84, wraps=True),
    "best_probability": Look("Probability of it", 15, True),
    "best_document": Look("Document of it", 16, True),
    "sentence": Look("Sentence", 80, wraps=True),
    "evidence": Look("Evidence", 45, within="sentence", wraps=True),
    "document": Look("Document", 16, filter="choice"),
    **_both("also", "Also", 14, within="entity"),
    **_both("modifier", "Modifier", 12, within="entity"),
    **_both("human", "Human gene", 14, True),
    **_both("ids", "Id", 16, within="entity"),
    **_both("type", "Type", 10, True, within="entity"),
    "is_relation": Look("Accepted", 9, True),
    "directed": Look("Directed", 9, True),
    **{f"role{number}": Look(f"Role {number}", 9, True) for number in (1, 2, 3)},
    "ids3": Look("Id 3", 16, True),
    "trigger_start": Look("Trigger start", 8, True),
    "trigger_end": Look("Trigger end", 8, True),
    "marked": Look("Sentence with marks", 30, True),
    **{f"{end}{number}": Look(f"{end.capitalize()} {number}", 8, True) for number in (1, 2, 3) for end in ("start", "end")},
    **{f"{who}_{end}": Look(f"{who.capitalize()} {end}", 8, True) for who in ("subject", "object") for end in ("start", "end")},
    "model": Look("Model", 12, True),
    "model_version": Look("Model version", 22, True),
    "sign": Look("Sign", 16, within="type"),
    "why": Look("Why it is asked", 30),
    "key": Look("Key", 24, True),
    "draw": Look("Draw", 10, True),
}


def look_of(column: str) -> Look:
    """The look of a column; of one without a description, its name."""
    return _LOOKS.get(column, Look(column.replace("_", " ").capitalize(), 16))


def for_people(columns: Sequence[str]) -> list[str]:
    """The columns in the order in which a person reads them: who, what, how sure, where; the rest behind.

    >>> for_people(["document", "start1", "sentence", "relation", "entity1", "mine"])
    ['entity1', 'relation', 'sentence', 'document', 'start1', 'mine']
    """
    known = {name: number for number, name in enumerate(_LOOKS)}
    return sorted(columns, key=lambda name: known.get(name, len(known)))


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


Cell = Callable[[Row, str], str]
LONG = 60
"""Characters from which on the text of a column that we do not know is taken for a sentence."""


class HtmlTable(TableFormat):
    """One self-contained file. Columns that people rarely need are left out: they are in the other formats."""

    def write(self, rows: Iterable[Row], handle: IO[bytes], columns: Sequence[str], title: str) -> int:
        rows = iter(rows)
        first = next(rows, None)
        looks = {name: look_of(name) for name in for_people(columns)}
        listed = [name for name, look in looks.items() if not look.is_detail and look.within not in columns] or list(columns)
        own = [name for name in listed if name not in _LOOKS]
        text = next((name for name in own if len(str((first or {}).get(name, ""))) > LONG), "")
        beside = [name for name in own if text and name != text]
        if text:  # a sentence under another name: it gets room, and what else the table has stands in small print below it
            listed = [name for name in listed if name not in beside]
            looks[text] = replace(looks[text], width=_LOOKS["sentence"].width)
        headings = [
            Heading(looks[name].title, looks[name].width, isinstance((first or {}).get(name), int | float), looks[name].filter)
            for name in listed
        ]
        count = 0
        handle.write((page_start(title or "Relations", _lead(first)) + table_start(headings)).encode("utf-8"))
        for row in [] if first is None else chain([first], rows):
            rejected = ' class="rejected"' if row.get("is_relation") is False else ""
            cells = "".join(
                _own_text(row, name, beside) if name == text else _CELLS.get(name, _plain)(row, name) for name in listed
            )
            handle.write(f"<tr{rejected}{_filtered_by(row)}>{cells}</tr>\n".encode())
            count += 1
        if not count:
            handle.write(b'<tr><td class="empty">Nothing was found.</td></tr>\n')
        handle.write((table_end() + page_end()).encode("utf-8"))
        return count


def _lead(row: Row | None) -> str:
    if row is None:
        return "No rows."
    if "verdict" in row:
        return "One row per statement, with what its sentence says to it."
    model = f" Found by the model {row['model']}, version {row['model_version']}." if row.get("model") else ""
    return f"One row per relation that the model found in a sentence, as far as it was sure enough.{model}"


def _own_text(row: Row, name: str, beside: Sequence[str]) -> str:
    said = (f"{look_of(one).title.lower()} {row[one]}" for one in beside if row.get(one) not in (None, ""))
    return f'<td class="sentence">{shown(row.get(name, ""))}<small>{shown(" · ".join(said))}</small></td>'


def _filtered_by(row: Row) -> str:
    """What the filters of the page ask of a row beside its cells: the types of its entities, and how many have an id."""
    types = " – ".join(str(row[key]) for key in ("type1", "type2") if row.get(key))
    known = sum(bool(row.get(key)) for key in ("ids1", "ids2"))
    said = f' data-types="{shown(types)}"' if types else ""
    return f'{said} data-ids="{("none", "one", "both")[known]}"' if "ids1" in row else said


def _plain(row: Row, name: str) -> str:
    value = row.get(name, "")
    kind = ' class="number labelled"' if isinstance(value, int | float) else ' class="labelled"'
    return f'<td{kind} data-label="{shown(look_of(name).title)}">{shown(value)}</td>'


def _entity(row: Row, name: str) -> str:
    number = name[-1]
    small = " · ".join(str(row[key]) for key in (f"role{number}", f"type{number}", f"ids{number}") if row.get(key))
    small = f"also {row[f'also{number}']} · {small}" if row.get(f"also{number}") else small
    if number == "2" and row.get("entity3"):
        small += f" · with {row['entity3']} ({row.get('role3', '')})"
    return f'<td class="name">{shown(row.get(name, ""))}<small>{shown(small)}</small></td>'


def _with_small(row: Row, name: str, small: str) -> str:
    return f"<td>{shown(row.get(name, ''))}" + (f"<small>{shown(small)}</small></td>" if small else "</td>")


def _relation(row: Row, name: str) -> str:
    small = f"“{row['trigger']}” " if row.get("trigger") else ""
    small += "entity 1 → entity 2" if row.get("directed") else ""
    return _with_small(row, name, f"{small}{' not accepted' if row.get('is_relation') is False else ''}".strip())


def _share(row: Row, name: str) -> str:
    value = float(row.get(name) or 0)
    return f'<td class="number" data-v="{value:.6f}">{bar(value)}</td>'


def _assertion(row: Row, name: str) -> str:
    return f'<td data-v="{shown(row.get(name, ""))}">{chip(str(row.get(name, "")))}</td>'


def _verdict(row: Row, name: str) -> str:
    kind = {"unsupported": "negated", "look": "speculative", "cannot tell": "questioned"}.get(str(row.get(name)), "asserted")
    text = shown(row.get(name, ""))
    return f'<td data-v="{text}"><span class="chip {kind}">{text}</span></td>'


def _reason(row: Row, name: str) -> str:
    return _with_small(row, name, f"the sentence says {row['suggested']}" if row.get("suggested") else "")


def _type(row: Row, name: str) -> str:
    return _with_small(row, name, " · ".join(f"{key} {row[key]}" for key in ("sign", "perturbation") if row.get(key)))


def _sentence(row: Row, name: str) -> str:
    evidence = f"<small>{shown(row['evidence'])}</small>" if row.get("evidence") else ""
    sentence = str(row.get(name, ""))
    return f'<td class="sentence" data-v="{shown(sentence[:80])}">{marked(str(row.get("marked", sentence)))}{evidence}</td>'


def _document(row: Row, name: str) -> str:
    places = [f"{row[f'start{n}']}–{row[f'end{n}']}" for n in (1, 2) if {f"start{n}", f"end{n}"} <= row.keys()]
    title = f' title="characters {shown(" and ".join(places))}"' if places else ""
    return f'<td class="document"{title}>{shown(row.get(name, ""))}</td>'


_CELLS: dict[str, Cell] = {
    "entity1": _entity,
    "entity2": _entity,
    "relation": _relation,
    "verdict": _verdict,
    "reason": _reason,
    "type": _type,
    "probability": _share,
    "belief": _share,
    "assertion": _assertion,
    "sentence": _sentence,
    "document": _document,
}
