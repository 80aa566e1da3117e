"""Pages from templates: one file each that loads nothing, every text escaped and every invisible character shown.

The page of a table (:class:`HtmlTable`) can be sorted, filtered and printed; it is written row by row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import IO, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from relhash.candidates.evidence import Evidence
from relhash.model.tables.format import Row, TableFormat
from relhash.model.tables.looks import LOOKS, for_people, look_of, marked_pieces
from relhash.show.sentence_drawing import draw_path
from relhash.visible import shown, visible


def render(template: str, **context: Any) -> str:
    """A page as one string."""
    return "".join(rendered(template, **context))


def rendered(template: str, **context: Any) -> Iterator[str]:
    """The same piece by piece, for pages with very many rows."""
    return _environment().get_template(f"{template}.html").generate(**context)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("relhash.show"),
        autoescape=True,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {"bar": bar, "chip": chip, "marked": marked, "marked_sentence": marked_sentence, "path": draw_path}
    made.filters["short"] = lambda text, longest=160: text if len(text) <= longest else f"{text[: longest - 1]}…"
    made.globals["style"] = lambda name: Markup(_of_package(f"{name}.css"))
    made.globals["script"] = lambda name: Markup(_of_package(f"{name}.js"))
    return made


def _shown(value: Any) -> Any:
    """What stands in the page for a value: markup as it is, text with everything invisible in it shown."""
    return value if hasattr(value, "__html__") else "" if value is None else visible(str(value))


@cache
def _of_package(name: str) -> str:
    return files("relhash.show").joinpath(name).read_text("utf-8")


def marked_sentence(evidence: Evidence) -> Markup:
    """The sentence of an evidence, its entities and the words of its path marked."""
    return _with_marks((piece.kind if piece.kind != "text" else "", piece.text) for piece in evidence.sentence)


def marked(sentence: str) -> Markup:
    """A sentence with marks, its entities coloured.

    >>> print(marked("[E1]RAF1[/E1] < [E2]MEK1[/E2]"))
    <mark class="e1">RAF1</mark> &lt; <mark class="e2">MEK1</mark>
    """
    return _with_marks((f"e{piece.entity}" if piece.entity else "", piece.text) for piece in marked_pieces(sentence))


def _with_marks(pieces: Iterable[tuple[str, str]]) -> Markup:
    return Markup("".join(f'<mark class="{kind}">{shown(text)}</mark>' if kind else shown(text) for kind, text in pieces))


def bar(value: float) -> Markup:
    """A number from 0 to 1 with a bar behind it; what is nearly 1 is not shown as 1.

    >>> print(bar(0.25))
    <span class="bar" style="--p:0.250">0.25</span>
    """
    text = "&gt; 0.999" if value > 0.999 else f"{value:.3f}" if value >= 0.995 else f"{value:.2f}"
    return Markup(f'<span class="bar" style="--p:{min(max(value, 0.0), 1.0):.3f}">{text}</span>')


def chip(kind: str) -> Markup:
    """What a sentence says of its relation, coloured unless it simply says so."""
    return Markup(f'<span class="chip {shown(kind)}">{shown(kind)}</span>')


LONG = 60
"""Characters from which on the text of a column that we do not know is taken for a sentence."""
_VERDICTS = {"unsupported": "negated", "look": "speculative", "cannot tell": "questioned"}
"""Verdicts in the colours of assertions."""


class HtmlTable(TableFormat):
    """One self-contained file. Columns that people rarely need are left out: they are in the other formats."""

    def write(self, rows: Iterable[Row], handle: IO[bytes], columns: Sequence[str], title: str) -> int:
        rows, count = iter(rows), 0
        first = next(rows, None)
        looks = {name: look_of(name) for name in for_people(columns)}
        listed = [name for name, look in looks.items() if not look.is_detail and look.within not in columns] or list(columns)
        own = [name for name in listed if name not in LOOKS]
        text = next((name for name in own if len(str((first or {}).get(name, ""))) > LONG), "")
        beside = [name for name in own if text and name != text]
        if text:  # a sentence under another name: it gets room, and what else the table has stands in small print below it
            listed = [name for name in listed if name not in beside]
            looks[text] = replace(looks[text], width=LOOKS["sentence"].width)
        numbers = {name for name in listed if isinstance((first or {}).get(name), int | float)}

        def counted() -> Iterator[Row]:
            nonlocal count
            for row in [] if first is None else chain([first], rows):
                count += 1
                yield row

        given = {"looks": looks, "listed": listed, "text": text, "beside": beside, "numbers": numbers, "verdicts": _VERDICTS}
        for piece in rendered("rows", title=title or "Relations", lead=_lead(first), rows=counted(), **given):
            handle.write(piece.encode("utf-8"))
        return count


def _lead(row: Row | None) -> str:
    if row is None:
        return "No rows."
    if "verdict" in row:
        return "One row per statement, with what its sentence says to it."
    model = f" Found by the model {row['model']}, version {row['model_version']}." if row.get("model") else ""
    return f"One row per relation that the model found in a sentence, as far as it was sure enough.{model}"


HTML = HtmlTable()
