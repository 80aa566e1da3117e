"""The figures of `whole_way.py` as a table of docs/results.md."""

from __future__ import annotations

import re
from typing import Any

from stage_clock import ROOT

MARK = "<!-- figures: ../benchmarks/results/whole_way.json -->"
PAGE = ROOT / "docs" / "results.md"
NEXT = "### The path kernel\n"
SECTION = """### The whole way

Where users wait, by stage: the code before this was looked at (commit {before}) and the code now,
in turn in one run, next to the libraries that do the same work. Processor time of one thread, the
faster run of each stage; abstracts of BioNLP 2009 train, nothing cached, the model `ppi`.

{mark}

![A sentence of raw text and a fit by stage, before and now](../benchmarks/results/whole_way.png)

- Command: `python benchmarks/whole_way.py --docs`
- File: [whole_way.json](../benchmarks/results/whole_way.json).

Parses, scores and rows are those of before, but for `best` fitted anew: members of its committee
are scaled by the votes of held-out folds now, where before each member was fitted once more on half
of the rows. On held-out documents of AIMed and of BioInfer both ways are equally good (*trial*).

With `--n-jobs` the trees of a forest grow on several threads; the model is the same, byte for byte.
Coordinates are kept as sparse rows, like all features, though hardly one of them is zero: eight
bytes per number instead of four. Parts of a model, also other people's, are joined to one sparse
table, and trees get it dense anyway. A dense block beside it would halve the memory of coordinates,
and spare less than a hundredth of the time of this fit.

"""
"""What stands around the table; the figures are those of the file."""
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


def page_with(text: str, report: dict[str, Any]) -> str:
    """The page with the table below its mark, in the place of the one that is there; the section is made if it is missing."""
    if MARK not in text:
        if text.count(NEXT) != 1:
            raise SystemExit(f"{PAGE}: the section is to stand before {NEXT!r}, which stands there {text.count(NEXT)} times")
        text = text.replace(NEXT, SECTION.format(mark=MARK, before=report["before"]) + NEXT)
    made = f"{report['made']['date'][:10]}, {report['made']['commit']}"
    text = re.sub(r"(?m)^(- File: \[whole_way.json\]\S+\)\.).*$", rf"\1 {made}.", text)
    return re.sub(rf"(?m)^({re.escape(MARK)}\n)(?:\|.*\n)*", lambda found: found[1] + table_of(report), text)


def write_table(report: dict[str, Any]) -> None:
    """Put the figures into docs/results.md."""
    PAGE.write_text(page_with(PAGE.read_text("utf-8"), report), encoding="utf-8")
