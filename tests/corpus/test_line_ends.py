"""Sentences that end with their line: a list of titles ran together to one sentence, and all its names were related."""

from __future__ import annotations

import textwrap

import pytest

from relhash.corpus.text import plain_document

PROSE = (
    "Signal transduction by the interleukin 2 receptor depends on JAK1 and JAK3, which associate with the receptor and are "
    "phosphorylated after it has bound its ligand. STAT5 was activated by both kinases. We asked whether STAT3 takes part in "
    "this process, and found that it does so only in cells that had been stimulated before. IL-4 had no such effect."
)
TITLES = [
    "Cloning and characterization of two evolutionarily conserved subunits of human TFIIIC",
    "IL-2 receptor and JAK1",
    "p53 binds MDM2 in vitro",
    "Interleukin-6 activates phosphatidylinositol-3 kinase",
    "RAF1 is bound by MEK1",
    "A role for CD22 in the regulation of PTP-1C",
    "Structure of the complex of MCP-1 with its receptor CCR2",
]


def lines_of(text):
    return [text[passage.start : passage.end] for passage in plain_document("d", text).passages]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", " \n\n\n "])
def test_titles_one_per_line(end):
    assert lines_of(end.join(TITLES) + end) == TITLES


def test_short_lines_of_one_length():
    assert lines_of("TNF binds TRAF2\nRAF1 binds MEK1\n") == ["TNF binds TRAF2", "RAF1 binds MEK1"]


def test_long_lines_without_a_full_stop():
    abstracts = [PROSE.rstrip(".") for _ in range(3)]
    assert lines_of("\n".join(abstracts)) == abstracts


@pytest.mark.parametrize("width", [40, 60, 72, 80, 100, 120])
def test_wrapped_text_goes_on(width):
    assert lines_of("\n".join(textwrap.wrap(PROSE, width))) == []


def test_wrapped_before_a_name():
    assert lines_of("We looked at the binding and phosphorylation of\nRAF1 in cells.") == []


def test_lines_that_end_as_sentences_do_need_no_passages():
    assert lines_of("RAF1 binds MEK1.\nWe saw it.\nAnd more") == []


@pytest.mark.parametrize("text", ["", "\n", "RAF1 binds MEK1", "RAF1 binds MEK1\n"])
def test_one_line(text):
    assert lines_of(text) == []
