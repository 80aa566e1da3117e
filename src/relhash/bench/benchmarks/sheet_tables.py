"""From judged sheets to tables: means over draws, one row per rule, and files from which both are computed again."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from relhash.errors import DataMissingError
from relhash.files import replacing
from relhash.show.provenance import provenance

DRAWS_FILE = "sheet.draws.jsonl.gz"


@dataclass(frozen=True, slots=True)
class SheetScores:
    """How a rule does on a sheet, or on the mean over the draws of one kind of sheet."""

    f1: float
    precision: float
    recall: float
    accepted: float
    f1_oracle: float
    precision_oracle: float
    too_imprecise: float
    """1 if precision is below .4 where that of the oracle threshold is not, else 0; as a mean, the share of such draws."""


@dataclass(frozen=True, slots=True)
class JudgedSheet:
    """What one rule made of one sheet."""

    direction: str
    drawn: str
    rows: int
    draw: int
    rule: str
    scores: SheetScores


@dataclass(frozen=True, slots=True)
class SheetFigure:
    """Means over the draws of one kind of sheet under one rule."""

    direction: str
    drawn: str
    rows: int
    rule: str
    scores: SheetScores
    draws: int

    def as_row(self) -> dict[str, Any]:
        """The record of a table or a file, scores beside what they are of."""
        kind = {"direction": self.direction, "drawn": self.drawn, "rows": self.rows, "rule": self.rule}
        return {**kind, **asdict(self.scores), "draws": self.draws}


def means(sheets: Iterable[JudgedSheet]) -> list[SheetFigure]:
    """One figure per direction, kind of sheet, number of rows and rule."""
    kinds: dict[tuple[str, str, int, str], list[JudgedSheet]] = {}
    for sheet in sheets:
        kinds.setdefault((sheet.direction, sheet.drawn, sheet.rows, sheet.rule), []).append(sheet)
    return [SheetFigure(*kind, _mean([sheet.scores for sheet in own]), len(own)) for kind, own in kinds.items()]


def _mean(scores: Sequence[SheetScores]) -> SheetScores:
    return SheetScores(*np.mean([astuple(one) for one in scores], axis=0).tolist())


def summary(figures: Sequence[SheetFigure]) -> list[dict[str, Any]]:
    """One row per rule: means over all sheets, the worst mean loss to the oracle, and how often precision falls below .4."""
    rows = []
    for rule in dict.fromkeys(figure.rule for figure in figures):
        own = [figure.scores for figure in figures if figure.rule == rule]
        losses = [scores.f1_oracle - scores.f1 for scores in own]
        rows.append(
            {
                "rule": rule,
                "f1": float(np.mean([scores.f1 for scores in own])),
                "precision": float(np.mean([scores.precision for scores in own])),
                "f1_oracle": float(np.mean([scores.f1_oracle for scores in own])),
                "loss": float(np.mean(losses)),
                "worst_loss": float(np.max(losses)),
                "too_imprecise": float(np.mean([scores.too_imprecise for scores in own])),
            }
        )
    return rows


def markdown(figures: Sequence[SheetFigure]) -> str:
    """The summary, and F1 (precision) of each rule by direction, kind of sheet and number of rows."""
    lines = [
        "| rule | F1 | P | oracle F1 | mean loss | largest mean loss | P < .4, oracle's not |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row['rule']} | {row['f1']:.3f} | {row['precision']:.3f} | {row['f1_oracle']:.3f} | {row['loss']:.3f} "
        f"| {row['worst_loss']:.3f} | {row['too_imprecise']:.1%} |"
        for row in summary(figures)
    ]
    rules = list(dict.fromkeys(figure.rule for figure in figures))
    lines += ["", f"| direction | drawn | rows | oracle | {' | '.join(rules)} |", "|---" * (4 + len(rules)) + "|"]
    places: dict[tuple[str, str, int], dict[str, SheetScores]] = {}
    for figure in figures:
        places.setdefault((figure.direction, figure.drawn, figure.rows), {})[figure.rule] = figure.scores
    for (direction, drawn, size), own in places.items():
        first = next(iter(own.values()))
        cells = [f"{own[rule].f1:.3f} ({own[rule].precision:.2f})" if rule in own else "" for rule in rules]
        lines.append(f"| {direction} | {drawn} | {size} | {first.f1_oracle:.3f} ({first.precision_oracle:.2f}) "
                     f"| {' | '.join(cells)} |")  # fmt: skip
    return "\n".join(lines) + "\n"


def write_sheets(sheets: Sequence[JudgedSheet], folder: Path, parse_source: str) -> None:
    """Every judged sheet, and what :func:`recompute` makes of them."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(_rounded(sheet), ensure_ascii=False) + "\n" for sheet in sheets)
    with replacing(folder / DRAWS_FILE, "wb") as handle:
        handle.write(gzip.compress(lines.encode(), 9, mtime=0))
    with replacing(folder / "sheet.json") as handle:
        json.dump({"made": provenance(parse_source)}, handle)
    recompute(folder)


def _rounded(sheet: JudgedSheet) -> list[Any]:
    """The fields in order, scores with six digits: a name in every line would be most of the file."""
    *kind, scores = astuple(sheet)
    return [*kind, *(round(score, 6) for score in scores)]


def read_sheets(folder: Path) -> list[JudgedSheet]:
    """What :func:`write_sheets` has kept."""
    file = folder / DRAWS_FILE
    if not file.exists():
        raise DataMissingError(f"{folder}: there is no {DRAWS_FILE} to compute from; relhash benchmark sheet -o writes it")
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    return [_kept(*json.loads(line)) for line in lines]


def _kept(direction: str, drawn: str, rows: int, draw: int, rule: str, *scores: float) -> JudgedSheet:
    return JudgedSheet(direction, drawn, rows, draw, rule, SheetScores(*scores))


def recompute(folder: Path) -> list[SheetFigure]:
    """Make ``sheet.json`` and ``sheet.md`` again from the kept sheets; who made them is left as it is."""
    figures = means(read_sheets(folder))
    made = json.loads((folder / "sheet.json").read_text(encoding="utf-8"))["made"]
    rows = [figure.as_row() for figure in figures]
    with replacing(folder / "sheet.json") as handle:
        json.dump({"protocol": "sheet", "made": made, "summary": summary(figures), "rows": rows}, handle, indent=1)
    with replacing(folder / "sheet.md") as handle:
        handle.write(f"# Threshold rules on sheets of picked labels\n\n{markdown(figures)}")
    return figures
