"""Every number of the pages of results and of the README is that of a file, rounded once, or says that it is a trial's."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.test_docs import RESULT_PAGES, RESULTS, ROOT, name_of, numbers_in, text_of
from tests.tools.loading import load

make_results = load("make_results")


@pytest.mark.parametrize("page", RESULT_PAGES, ids=name_of)
def test_make_results_would_change_nothing(page: Path) -> None:
    filled, _ = make_results.filled_page(page)
    assert filled == text_of(page), "run make results"


def tables_of_systems() -> list[tuple[list[Path], str]]:
    """Tables with one system or one difference of two systems in a row, and those of sheets."""
    found = []
    for page in RESULT_PAGES:
        for files, table in make_results.TABLE.findall(text_of(page)):
            first = make_results.cells_of(table.splitlines()[0])[0]
            paths = [page.parent / name for name in files.split()]
            if first == "system" or first.startswith(("difference in", "AUC, A→B")) or paths[0].name == "sheet.json":
                found.append((paths, table))
    return found


def test_tables_of_systems_are_filled_from_kept_cells() -> None:
    """Not one by hand, and not one from a file that cannot be computed again."""
    found = tables_of_systems()
    assert len(found) >= 9
    for files, table in found:
        assert make_results.filled_table(table, files) is not None, files
        for file in files:
            if file.name == "paper.json":  # collected from those of the protocols
                continue
            kept = [*file.parent.glob(f"{file.stem}.cells.jsonl*"), *file.parent.glob(f"{file.stem}.draws.jsonl.gz")]
            assert kept, file


Section = tuple[Path, str]
SECTIONS: list[Section] = [
    (page, section)
    for page in RESULT_PAGES
    for section in re.split(r"^(?=##+ )", text_of(page).partition("\n## Files and commands\n")[0], flags=re.MULTILINE)
]
NAMED = [f"{name_of(page)} {section.splitlines()[0]}" for page, section in SECTIONS]
DESIGN = "<!-- design trial -->"
"""Stands below the heading of a section about how something was chosen, by scripts that nobody kept."""


def blocks_of(section: str) -> list[str]:
    """Paragraphs and items of lists, each by itself; tables have a test of their own."""
    lines = [line for line in section.splitlines() if not line.startswith(("|", "<!--"))]
    return re.split(r"\n\s*\n|\n(?=- |\d\. )", "\n".join(lines))


QUOTED = ("precision", "recall", "f1", "auc", "paper_f1")
"""What a page says of a row of systems; a file has ten times as many numbers, and a wrong one would often be among those."""


def files_of(section: Section) -> list[dict[str, Any]]:
    """The files of results that a section links."""
    page, text = section
    links = re.findall(r"\]\(([^)]+\.json)\)", text)
    return [json.loads(text_of(page.parent / link)) for link in links]


def is_of_systems(row: object) -> bool:
    return isinstance(row, dict) and {"system", "direction", "variant"} <= row.keys()


def known_in(section: Section) -> set[str]:
    """Numbers of the tables and of the linked files of a section, and differences of rows; two or three digits, no sign."""
    known = {found for _, table in make_results.TABLE.findall(section[1]) for found in re.findall(r"\d\.\d{3}", table)}
    for stored in files_of(section):
        rows = [row for row in stored.get("rows", []) if is_of_systems(row)]
        is_summed_up = bool(rows) or "summary" in stored
        others = {key: value for key, value in stored.items() if not (is_summed_up and key in ("rows", "differences", "notes"))}
        numbers = [*numbers_in(others), *differences_between(rows)]
        numbers += [row[name] for row in rows for name in QUOTED if row.get(name) is not None and row["variant"] != "no-shared"]
        numbers += [one[name] for one in stored.get("differences", []) for name in ("value", "low", "high", "p")]
        known |= {f"{abs(number):.{digits}f}" for number in numbers for digits in (2, 3)}
    return known


def differences_between(rows: list[dict[str, Any]]) -> list[float]:
    """In F1 of all labels and in AUC of few, by direction and on the mean of both."""
    values: dict[tuple[str, str, int | None], float] = {}
    for row in rows:
        if row["variant"] == "all":
            values[row["system"], row["direction"], row.get("labels")] = row["auc" if row.get("labels") else "f1"]
    found: dict[tuple[str, str, int | None], list[float]] = {}
    for (first, direction, labels), value in values.items():
        for second in {name for name, _, _ in values} - {first}:
            if (second, direction, labels) in values:
                found.setdefault((first, second, labels), []).append(value - values[second, direction, labels])
    return [one for own in found.values() for one in [*own, float(np.mean(own))]]


INTERVAL = re.compile(r"(−?0?\.\d{3}) \[(−?0?\.\d{3}), (−?0?\.\d{3})\]")


def intervals_of(value: object) -> set[tuple[str, ...]]:
    """Every value with its interval in a file of results."""
    if isinstance(value, list):
        return set().union(*map(intervals_of, value))
    if not isinstance(value, dict):
        return set()
    parts = ("value", "low", "high")
    own = {tuple(f"{value[name]:.3f}" for name in parts)} if value.keys() >= set(parts) else set()
    return own.union(*map(intervals_of, value.values()))


def unknown_intervals(section: Section) -> list[str]:
    """Intervals in the text of a section that no file of it has as a whole, but for paragraphs that say *trial*."""
    known = intervals_of(files_of(section))
    blocks = [" ".join(block.split()) for block in blocks_of(section[1]) if "*trial*" not in block.lower()]
    found = [match for block in blocks for match in INTERVAL.finditer(block)]
    return [one[0] for one in found if tuple(part.replace("−", "-") for part in one.groups()) not in known]


def unknown_in(section: Section) -> list[str]:
    """Numbers in the text of a section that no file of it has, but for paragraphs that say *trial*."""
    known, unknown = known_in(section), unknown_intervals(section)
    for block in blocks_of(section[1]):
        if "*trial*" not in block.lower():
            figures = re.findall(r"(?<![\w.])0?(\.\d{2,3})(?![\d%])\b", re.sub(r"`[^`]*`", "", block))
            unknown += [figure for figure in figures if f"0{figure}" not in known]
    return unknown


@pytest.mark.parametrize("section", SECTIONS, ids=NAMED)
def test_a_number_in_the_text_is_that_of_a_file_or_of_a_trial(section: Section) -> None:
    """A paragraph whose numbers no file has says *trial*, so that nobody looks for a command."""
    if DESIGN in section[1]:
        assert "*trial*" in section[1].lower()
    else:
        assert unknown_in(section) == []


def test_an_interval_is_quoted_as_a_whole() -> None:
    """Its three numbers may all stand somewhere in a file of hundreds."""
    kept = json.loads((ROOT / "benchmarks" / "results" / "ppi-cross" / "ppi-cross.json").read_text("utf-8"))["differences"]
    value, low, high = next((one["value"], one["low"], one["high"]) for one in kept if one["low"] > 0.001)
    section = f"[file](../benchmarks/results/ppi-cross/ppi-cross.json)\n\n- Ahead by {value:.3f} [{low:.3f},\n  {high:.3f}]."
    assert unknown_in((RESULTS, section)) == []
    wrong = f"{value:.3f} [{low - 0.001:.3f}, {high:.3f}]"
    assert unknown_in((RESULTS, section.replace(f"[{low:.3f}", f"[{low - 0.001:.3f}"))) == [wrong]


def test_a_trial_excuses_its_paragraph_only() -> None:
    assert unknown_in((RESULTS, "## Heading\n\n*Trial*: 0.123.\n\nThen 0.456, and\n\n- 0.789\n- *trial* 0.12")) == [
        ".456",
        ".789",
    ]


@pytest.mark.parametrize("section", SECTIONS, ids=NAMED)
def test_a_table_names_its_file_or_says_trial(section: Section) -> None:
    _, text = section
    if DESIGN in text:
        return
    unnamed = []
    for above, chunk in itertools.pairwise(["", *text.split("\n\n")]):
        if "\n|" in f"\n{chunk}" and "<!-- figures:" not in chunk and "*trial*" not in (above + chunk).lower():
            unnamed.append(chunk.splitlines()[0])
    assert unnamed == []


def test_numbers_of_the_readme_stand_on_a_page_of_results() -> None:
    prose = re.sub(r"^```.*?^```$", "", text_of(ROOT / "README.md"), flags=re.MULTILINE | re.DOTALL)
    page = [float(found) for one in RESULT_PAGES for found in re.findall(r"(?<![\w.])0?\.\d+", text_of(one))]
    figures = re.findall(r"(?<![\w.:`])0\.\d{2,3}\b", re.sub(r"`[^`]*`", "", prose))
    assert figures
    for figure in figures:
        digits = len(figure) - 2
        assert figure in {f"{number:.{digits}f}" for number in page}, figure


def test_a_file_of_a_benchmark_says_who_made_it() -> None:
    """Files that are older than this rule say what the page said of them, and that it was put in afterwards."""
    files = sorted((ROOT / "benchmarks" / "results").rglob("*.json"))
    assert len(files) >= 45
    for name in files:
        said = json.loads(text_of(name)).get("made", {})
        assert {"command", "commit", "date", "machine", "versions", "parse source"} <= said.keys(), name
        assert said["versions"] or "put in" in said, name
