"""Facts in a file: which format, and what every format has in common."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from relhash.errors import CorpusError, ParameterError
from relhash.show.facts import write_facts
from tests.show.facts.few_facts import FACTS


@pytest.mark.parametrize("kind", ["html", "graphml", "cyjs", "sif", "tsv", "xlsx"])
def test_no_facts_make_a_valid_file_and_equal_facts_equal_files(kind, tmp_path):
    assert write_facts([], tmp_path / f"none.{kind}") == 0
    if kind != "xlsx":  # has its date in it
        for name in "ab":
            write_facts(FACTS, tmp_path / f"{name}.{kind}")
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


def test_standard_output_is_a_table(capsys):
    write_facts(FACTS[:1], Path("-"))
    assert len(list(csv.DictReader(capsys.readouterr().out.splitlines(), delimiter="\t"))) == 1


def test_what_cannot_be_written_is_said(tmp_path):
    with pytest.raises(ParameterError, match=r"\.graphml"):
        write_facts(FACTS, tmp_path / "pairs.doc")
    with pytest.raises(CorpusError, match="mkdir -p"):
        write_facts(FACTS, tmp_path / "none" / "pairs.sif")
    with pytest.raises(ParameterError, match=r"\.gz"):
        write_facts(FACTS, tmp_path / "pairs.sif.gz")
