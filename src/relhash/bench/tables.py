"""Results as rows: JSON for programs, Markdown for people, the same columns in both.

A protocol yields many cells (one system, direction, seed, number of labels); :func:`aggregate` makes one row of the cells that
differ only by seed or draw. The keys of a row are fixed: they are what other programs read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from relhash.files import replacing

Row = dict[str, Any]

ROW_KEYS = (
    "system", "direction", "variant", "precision", "recall", "f1", "f1_sd", "f1_oracle", "auc", "seconds", "paper_f1",
)  # fmt: skip
"""Keys of every row, in this order; further ones (``labels``, ``f1_at_half``, ``f1_interval``) follow."""

_AVERAGED = ("precision", "recall", "f1", "f1_oracle", "auc", "average_precision", "f1_at_half", "seconds")


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


def markdown(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """A Markdown table of these columns; F1 and AUC with their standard deviation where there is one.

    >>> print(markdown([{"system": "best", "f1": .5834, "f1_sd": .01, "n_runs": 5}], ["system", "f1"]))
    | system | f1 |
    |:--|--:|
    | best | 0.583 ± 0.010 |
    """
    aligned = ["--:" if any(isinstance(row.get(column), float | int) for row in rows) else ":--" for column in columns]
    return _lines(columns, aligned, [[cell_text(row, column) for column in columns] for row in rows])


def _lines(headings: Sequence[str], aligned: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    head, *body = ("| " + " | ".join(line) + " |" for line in (headings, *lines))
    return "\n".join([head, "|" + "|".join(aligned) + "|", *body])


def overview(rows: Sequence[Mapping[str, Any]], variant: str = "all") -> tuple[list[str], list[list[str]]]:
    """The table as papers print it: headings, and one line per system: F1 (precision, recall) and the paper's F1 by direction.

    >>> row = {"system": "best", "variant": "all", "precision": .6, "recall": .5, "f1": .54, "paper_f1": None, "seconds": 9.0}
    >>> headings, lines = overview([{**row, "direction": direction} for direction in ("A→B", "B→A")])
    >>> print(headings, *lines, sep="\\n")
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
            line += ["–", "–"] if row is None else [_f1_text(row), cell_text(row, "paper_f1")]
        ran = [row for row in own if row is not None]
        if len(directions) > 1:
            line.append(f"{np.mean([row['f1'] for row in ran]):.3f}" if len(ran) == len(directions) else "–")
        lines.append([*line, f"{np.mean([row['seconds'] for row in ran]):.1f}"])
    return headings, lines


def _f1_text(row: Mapping[str, Any]) -> str:
    return f"{cell_text(row, 'f1')} ({row['precision']:.2f}, {row['recall']:.2f})"


def cell_text(row: Mapping[str, Any], column: str) -> str:
    """One cell as people read it."""
    value = row.get(column)
    if value is None:
        return "–"
    if column == "seconds":
        return f"{value:.1f}"
    if isinstance(value, float):
        spread = row.get(f"{column}_sd") if row.get("n_runs", 1) > 1 else None
        return f"{value:.3f} ± {spread:.3f}" if spread is not None else f"{value:.3f}"
    return str(value).replace("|", "\\|")


def write_results(
    folder: Path,
    protocol: str,
    rows: Sequence[Row],
    notes: Sequence[str],
    columns: Sequence[str],
    *,
    made: Mapping[str, Any] | None = None,
    differences: Sequence[Mapping[str, Any]] = (),
) -> None:
    """``<protocol>.json`` and ``<protocol>.md`` in ``folder``, each complete or not at all.

    ``made`` says who made them, when and with what, ``differences`` what the bootstrap says of pairs of systems.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stored = {
        "protocol": protocol, "made": dict(made or {}), "rows": rows, "differences": list(differences), "notes": list(notes)
    }  # fmt: skip
    with replacing(folder / f"{protocol}.json") as handle:
        json.dump(stored, handle, ensure_ascii=False, indent=1)
    with replacing(folder / f"{protocol}.md") as handle:
        handle.write(f"# {protocol}\n\n")
        if "variant" in columns:
            headings, lines = overview(rows)
            handle.write("F1 (precision, recall), mean of the seeds, beside the paper's F1.\n\n")
            handle.write(_lines(headings, ["--:" if heading != "system" else ":--" for heading in headings], lines) + "\n\n")
        handle.write(f"{markdown(rows, columns)}\n")
        if notes:
            handle.write("\n" + "".join(f"- {line}\n" for line in notes))
