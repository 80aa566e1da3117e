"""The figures of `whole_way.py` as tables of benchmarks/results/speed/README.md and docs/results.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from stage_clock import ROOT

README = ROOT / "benchmarks" / "results" / "speed" / "README.md"
PAGE = ROOT / "docs" / "results.md"
MARK = re.compile(r"(?m)^(<!-- figures: \S*whole_way\.json -->\n)(?:\|.*\n)*")
OF_TEXT = (
    "tokens", "genes", "tagger and parser", "conversion", "grounding", "candidates and sequences", "descriptors", "kernel",
    "n-grams", "trees",
)  # fmt: skip
OF_FIT = ("reading files", "candidates and structures", "codes", "trees", "walk of trees", "linear", "model file")
SHORT = (
    ("known sentence, `relhash predict ppi -`, s", "start", ("predict one sentence",), 2),
    ("raw text, sentences a second", "text", ("sentences per second",), 0),
    ("`fit AIMed.xml --adapt BioInfer.xml`, s", "fit", ("all",), 1),
)
"""Words, question, stages, digits: what docs/results.md shows."""
ROWS = (
    SHORT[0],
    ("… importing numpy, numba, spaCy alone, s", "start", ("only import numpy", "only import numba", "only import spacy"), 2),
    ("the very first sentence, nothing compiled, s", "first", ("first relation, nothing compiled",), 2),
    ("… where nothing can be kept, s", "first", ("cache that cannot be written",), 2),
    ("the first fit of a 58-row sheet, nothing compiled, s", "first", ("first fit, nothing compiled",), 1),
    ("… compiled, s", "first", ("fit, compiled",), 1),
    ("a new sentence, compiled, s", "first", ("new sentence",), 2),
    ("peak memory of `ppi`, `events`, MB", "first", ("peak MB, ppi", "peak MB, events"), 0),
    ("raw text with `ppi`, ms a sentence", "text", ("all",), 2),
    *((f"… {stage}", "text", (stage,), 2) for stage in OF_TEXT),
    SHORT[1],
    ("raw text, times spaCy's bare `nlp.pipe` (tags and parses only)", "text", ("all / bare nlp.pipe",), 2),
    *(
        (f"long sentences a second, `{name}`", "models", (f"long sentences per second, {name}",), 0)
        for name in ("ppi", "events", "related")
    ),
    SHORT[2],
    *((f"… {stage}", "fit", (stage,), 1) for stage in OF_FIT),
    ("refit after 10, 100, 500 answers, ms", "refit", tuple(f"ms after {n} answers" for n in (10, 100, 500)), 0),
    ("`serve`, four clients, requests a second", "serve", ("requests per second",), 0),
    ("… waiting, p50 and p95, ms (by the clock)", "serve", ("ms, p50", "ms, p95"), 0),
    ("walk of 150 trees, µs a row", "forest", ("microseconds per row",), 1),
    ("… scikit-learn's", "forest", ("only scikit-learn",), 1),
    ("nearest codes of 128 bits, ns a pair", "hamming", ("nearest, ns per pair",), 2),
    ("… faiss's", "hamming", ("only faiss",), 2),
)
"""The same of the read-me beside the files."""


def table_of(report: dict[str, Any], rows: Sequence[tuple[str, str, tuple[str, ...], int]] = ROWS) -> str:
    """A table of Markdown; what was not measured stays empty."""
    lines = ["| processor time, one thread | before | now |", "|:--|--:|--:|"]
    for words, question, stages, digits in rows:
        versions = [report.get(question, {}).get(version, {}) for version in ("before", "now")]
        cells = [", ".join(f"{own[stage]:.{digits}f}" for stage in stages if stage in own) for own in versions]
        if any(cells):
            lines.append(f"| {words} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def page_with(text: str, report: dict[str, Any], rows: Sequence[tuple[str, str, tuple[str, ...], int]] = ROWS) -> str:
    """The page with the table below its mark, in the place of the one that is there."""
    if len(MARK.findall(text)) != 1:
        raise SystemExit(f"the page has {len(MARK.findall(text))} marks for the figures of whole_way.json; one is expected")
    made = f"{report['made']['date'][:10]}, {report['made']['commit']}"
    text = re.sub(r"(?m)^(- File: \[whole_way.json\]\S+\)\.).*$", rf"\1 {made}.", text)
    text = re.sub(r"\bcommit [0-9a-f]{7,10}\b", f"commit {report['before']}", text)
    return MARK.sub(lambda found: found[1] + table_of(report, rows), text)


def write_table(report: dict[str, Any]) -> None:
    """Put the figures into the read-me beside the files, and a few into docs/results.md."""
    for page, rows in ((README, ROWS), (PAGE, SHORT)):
        page.write_text(page_with(page.read_text("utf-8"), report, rows), encoding="utf-8")
