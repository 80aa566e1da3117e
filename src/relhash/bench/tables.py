"""Results as rows: JSON for programs, tables for people, the same figures in both.

A protocol yields many cells (one system, direction, seed, number of labels); :func:`aggregate` makes one row of the cells that
differ only by seed or draw. The keys of a row are fixed: they are what other programs read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from relhash.files import replacing
from relhash.show.provenance import provenance, shipped_parses

Row = dict[str, Any]

ROW_KEYS = (
    "system", "direction", "variant", "precision", "recall", "f1", "f1_sd", "f1_oracle", "auc", "seconds", "paper_f1",
)  # fmt: skip
"""Keys of every row, in this order; further ones (``labels``, ``f1_at_half``, ``f1_interval``) follow."""

_AVERAGED = ("precision", "recall", "f1", "f1_oracle", "auc", "average_precision", "f1_at_half", "seconds")


@dataclass(frozen=True)
class Table:
    """Headings, and lines with one cell for each; columns hold figures, but those whose number is in ``left``.

    >>> print(Table(["system", "f1"], [["best", 0.5834], ["a|b", None]]).markdown())
    | system | f1 |
    |:--|--:|
    | best | 0.583 |
    | a\\|b | – |
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]
    title: str = ""
    left: Sequence[int] = (0,)

    @classmethod
    def pivot(
        cls, rows: Iterable[Row], line: str, column: str, cell: Callable[[Row], str], *, heading: str, title: str = ""
    ) -> Table:
        """One line for each value of the key ``line``, one column for each of the key ``column``."""
        by = {(row[line], row[column]): row for row in rows}
        columns = sorted({own for _, own in by})
        lines = [
            [name, *(cell(by[name, own]) if (name, own) in by else None for own in columns)]
            for name in dict.fromkeys(name for name, _ in by)
        ]
        return cls([heading, *map(str, columns)], lines, title)

    def markdown(self) -> str:
        """The table without its title."""
        aligned = [":--" if number in self.left else "--:" for number in range(len(self.headings))]
        cells = ([figure_text(value).replace("|", "\\|") for value in line] for line in (self.headings, *self.rows))
        head, *body = (f"| {' | '.join(line)} |" for line in cells)
        return "\n".join([head, f"|{'|'.join(aligned)}|", *body])


def figure_text(value: Any) -> str:
    """One cell as people read it: three digits, a dash for nothing."""
    return "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, eq=False)
class Report:
    """What a benchmark found.

    Attributes
    ----------
    rows
        Every figure, as dictionaries or dataclasses.
    tables
        The same for people; ``shown`` are those for a terminal, if they differ.
    beside
        Further keys of the JSON file.
    parsed_by
        Whose parses were read; those of the pipeline that ships if not said.
    pictures
        By the name of their file, what draws them.
    """

    protocol: str
    title: str
    rows: Sequence[Any]
    tables: Sequence[Table]
    notes: Sequence[str] = ()
    beside: Mapping[str, Any] = field(default_factory=dict)
    parsed_by: str | None = None
    pictures: Mapping[str, Callable[[Path], None]] = field(default_factory=dict)
    shown: Sequence[Table] = ()
    made: Mapping[str, Any] | None = None

    def as_dict(self) -> dict[str, Any]:
        """All of it but who made it."""
        rows = [asdict(row) if is_dataclass(row) and not isinstance(row, type) else row for row in self.rows]
        return {"protocol": self.protocol, "rows": rows, **self.beside, "notes": list(self.notes)}

    def markdown(self) -> str:
        """The tables below the title, then the notes."""
        tables = [f"{table.title}\n\n{table.markdown()}" if table.title else table.markdown() for table in self.tables]
        notes = "\n" + "".join(f"- {line}\n" for line in self.notes) if self.notes else ""
        return f"# {self.title}\n\n" + "\n\n".join(tables) + f"\n{notes}"

    def write(self, folder: Path) -> None:
        """``<protocol>.json``, ``<protocol>.md`` and the pictures in ``folder``, each complete or not at all."""
        folder.mkdir(parents=True, exist_ok=True)
        made = self.made or provenance(shipped_parses() if self.parsed_by is None else self.parsed_by)
        found = self.as_dict()
        with replacing(folder / f"{self.protocol}.json") as handle:
            stored = {"protocol": found.pop("protocol"), "made": dict(made), **found}
            json.dump(stored, handle, ensure_ascii=False, indent=1)
        with replacing(folder / f"{self.protocol}.md") as handle:
            handle.write(self.markdown())
        for name, draw in self.pictures.items():
            draw(folder / name)


def aggregate(cells: Iterable[Mapping[str, Any]], by: Sequence[str] = ("system", "direction", "variant")) -> list[Row]:
    """One row for all cells that agree in ``by``: means over seeds, and the standard deviation of F1 and AUC between them.

    >>> cells = [{"system": "s", "direction": "A→B", "variant": "all", "f1": f1, "auc": .8} for f1 in (.5, .6)]
    >>> row, = aggregate(cells)
    >>> round(row["f1"], 2), round(row["f1_sd"], 3), row["n_runs"], row["paper_f1"]
    (0.55, 0.071, 2, None)
    """
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for cell in cells:
        groups.setdefault(tuple(cell.get(key) for key in by), []).append(cell)
    rows = []
    for key, members in groups.items():
        row: Row = dict.fromkeys(ROW_KEYS)
        row.update(zip(by, key, strict=True))
        for name in _AVERAGED:
            values = [cell[name] for cell in members if cell.get(name) is not None]
            if values:
                row[name] = float(np.mean(values))
        for name in ("f1", "auc"):
            values = [cell[name] for cell in members if cell.get(name) is not None]
            row[f"{name}_sd"] = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
        row["n_runs"] = len(members)
        for name in members[0]:  # what is not a measurement is the same in all members or does not belong into the row
            if name not in row and all(cell.get(name) == members[0][name] for cell in members):
                row[name] = members[0][name]
        if members[0].get("paper_f1") is not None:
            row["paper_f1"] = members[0]["paper_f1"]
        rows.append(row)
    return rows


def listed(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], headings: Mapping[str, str] | None = None) -> Table:
    """Rows under these columns; F1 and AUC with their standard deviation where there is one.

    >>> listed([{"system": "best", "f1": .5834, "f1_sd": .01, "n_runs": 5}], ["system", "f1"]).rows
    [['best', '0.583 ± 0.010']]
    """
    words = [n for n, name in enumerate(columns) if not any(isinstance(row.get(name), float | int) for row in rows)]
    names = [(headings or {}).get(column, column) for column in columns]
    return Table(names, [[cell_text(row, column) for column in columns] for row in rows], left=words)


def overview(rows: Sequence[Mapping[str, Any]], title: str = "", variant: str = "all") -> Table:
    """The table as papers print it: one line per system, F1 (precision, recall) and the paper's F1 by direction.

    >>> row = {"system": "best", "variant": "all", "precision": .6, "recall": .5, "f1": .54, "paper_f1": None, "seconds": 9.0}
    >>> table = overview([{**row, "direction": direction} for direction in ("A→B", "B→A")])
    >>> print(table.headings, *table.rows, sep="\\n")
    ['system', 'A→B', 'paper', 'B→A', 'paper', 'mean', 'seconds']
    ['best', '0.540 (0.60, 0.50)', '–', '0.540 (0.60, 0.50)', '–', '0.540', '9.0']
    """
    shown = [row for row in rows if row["variant"] == variant]
    directions = list(dict.fromkeys(row["direction"] for row in shown))
    by_place = {(row["system"], row["direction"]): row for row in shown}
    headings = ["system", *(heading for direction in directions for heading in (direction, "paper"))]
    headings += ["mean"] * (len(directions) > 1) + ["seconds"]
    lines = []
    for system in dict.fromkeys(row["system"] for row in shown):
        own = [by_place.get((system, direction)) for direction in directions]
        line = [system]
        for row in own:
            f1 = "" if row is None else f"{cell_text(row, 'f1')} ({row['precision']:.2f}, {row['recall']:.2f})"
            line += ["–", "–"] if row is None else [f1, cell_text(row, "paper_f1")]
        ran = [row for row in own if row is not None]
        if len(directions) > 1:
            line.append(f"{np.mean([row['f1'] for row in ran]):.3f}" if len(ran) == len(directions) else "–")
        lines.append([*line, f"{np.mean([row['seconds'] for row in ran]):.1f}"])
    return Table(headings, lines, title)


def cell_text(row: Mapping[str, Any], column: str) -> str:
    """One cell as people read it."""
    value = row.get(column)
    if column == "seconds" and value is not None:
        return f"{value:.1f}"
    spread = row.get(f"{column}_sd") if row.get("n_runs", 1) > 1 and isinstance(value, float) else None
    return figure_text(value) if spread is None else f"{value:.3f} ± {spread:.3f}"
