"""HTML: relations on one page that a curator can sort, filter and print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import IO

from relhash.model.tables.format import Row, TableFormat
from relhash.model.tables.page import Heading, bar, chip, marked, page_end, page_start, shown, table_end, table_start
from relhash.model.tables.presentation import for_people, look_of

Cell = Callable[[Row, str], str]


class HtmlTable(TableFormat):
    """One self-contained file. Columns that people rarely need are left out: they are in the other formats."""

    def write(self, rows: Iterable[Row], handle: IO[bytes], columns: Sequence[str], title: str) -> int:
        rows = iter(rows)
        first = next(rows, None)
        told = [name for name in for_people(columns) if _is_told(name, columns)] or list(columns)
        headings = [
            Heading(
                look_of(name).title,
                look_of(name).width,
                is_number=first is not None and isinstance(first.get(name), int | float),
                filter=look_of(name).filter,
            )
            for name in told
        ]
        count = 0
        handle.write((page_start(title or "Relations", _lead(first)) + table_start(headings)).encode("utf-8"))
        for row in [] if first is None else chain([first], rows):
            handle.write("".join(_row(row, told)).encode("utf-8"))
            count += 1
        if not count:
            handle.write(b'<tr><td class="empty">Nothing was found.</td></tr>\n')
        handle.write((table_end() + page_end()).encode("utf-8"))
        return count


def _is_told(name: str, columns: Sequence[str]) -> bool:
    """Whether a column has a place of its own on the page."""
    return not look_of(name).is_detail and look_of(name).within not in columns


def _lead(row: Row | None) -> str:
    if row is None:
        return "No rows."
    if "verdict" in row:
        return "One row per statement, with what its sentence says to it."
    model = f" Found by the model {row['model']}, version {row['model_version']}." if row.get("model") else ""
    return f"One row per relation that the model found in a sentence, as far as it was sure enough.{model}"


def _row(row: Row, columns: Sequence[str]) -> Iterator[str]:
    rejected = ' class="rejected"' if row.get("is_relation") is False else ""
    yield f"<tr{rejected}{_filtered_by(row)}>"
    for name in columns:
        yield _CELLS.get(name, _plain)(row, name)
    yield "</tr>\n"


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


def _relation(row: Row, name: str) -> str:
    small = f"“{row['trigger']}” " if row.get("trigger") else ""
    small += "entity 1 → entity 2" if row.get("directed") else ""
    small += " not accepted" if row.get("is_relation") is False else ""
    return f"<td>{shown(row.get(name, ''))}" + (f"<small>{shown(small.strip())}</small></td>" if small else "</td>")


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
    says = f"<small>the sentence says {shown(row['suggested'])}</small>" if row.get("suggested") else ""
    return f"<td>{shown(row.get(name, ''))}{says}</td>"


def _type(row: Row, name: str) -> str:
    small = " · ".join(f"{key} {row[key]}" for key in ("sign", "perturbation") if row.get(key))
    return f"<td>{shown(row.get(name, ''))}" + (f"<small>{shown(small)}</small></td>" if small else "</td>")


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
