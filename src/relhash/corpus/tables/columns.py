"""Which column of a table means what, by its headings; a header that is not understood is an error that says what would be.

The header is the first row, among the first few that are not blank, that names a text (people put a title above it).
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from relhash.corpus.tables.headings import COLUMNS, ORDERED, EntityHeading, entity_heading, plain_heading
from relhash.corpus.tables.rows import Record, Sheet, read_sheets
from relhash.errors import CorpusError

_LOOK_AT = 10
_UNDERSTOOD = (
    "name the columns in the first row: text (or sentence, title, abstract), entity1 and entity2 (or gene1, protein A, "
    "chemical, disease, …) or marks [E1]…[/E1] in the text, label (or relation, interaction)"
)
_SECTIONS = ("text", "marked", "title", "abstract")
UNUSED = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: its number, how errors name it, and its cells by our names of the columns (absent ones are empty)."""

    line: int
    where: int | str
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")


@dataclass(frozen=True)
class Table:
    """A table whose header is understood."""

    columns: frozenset[str]
    """Our names of the columns that it has."""
    types: dict[int, str]
    """Types of the two entities, where the headings tell."""
    rows: Iterator[Row | CorpusError]
    """A row that does not fit the header comes as its error."""
    headings: tuple[str, ...]
    unclear: tuple[str, ...]
    """Headings that name entities, but not clearly two of them."""
    meanings: tuple[tuple[str, str], ...]
    """Each heading with our name of its column, :data:`UNUSED` if it has none."""


def read_columns(path: Path, encoding: str | None = None) -> Table:
    """The first sheet whose header is understood."""
    first: CorpusError | None = None
    for sheet in read_sheets(path, encoding, _count_known):
        try:
            return _table(sheet, path)
        except CorpusError as error:
            first = first or error
    raise first or CorpusError("the workbook has no visible sheet", path=path)


def _count_known(cells: list[str]) -> int:
    return sum(_column(cell) is not None or entity_heading(cell) is not None for cell in cells)


def _column(heading: str) -> str | None:
    plain = plain_heading(heading)
    return next((ours for ours, names in COLUMNS.items() if plain in names), None)


def _table(sheet: Sheet, path: Path) -> Table:
    top = [record for record in itertools.islice(sheet.records, _LOOK_AT) if not record.is_blank]
    if not top:
        raise CorpusError(f"the sheet {sheet.name!r} is empty" if sheet.name else "no rows", path=path, remedy=_UNDERSTOOD)
    place = next((n for n, record in enumerate(top) if any(_column(cell) in _SECTIONS for cell in record.cells)), None)
    if place is None:
        header = max(top, key=lambda record: _count_known(record.cells))
        raise CorpusError(
            f"no column holds a text (columns found: {_listed(header.cells)})",
            path=path,
            where=header.where,
            remedy=_UNDERSTOOD,
        )
    header = top[place]
    columns, types, unclear = _name_columns(header, path)
    rows = _rows(itertools.chain(top[place + 1 :], sheet.records), columns, header.cells, path)
    names = frozenset(name.partition("#")[0] for name in columns if name)
    named = ((cell.strip(), (name or UNUSED).partition("#")[0]) for cell, name in zip(header.cells, columns))
    meanings = tuple((heading, name) for heading, name in named if heading)
    return Table(names, types, rows, tuple(heading for heading, _ in meanings), unclear, meanings)


def _name_columns(header: Record, path: Path) -> tuple[list[str | None], dict[int, str], tuple[str, ...]]:
    """Our name of each column, the types of the entities, and headings of entities that were of no use."""
    columns: list[str | None] = [_column(cell) for cell in header.cells]
    _settle_labels(columns, header, path)
    _number_ids(columns, header)
    found = {n: entity_heading(cell) for n, cell in enumerate(header.cells) if columns[n] is None}
    entities = {n: heading for n, heading in found.items() if heading is not None}
    numbered = {n: heading for n, heading in entities.items() if heading.number}
    unclear: tuple[str, ...] = ()
    if not numbered:
        chosen = _two_of(sorted({heading.noun for heading in entities.values()}, key=_order(entities)))
        numbered = {
            n: EntityHeading(chosen.index(heading.noun) + 1, heading.part, heading.noun)
            for n, heading in entities.items()
            if heading.noun in chosen
        }
        if entities and not numbered:
            unclear = tuple(header.cells[n] for n in entities)
    for n, heading in numbered.items():
        columns[n] = f"e{heading.number}{heading.part}"
    _refuse_doubles(columns, header, path)
    _refuse_misspelt_label(columns, header, path)
    types = {heading.number: heading.type for heading in numbered.values() if heading.type and not heading.part}
    return columns, types, unclear


def _order(entities: dict[int, EntityHeading]) -> Callable[[str], int]:
    """In which column each noun stands first."""
    first: dict[str, int] = {}
    for n, heading in entities.items():
        first.setdefault(heading.noun, n)
    return first.__getitem__


def _two_of(nouns: Sequence[str]) -> tuple[str, ...]:
    """The two headings without numbers that are entities: two types (gene, disease), a type and a target, or a known pair."""
    typed = [noun for noun in nouns if EntityHeading(0, "", noun).type]
    if len(typed) == 2:
        return tuple(typed)
    for one, other in ORDERED:
        if one in nouns and other in nouns and not typed:
            return one, other
    if len(typed) == 1 and "target" in nouns:
        return typed[0], "target"
    return ()


def _settle_labels(columns: list[str | None], header: Record, path: Path) -> None:
    """One column of labels: ``label`` if there is one, and ``is_relation`` (what a model said) only if there is no other."""
    places = [n for n, name in enumerate(columns) if name == "label"]
    if len(places) > 1:
        plain = [plain_heading(header.cells[n]) for n in places]
        kept = [n for n, name in zip(places, plain) if name == "label"] or [
            n for n, name in zip(places, plain) if name != "isrelation"
        ]
        for n in places:
            if n not in kept:
                columns[n] = None
    if not places:  # the name of the relation is the label then
        columns[:] = ["label" if name == "relation" else name for name in columns]


def _number_ids(columns: list[str | None], header: Record) -> None:
    """Several columns of ids are common (pmid, doi): the first by our list counts, the others where it is empty."""
    places = [n for n, name in enumerate(columns) if name == "id"]
    places.sort(key=lambda n: COLUMNS["id"].index(plain_heading(header.cells[n])))
    for rank, n in enumerate(places):
        columns[n] = f"id#{rank}"


def _refuse_doubles(columns: list[str | None], header: Record, path: Path) -> None:
    for n, name in enumerate(columns):
        if name is not None and name in columns[:n]:
            earlier = header.cells[columns.index(name)]
            raise CorpusError(
                f"the columns {earlier!r} and {header.cells[n]!r} both mean {name!r}",
                path=path,
                where=header.where,
                remedy="remove or rename one of them",
            )


def _refuse_misspelt_label(columns: list[str | None], header: Record, path: Path) -> None:
    """Without a label column all rows count as unlabelled, so a misspelling must not pass for its absence."""
    if "label" in columns:
        return
    for heading, name in zip(header.cells, columns):
        if name is None and difflib.get_close_matches(plain_heading(heading), COLUMNS["label"][:6], 1, 0.75):
            raise CorpusError(
                f"the column {heading!r} is not known", path=path, where=header.where, remedy="did you mean 'label'?"
            )


def unused(heading: str) -> str:
    """The name of a column whose heading says nothing to us, in :attr:`Row.cells`."""
    return f"?{heading.strip()}"


def _rows(
    records: Iterator[Record], columns: list[str | None], headings: Sequence[str], path: Path
) -> Iterator[Row | CorpusError]:
    for record in records:
        if record.is_blank:
            continue
        if any(cell.strip() for cell in record.cells[len(columns) :]):
            yield CorpusError(
                f"{len(record.cells)} cells in a table of {len(columns)} columns",
                path=path,
                where=record.where,
                remedy="put texts that hold the separator into double quotes",
            )
            continue
        cells: dict[str, str] = {}
        ids: dict[str, str] = {}
        for name, heading, cell in zip(columns, headings, record.cells):
            if name is not None and name.startswith("id#"):
                ids[name] = cell
            else:
                cells[unused(heading) if name is None else name] = cell
        cells["id"] = next((ids[name] for name in sorted(ids) if ids[name].strip()), "")
        yield Row(record.line, record.where, cells)


def _listed(cells: Sequence[str]) -> str:
    shown = [repr(cell.strip()[:40]) for cell in cells if cell.strip()]
    return ", ".join(shown[:12]) + (", …" if len(shown) > 12 else "") or "none"
