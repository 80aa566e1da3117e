"""What pages other than the results say in numbers or in words is what the files and the program say."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from relhash.learn.threshold import CUT
from relhash.show.facts import merging as belief
from tests.test_docs import FENCE, RESULTS, ROOT, WRITTEN, name_of, row_of, text_of, unknown_figures

FIGURES = re.compile(r"^<!-- figures: (.+?) -->\n\n?((?:\|.*\n)+)", re.MULTILINE)
PAGES = [ROOT / "README.md", *(page for page in WRITTEN if page.name not in (RESULTS.name, "licences.md", "changelog.md"))]


def stored(name: str) -> Any:
    return json.loads(text_of(ROOT / "benchmarks" / "results" / name))


def of_labels(labels: int) -> str:
    rows = stored("teach/teach.json")["means"]
    (row,) = (row for row in rows if (row["learner"], row["labels"]) == ("correction", labels))
    return f"{row['of_reported']:.3f}"


def of_corpora(system: str, file: str = "ppi-cross/ppi-cross.json") -> str:
    rows = [row_of(file, system, direction, None) for direction in ("A→B", "B→A")]
    return " and ".join(f"{row['f1']:.3f}" for row in rows)


def read_by_eye(reading: str, *drawn: str) -> tuple[int, int]:
    """How many rows of a reading were right, and how many were read."""
    table = text_of(ROOT / f"benchmarks/results/raw-text/by-eye-{reading}.tsv").splitlines()
    head, *lines = (line.split("\t") for line in table)
    verdicts = [line[head.index("verdict")] for line in lines if line[head.index("drawn")] in drawn]
    return verdicts.count("right"), len(verdicts)


def rows_of_ppi() -> tuple[int, int]:
    return read_by_eye("cut", "ppi")


def right_of_raw_text() -> float:
    right, read = rows_of_ppi()
    return right / read


def negation(figure: str) -> float:
    rows = stored("assertion/assertion.json")["rows"]
    return float(next(row[figure] for row in rows if (row["judge"], row["marked"]) == ("model", "negation")))


def names(figure: Callable[[int, int, int, int], float]) -> float:
    rows = [row for row in stored("grounding.json")["names"] if row["type"] != "all"]
    kinds = ("right", "rightly unknown", "missed", "wrong")
    return figure(*(sum(row[kind] for row in rows) for kind in kinds))


SAID_WITH_FIGURES: list[tuple[str, str]] = [
    ("README.md", f"lift the AUC of a shipped model by {of_labels(80)} on sets"),
    ("README.md", f"its F1 of {row_of('ppi-cross/ppi-cross.json', 'KLSH-NU-RF', 'A→B', None)['paper_f1']:.2f}"),
    ("README.md", f"F1 {of_corpora('best')} for the default, {of_corpora('ngram-lr')} for n-grams"),
    ("README.md", f"{of_corpora('best+encoder', 'encoder/ppi-cross.json')} with a"),
    ("README.md", "On raw text {} of {} accepted rows about two proteins were right".format(*rows_of_ppi())),
    (
        "docs/howto/read-results.md",
        f"one sentence counts at most {belief.MOST_OF_A_SENTENCE}, one document {belief.MOST_OF_A_DOCUMENT}, and no belief is "
        f"above {belief.MOST}",
    ),
]
"""Page, and what it has to say."""
SAID_IN_WORDS: list[tuple[str, str, float, float]] = [
    ("README.md", "It misses [one in three]", 1 / 3, 1 - negation("recall")),
    ("README.md", "[Seven of ten]", 7 / 10, right_of_raw_text()),
    ("docs/faq.md", "of the accepted rows that we read, seven of ten were right", 7 / 10, right_of_raw_text()),
    ("docs/faq.md", "It misses about a third of all denials", 1 / 3, 1 - negation("recall")),
    ("docs/howto/negation.md", "It finds two of three negated statements", 2 / 3, negation("recall")),
    ("docs/howto/negation.md", "and four of five that it calls negated are", 4 / 5, negation("precision")),
    ("docs/howto/teach.md", "from a probability of one third on", 1 / 3, CUT),
    (
        "docs/howto/grounding.md",
        "nine of ten names are answered rightly",
        9 / 10,
        names(lambda right, unknown, missed, wrong: (right + unknown) / (right + unknown + missed + wrong)),
    ),
    (
        "docs/howto/grounding.md",
        "of the ids that are given nineteen of twenty are right",
        19 / 20,
        names(lambda right, unknown, missed, wrong: right / (right + wrong)),
    ),
]
"""Page, words, the share they stand for, the share of the file."""


def prose(page: Path) -> str:
    """The text on one line, without code; links are left as their words."""
    plain = re.sub(r"\]\([^)]*\)", "]", FENCE.sub("", FIGURES.sub("", text_of(page))))
    return " ".join(re.sub(r"`[^`]*`", "", plain).split())


@pytest.mark.parametrize(("page", "said"), SAID_WITH_FIGURES, ids=[said for _, said in SAID_WITH_FIGURES])
def test_figures_outside_the_results_page(page: str, said: str) -> None:
    assert said in prose(ROOT / page)


@pytest.mark.parametrize(("page", "said", "words", "measured"), SAID_IN_WORDS, ids=[said for _, said, _, _ in SAID_IN_WORDS])
def test_shares_said_in_words(page: str, said: str, words: float, measured: float) -> None:
    """Words are round: they may be off by a twelfth, and by half of what they say of a small share."""
    assert said in prose(ROOT / page)
    assert abs(words - measured) < min(1 / 12, words / 2)


MARKED = [(page, *found) for page in PAGES for found in FIGURES.findall(text_of(page))]


@pytest.mark.parametrize(("page", "files", "table"), MARKED, ids=[f"{name_of(page)} {files}" for page, files, _ in MARKED])
def test_tables_on_other_pages(page: Path, files: str, table: str) -> None:
    assert unknown_figures(table, [page.parent / file for file in files.split()]) == []


def test_a_table_of_the_simulation_is_among_them() -> None:
    assert any("scale_simulation.json" in files for _, files, _ in MARKED)


@cache
def settings() -> set[float]:
    """Numbers that stand in the program."""
    sources = (text_of(file) for file in sorted((ROOT / "src" / "relhash").rglob("*.py")))
    return {float(found) for source in sources for found in re.findall(r"(?<![\w.])\d*\.?\d+\b", source)}


def unclaimed(page: Path) -> list[str]:
    """Shares and percentages in the text of a page that are neither a setting of the program nor in a list above."""
    text = prose(page)
    for name, said in [*SAID_WITH_FIGURES, *((name, said) for name, said, _, _ in SAID_IN_WORDS)]:
        if name == name_of(page):
            text = text.replace(said, "")
    shares = [found for found in re.findall(r"(?<![\w.])0?\.\d+\b(?!\.\d)", text) if float(found) not in settings()]
    percentages = re.findall(r"(?<![\w.])\d+(?:\.\d+)? %", text)
    return shares + [found for found in percentages if float(found[:-2]) / 100 not in settings()]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_share_on_another_page_is_a_setting_or_checked(page: Path) -> None:
    """A figure that was measured stands on the results page; said elsewhere, it goes into one of the lists above."""
    assert unclaimed(page) == []


def test_a_figure_that_nobody_checks_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("A share of 0.8317, in `0.8318`, and 83.19 % of\nall; 0.9 is a setting.\n")
    monkeypatch.setattr("tests.test_said_elsewhere.name_of", str)
    assert unclaimed(page) == ["0.8317", "83.19 %"]
