"""Which column of a table means what, by its headings; a header that is not understood is an error that says what would be.

The header is the first row, among the first few that are not blank, that names a text (people put a title above it).

Headings are understood in English, German, French and Spanish, and compared without case, accents, blanks and punctuation:
``Entity 1`` is ``entity1``, ``Interaction?`` is ``interaction``.
"""

from __future__ import annotations

import difflib
import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from relhash.corpus.tables.sheets import Record, Sheet, read_sheets
from relhash.errors import CorpusError

COLUMNS: dict[str, tuple[str, ...]] = {
    "text": ("text", "sentence", "passage", "sentencetext", "satz", "phrase", "texte", "frase", "oracion", "texto")
    + ("evidence", "evidencetext", "evidencesentence"),
    "marked": ("marked", "markedsentence", "markedtext"),
    "title": ("title", "articletitle", "titel", "titre", "titulo"),
    "abstract": ("abstract", "abstracttext", "zusammenfassung", "resume", "resumen"),
    "label": (
        "label", "gold", "class", "interaction", "answer", "interacts", "interacting", "related", "isrelated", "relationship",
        "evaluation", "judgement", "judgment",
        "verdict", "annotation", "yesno", "ddi", "ppi", "interaktion", "wechselwirkung", "beziehung",
        "bewertung", "klasse", "antwort", "etiquette", "classe", "reponse", "etiqueta", "interaccion", "relacion", "clase",
        "respuesta", "isrelation",
    ),
    "relation": ("relation", "relationtype", "interactiontype", "predicate"),
    "id": (
        "document", "documentid", "docid", "doc", "pmid", "pubmedid", "pmcid", "doi", "articleid", "dokument", "id",
    ),
}  # fmt: skip
"""Our name of a column → the headings it may have, those first that count where a table has several."""

_KINDS = {
    "gene": "gene genes gen gens",
    "protein": "protein proteins proteine proteina proteinas eiweiss",
    "chemical": "chemical chemicals compound substance metabolite chemikalie substanz compose compuesto sustancia quimico",
    "drug": "drug drugs medication medikament wirkstoff medicament medicamento farmaco",
    "disease": "disease diseases disorder krankheit erkrankung maladie enfermedad",
    "mutation": "mutation variant mutacion variante",
}
_KIND_OF = {noun: kind for kind, nouns in _KINDS.items() for noun in nouns.split()}
_UNTYPED_NOUNS = "entity e ent mention arg argument partner interactor participant node molecule entitat entite entidad"
_UNTYPED = frozenset(_UNTYPED_NOUNS.split())
ORDERED = (
    ("subject", "object"), ("tf", "tg"), ("source", "target"), ("agent", "target"), ("regulator", "target"), ("head", "tail"),
)  # fmt: skip
"""Headings without a number that name the two entities together; the second of them may also go with a type (drug, target)."""
_SINGLE = frozenset(word for pair in ORDERED for word in pair)
_NUMBERS = {
    "1": 1, "a": 1, "i": 1, "first": 1, "one": 1, "2": 2, "b": 2, "ii": 2, "second": 2, "two": 2, "erste": 1, "erster": 1,
    "erstes": 1, "zweite": 2, "zweiter": 2, "zweites": 2, "premier": 1, "premiere": 1, "deuxieme": 2, "primera": 1, "primer": 1,
    "segunda": 2, "segundo": 2,
}  # fmt: skip
_PARTS = {
    "start": "start", "begin": "start", "end": "end", "type": "type", "class": "type", "typ": "type", "tipo": "type",
    "id": "ids", "ids": "ids", "identifier": "ids", "mention": "mention", "role": "role", "text": "", "name": "",
}  # fmt: skip
_WITHOUT_NOUN = frozenset({"start", "begin", "end", "type", "typ", "id", "ids", "role", "name"})


@dataclass(frozen=True, slots=True)
class EntityHeading:
    """Of which entity a column is (1, 2, or 0 if the heading does not say), what of it (``""``: its text), a given type."""

    number: int
    part: str
    noun: str

    @property
    def type(self) -> str:
        return _KIND_OF.get(self.noun, "")


@lru_cache(maxsize=1024)
def plain_heading(heading: str) -> str:
    """A heading without what people vary."""
    return "".join(_words(heading))


@lru_cache(maxsize=1024)
def entity_heading(heading: str) -> EntityHeading | None:
    """What a heading says of an entity, if it is about one."""
    number, part, noun = 0, None, ""
    seen: set[str] = set()
    for word in _words(heading):
        if word in _NUMBERS and not number:
            number = _NUMBERS[word]
        elif not noun and (word in _KIND_OF or word in _UNTYPED or word in _SINGLE) and (word != "mention" or not seen):
            noun = word
        elif part is None and word in _PARTS:
            part = _PARTS[word]
        else:
            return None
        seen.add(word)
    if noun:
        is_known = bool(number) or noun not in _UNTYPED
    else:
        is_known = bool(number) and bool(seen & _WITHOUT_NOUN)
    return EntityHeading(number, part or "", noun) if is_known else None


def _words(heading: str) -> list[str]:
    """Its words and numbers in small letters without accents; a capital inside a word begins a new one (``proteinA``)."""
    spread = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])", " ", heading)
    letters = unicodedata.normalize("NFKD", spread.lower().replace("ß", "ss"))
    return re.findall(r"[^\W_]+", "".join(letter for letter in letters if not unicodedata.combining(letter)))


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
class SheetTable:
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


def meaning_of_heading(heading: str) -> str:
    """Our name of the column that a heading names, by itself; empty if it says nothing to us."""
    return _column(heading) or ""


def table_of(header: Sequence[Record], records: Iterator[Record], path: Path) -> SheetTable:
    """The table of rows that are at hand, such as those of a data frame."""
    return _table(Sheet("", itertools.chain(header, records)), path)


def read_columns(path: Path, encoding: str | None = None) -> SheetTable:
    """The first sheet whose header is understood."""
    first: CorpusError | None = None
    for sheet in read_sheets(path, encoding, _count_known):
        try:
            return _table(sheet, path)
        except CorpusError as error:
            first = first or error
    raise first or CorpusError("the workbook has no visible sheet", path)


def _count_known(cells: list[str]) -> int:
    return sum(_column(cell) is not None or entity_heading(cell) is not None for cell in cells)


def _column(heading: str) -> str | None:
    plain = plain_heading(heading)
    return next((ours for ours, names in COLUMNS.items() if plain in names), None)


def _table(sheet: Sheet, path: Path) -> SheetTable:
    top = [record for record in itertools.islice(sheet.records, _LOOK_AT) if not record.is_blank]
    if not top:
        raise CorpusError(f"the sheet {sheet.name!r} is empty" if sheet.name else "no rows", path, remedy=_UNDERSTOOD)
    place = next((n for n, record in enumerate(top) if any(_column(cell) in _SECTIONS for cell in record.cells)), None)
    if place is None:
        header = max(top, key=lambda record: _count_known(record.cells))
        raise CorpusError(
            f"no column holds a text (columns found: {_listed(header.cells)})", path, header.where, remedy=_UNDERSTOOD
        )
    header = top[place]
    columns, types, unclear = _name_columns(header, path)
    rows = _rows(itertools.chain(top[place + 1 :], sheet.records), columns, header.cells, path)
    names = frozenset(name.partition("#")[0] for name in columns if name)
    named = ((cell.strip(), (name or UNUSED).partition("#")[0]) for cell, name in zip(header.cells, columns))
    meanings = tuple((heading, name) for heading, name in named if heading)
    return SheetTable(names, types, rows, tuple(heading for heading, _ in meanings), unclear, meanings)


def _name_columns(header: Record, path: Path) -> tuple[list[str | None], dict[int, str], tuple[str, ...]]:
    """Our name of each column, the types of the entities, and headings of entities that were of no use."""
    columns: list[str | None] = [_column(cell) for cell in header.cells]
    _settle_texts(columns, header)
    _settle_labels(columns, header)
    _number_ids(columns, header)
    found = {n: entity_heading(cell) for n, cell in enumerate(header.cells) if columns[n] is None}
    entities = {n: heading for n, heading in found.items() if heading is not None}
    numbered = {n: heading for n, heading in entities.items() if heading.number}
    unclear: tuple[str, ...] = ()
    if not numbered:
        chosen = _two_of(list(dict.fromkeys(heading.noun for heading in entities.values())))
        numbered = {
            n: EntityHeading(chosen.index(heading.noun) + 1, heading.part, heading.noun)
            for n, heading in entities.items()
            if heading.noun in chosen
        }
        if entities and not numbered:
            unclear = tuple(header.cells[n] for n in entities)
    for n, heading in numbered.items():
        columns[n] = f"e{heading.number}{heading.part}"
    _refuse_unclear(columns, header, path)
    types = {heading.number: heading.type for heading in numbered.values() if heading.type and not heading.part}
    return columns, types, unclear


def _two_of(nouns: Sequence[str]) -> tuple[str, ...]:
    """The two headings without numbers that are entities: two types (gene, disease), a type and a target, or a known pair."""
    typed = [noun for noun in nouns if EntityHeading(0, "", noun).type]
    if len(typed) == 2:
        return tuple(typed)
    for one, other in ORDERED:  # a table of statements may name the gene that it is about, too
        if one in nouns and other in nouns:
            return one, other
    if len(typed) == 1 and "target" in nouns:
        return typed[0], "target"
    return ()


def _settle_texts(columns: list[str | None], header: Record) -> None:
    """What tables of statements call evidence is their text; beside a text it is something else (ours have both)."""
    texts = [n for n, name in enumerate(columns) if name in ("text", "marked")]
    named = [n for n in texts if not plain_heading(header.cells[n]).startswith("evidence")]
    if named:
        columns[:] = [None if n in texts and n not in named else name for n, name in enumerate(columns)]


def _settle_labels(columns: list[str | None], header: Record) -> None:
    """One column of labels: ``label`` if there is one, and ``is_relation`` (what a model said) only if there is no other."""
    places = [n for n, name in enumerate(columns) if name == "label"]
    if len(places) > 1:
        plain = {n: plain_heading(header.cells[n]) for n in places}
        kept = [n for n in places if plain[n] == "label"] or [n for n in places if plain[n] != "isrelation"]
        columns[:] = [None if n in plain and n not in kept else name for n, name in enumerate(columns)]
    if not places:  # the name of the relation is the label then
        columns[:] = ["label" if name == "relation" else name for name in columns]


def _number_ids(columns: list[str | None], header: Record) -> None:
    """Several columns of ids are common (pmid, doi): the first by our list counts, the others where it is empty."""
    places = [n for n, name in enumerate(columns) if name == "id"]
    places.sort(key=lambda n: COLUMNS["id"].index(plain_heading(header.cells[n])))
    for rank, n in enumerate(places):
        columns[n] = f"id#{rank}"


def _refuse_unclear(columns: list[str | None], header: Record, path: Path) -> None:
    """Refuse two columns of one meaning, and a misspelt label: without one all rows would count as unlabelled."""
    for n, name in enumerate(columns):
        if name is not None and name in columns[:n]:
            problem = f"the columns {header.cells[columns.index(name)]!r} and {header.cells[n]!r} both mean {name!r}"
            raise CorpusError(problem, path, header.where, remedy="remove or rename one of them")
    for heading, name in zip(header.cells, columns):
        is_near = name is None and difflib.get_close_matches(plain_heading(heading), COLUMNS["label"][:6], 1, 0.75)
        if is_near and "label" not in columns:
            raise CorpusError(f"the column {heading!r} is not known", path, header.where, remedy="did you mean 'label'?")


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
                path,
                record.where,
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
