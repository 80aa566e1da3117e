"""The figures of `whole_way.py` as a table of docs/results.md."""

from __future__ import annotations

import re
from typing import Any

from stage_clock import ROOT

__all__ = ["table_of", "write_table"]

MARK = "<!-- figures: ../benchmarks/results/whole_way.json -->"
PAGE = ROOT / "docs" / "results.md"
OF_TEXT = (
    "tokens", "genes", "tagger and parser", "conversion", "grounding", "candidates and sequences", "descriptors", "kernel",
    "n-grams", "trees",
)  # fmt: skip
OF_FIT = ("reading files", "candidates and structures", "codes", "trees", "walk of trees", "linear", "model file")
ROWS = (
    ("first relation of `relhash predict ppi -`, s", "start", ("predict one sentence",), 2),
    ("… importing numpy, numba, spaCy alone, s", "start", ("only import numpy", "only import numba", "only import spacy"), 2),
    ("raw text with `ppi`, ms a sentence", "text", ("all",), 2),
    *((f"… {stage}", "text", (stage,), 2) for stage in OF_TEXT),
    ("raw text, sentences a second", "text", ("sentences per second",), 0),
    ("raw text, times spaCy's bare `nlp.pipe` (tags and parses only)", "text", ("all / bare nlp.pipe",), 2),
    ("`fit AIMed.xml --adapt BioInfer.xml`, s", "fit", ("all",), 1),
    *((f"… {stage}", "fit", (stage,), 1) for stage in OF_FIT),
    ("walk of 150 trees, µs a row", "forest", ("microseconds per row",), 1),
    ("… scikit-learn's", "forest", ("only scikit-learn",), 1),
    ("nearest codes of 128 bits, ns a pair", "hamming", ("nearest, ns per pair",), 2),
    ("… faiss's", "hamming", ("only faiss",), 2),
)
"""Words, question, stages, digits."""


def table_of(report: dict[str, Any]) -> str:
    """A table of Markdown; what was not measured stays empty."""
    lines = ["| processor time, one thread | before | now |", "|:--|--:|--:|"]
    for words, question, stages, digits in ROWS:
        versions = [report.get(question, {}).get(version, {}) for version in ("before", "now")]
        cells = [", ".join(f"{own[stage]:.{digits}f}" for stage in stages if stage in own) for own in versions]
        if any(cells):
            lines.append(f"| {words} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def write_table(report: dict[str, Any]) -> None:
    """Put the table below its mark in docs/results.md, in the place of the one that is there."""
    text = PAGE.read_text("utf-8")
    changed, n = re.subn(rf"(?m)^({re.escape(MARK)}\n)(?:\|.*\n)*", lambda found: found[1] + table_of(report), text)
    if n != 1:
        raise SystemExit(f"{PAGE}: the mark {MARK} stands there {n} times, not once")
    PAGE.write_text(changed, encoding="utf-8")
