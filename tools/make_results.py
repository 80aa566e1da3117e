"""Makes the tables of the pages of results from files of results, and these from the cells that were kept: ``make results``.

    python tools/make_results.py            # write
    python tools/make_results.py --check    # end with 1 if anything would change

Every folder below ``benchmarks/results`` that keeps its cells gets its figures, intervals and differences computed anew
(``relhash benchmark --recompute``). Then each table of ``docs/results.md`` and of the
read-mes beside the files that stands below ``<!-- figures: FILE … -->`` is filled: which
rows and columns it has, and what the first column says, is written by hand; every other cell comes from the file, rounded once.
A row says which system it is by the first name in backticks, or by all that it says. Tables with headings that this program
does not know are left as they are; ``tests/test_docs.py`` compares their numbers with the file.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGES = (ROOT / "docs" / "results.md", *sorted(RESULTS.rglob("README.md")))
TABLE = re.compile(r"^<!-- figures: (.+?) -->\n((?:\|.*\n)+)", re.MULTILINE)
NONE = "–"

Row = Mapping[str, Any]
Filled = Callable[[str, Sequence[str]], list[str]]


class UnknownRowError(Exception):
    """A row that no file has."""


class Figures:
    """The rows and differences of some files of results."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.rows: dict[tuple[str, str, str, int | None], Row] = {}
        self.differences: dict[tuple[str, str, str, int | None], Row] = {}
        self.answers: dict[tuple[str, str, int], Row] = {}
        for file in files:
            if file.suffix != ".json":  # a card, or verdicts: its table is written by hand
                continue
            stored = json.loads(file.read_text(encoding="utf-8"))
            for row in stored.get("rows", []):
                if isinstance(row, dict) and {"system", "direction", "variant"} <= row.keys():
                    name = row["system"].removeprefix("events/")  # how files of before called systems of interactions
                    self.rows.setdefault((name, row["direction"], row["variant"], row.get("labels")), row)
            for one in stored.get("differences", []):
                self.differences[one["first"], one["second"], one["direction"], one["labels"]] = one
            for row in stored.get("rows", []):
                if isinstance(row, dict) and "answers" in row:
                    self.answers[row["direction"], row["system"], row["answers"]] = row

    def row(self, system: str, direction: str, variant: str = "all", labels: int | None = None) -> Row:
        try:
            return self.rows[system, direction, variant, labels]
        except KeyError:
            raise UnknownRowError(f"no row {system} {direction} {variant} {labels or ''}") from None

    @property
    def directions(self) -> list[str]:
        return list(dict.fromkeys(direction for _, direction, _, _ in self.rows))


def number(value: float | None) -> str:
    """Rounded once."""
    return NONE if value is None else f"{value:.3f}"


def with_deviation(row: Row) -> str:
    runs = row.get("n_runs", 1)
    return f"{row['f1']:.3f} ± {row['f1_sd']:.3f}" if runs > 1 else number(row["f1"])


def of_directions(figures: Figures, headings: Sequence[str]) -> Filled | None:
    """``system | seeds | F1 A→B | P, R | AUC | paper F1 | F1 B→A | …``."""
    if headings[0] != "system" or not any(re.fullmatch(r"F1 \S+→\S+", heading) for heading in headings):
        return None
    first = next(heading[3:] for heading in headings if re.fullmatch(r"F1 \S+→\S+", heading))

    def filled(system: str, _: Sequence[str]) -> list[str]:
        direction, cells = first, []
        for heading in headings[1:]:
            if heading.startswith("F1 "):
                direction = heading[3:]
            row = figures.row(system, direction)
            cells.append(
                {
                    "seeds": lambda row=row: str(row["n_runs"]),
                    "P, R": lambda row=row: f"{row['precision']:.3f}, {row['recall']:.3f}",
                    "AUC": lambda row=row: number(row["auc"]),
                    "paper F1": lambda row=row: number(row["paper_f1"]),
                }.get(heading, lambda row=row: with_deviation(row))()
            )
        return cells

    return filled


def of_labels(figures: Figures, headings: Sequence[str]) -> Filled | None:
    """``AUC, A→B · B→A | 25 | 50 | …``."""
    if not re.fullmatch(r"AUC, \S+→\S+( · \S+→\S+)*", headings[0]):
        return None
    directions = headings[0].removeprefix("AUC, ").split(" · ")
    counts = [int(heading.replace(",", "")) for heading in headings[1:]]

    def filled(system: str, _: Sequence[str]) -> list[str]:
        measured = [count for count in counts if (system, directions[0], "all", count) in figures.rows]
        if not measured:
            raise UnknownRowError(f"no row {system} {directions[0]}")
        return [
            " · ".join(number(figures.row(system, direction, labels=count)["auc"]) for direction in directions)
            if count in measured
            else NONE
            for count in counts
        ]

    return filled


def of_interactions(figures: Figures, headings: Sequence[str]) -> Filled | None:
    """``system | runs | P | R | F1 | AUC | R of stated | F1 of stated | F1 of pairs``: one direction, of variants."""
    if headings[0] != "system" or len(figures.directions) != 1:
        return None
    (direction,) = figures.directions
    known: dict[str, tuple[str, Callable[[Row], str]]] = {
        "runs": ("all", lambda row: str(row["n_runs"])),
        "P": ("all", lambda row: number(row["precision"])),
        "R": ("all", lambda row: number(row["recall"])),
        "F1": ("all", with_deviation),
        "AUC": ("all", lambda row: number(row["auc"])),
        "paper F1": ("all", lambda row: number(row["paper_f1"])),
        "R of stated": ("stated", lambda row: number(row["recall"])),
        "F1 of stated": ("stated", lambda row: number(row["f1"])),
        "F1 of pairs": ("pairs", lambda row: number(row["f1"])),
    }

    def filled(system: str, _: Sequence[str]) -> list[str]:
        return [known[heading][1](figures.row(system, direction, known[heading][0])) for heading in headings[1:]]

    return filled


def of_paper(figures: Figures, headings: Sequence[str]) -> Filled | None:
    """``system | A→B | BioNLP …``: F1 of each direction, and in brackets what the paper has for it."""
    if headings[0] != "system" or not set(headings[1:]) <= set(figures.directions):
        return None

    def filled(system: str, _: Sequence[str]) -> list[str]:
        rows = [figures.row(system, direction) for direction in headings[1:]]
        return [number(row["f1"]) + (f" ({row['paper_f1']:.2f})" if row["paper_f1"] else "") for row in rows]

    return filled


def of_answers(figures: Figures, headings: Sequence[str]) -> Filled | None:
    """``questions, A→B | 0 | 25 | …``: AUC · F1 by the number of answers."""
    asked = re.fullmatch(r"questions, (\S+→\S+)", headings[0])
    if asked is None:
        return None

    def filled(order: str, _: Sequence[str]) -> list[str]:
        found = [figures.answers.get((asked[1], order, int(heading))) for heading in headings[1:]]
        if not any(found):
            raise UnknownRowError(f"no questions {order}, {asked[1]}")
        return [NONE if row is None else f"{row['auc']:.3f} · {row['f1']:.3f}" for row in found]

    return filled


def of_differences(figures: Figures, headings: Sequence[str]) -> Filled | None:
    """``difference in F1 | seeds | mean | p | decided? | A→B | B→A``: rows are ```first` − `second```.

    ``difference in AUC, 100 labels`` heads those with so many labels.
    """
    if not headings[0].startswith("difference in") or not figures.differences:
        return None
    few = re.search(r", (\d+) labels$", headings[0])
    labels = int(few[1]) if few else None

    def filled(_: str, names: Sequence[str]) -> list[str]:
        first, second = names[:2]
        whole = "mean" if (first, second, "mean", labels) in figures.differences else figures.directions[0]
        cells = []
        for heading in headings[1:]:
            direction = heading if (first, second, heading, labels) in figures.differences else whole
            try:
                one = figures.differences[first, second, direction, labels]
            except KeyError:
                raise UnknownRowError(f"no difference of {first} and {second}, {direction}") from None
            known = {
                "seeds": str(one["seeds"]) if one["seeds"] > 1 else "documents only",
                "p": f"{one['p']:.3f}" if one["p"] >= 0.0005 else "< 0.001",
                "decided": "yes" if one["decided"] else "**not decided**",
            }
            interval = f"{one['value']:.3f} [{one['low']:.3f}, {one['high']:.3f}]".replace("-", "−")
            cells.append(known.get(heading, interval))
        return cells

    return filled


KINDS = (of_paper, of_directions, of_labels, of_interactions, of_differences, of_answers)


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def filled_table(table: str, files: Sequence[Path]) -> str | None:
    """The table with its cells from the files; nothing if its headings are not known."""
    head, rule, *body = table.splitlines()
    headings = cells_of(head)
    figures = Figures(files)
    kind = next((made for make in KINDS if (made := make(figures, headings)) is not None), None)
    if kind is None:
        return None
    lines = []
    for line in body:
        label = cells_of(line)[0]
        names = re.findall(r"`([^`]+)`", label) or [label.strip("*")]
        lines.append("| " + " | ".join([label, *kind(names[0], names)]) + " |")
    return "\n".join([head, rule, *lines]) + "\n"


def filled_page(page: Path) -> tuple[str, list[str]]:
    """The text of the page with every known table filled, and the files of those that are not known."""
    by_hand: list[str] = []

    def fill(match: re.Match[str]) -> str:
        files = [page.parent / name for name in match[1].split()]
        try:
            table = filled_table(match[2], files)
        except UnknownRowError as error:
            raise SystemExit(f"{page.relative_to(ROOT)}, table of {match[1]}: {error}") from None
        if table is None:
            by_hand.append(match[1])
            return match[0]
        return f"<!-- figures: {match[1]} -->\n{table}"

    return TABLE.sub(fill, page.read_text(encoding="utf-8")), by_hand


def recompute() -> list[Path]:
    """Figures, intervals and differences of every folder that keeps its cells; one whose system has gone stays a record."""
    from relhash.bench.cells import read_run
    from relhash.bench.report import finish
    from relhash.errors import ParameterError

    kept = sorted({file.parent for file in RESULTS.rglob("*.tests.json.gz")})
    computed = []
    for folder in kept:
        try:
            finish(read_run(folder), folder)
            computed.append(folder)
        except ParameterError as error:
            print(f"left as it is: {error}")
    return computed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    given = parser.parse_args()
    if not given.check:
        for folder in recompute():
            print(f"computed from its cells: {folder.relative_to(ROOT)}")
    changed = []
    for page in PAGES:
        after, by_hand = filled_page(page)
        for files in by_hand:
            print(f"{page.relative_to(ROOT)}: left as it is (headings of its own): {files}")
        if after != page.read_text(encoding="utf-8"):
            changed.append(page)
            if not given.check:
                page.write_text(after, encoding="utf-8")
    print("changed:", ", ".join(str(page.relative_to(ROOT)) for page in changed) or "nothing")
    if given.check:
        sys.exit(bool(changed))


if __name__ == "__main__":
    main()
