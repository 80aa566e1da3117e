"""Facts in a file: which format, and what every format has in common."""

from __future__ import annotations

import csv
import json
import zipfile
from pathlib import Path

import pytest

from relhash.errors import CorpusError, ParameterError
from relhash.show.facts import write_facts
from tests.show.facts.few_facts import FACTS


@pytest.mark.parametrize("kind", ["html", "graphml", "cyjs", "sif", "kgx", "zip", "tsv", "xlsx"])
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


def test_kgx_speaks_biolink(tmp_path):
    write_facts(FACTS, tmp_path / "a.kgx")
    graph = json.loads((tmp_path / "a.kgx").read_text())
    ids = {node["id"] for node in graph["nodes"]}
    assert len(graph["edges"]) == len(FACTS)
    for edge in graph["edges"]:
        assert {edge["subject"], edge["object"]} <= ids
        assert edge["predicate"].startswith("biolink:")
        assert "[E1]" not in edge["supporting_text"][0]
    assert all(node["category"][0].startswith("biolink:") for node in graph["nodes"])


def test_neo4j_gets_two_tables_whose_keys_meet(tmp_path):
    write_facts(FACTS, tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        nodes, edges = (list(csv.DictReader(archive.read(name).decode().splitlines())) for name in archive.namelist())
    assert len(edges) == len(FACTS)
    assert {edge[end] for edge in edges for end in (":START_ID", ":END_ID")} == {node["key:ID"] for node in nodes}
    assert all(edge[":TYPE"].replace("_", "").isalnum() for edge in edges)
