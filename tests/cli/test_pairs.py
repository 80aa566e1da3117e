"""relhash pairs: from what predict wrote to facts, as a user types it."""

from __future__ import annotations

import json

import pytest

from relhash.model.tables import write_rows
from tests.cli.running import rows_of, run
from tests.model.tables.sample_rows import COLUMNS, row


@pytest.fixture
def relations(tmp_path):
    path = tmp_path / "relations.tsv"
    grounded, denied = {"ids2": "HGNC:6840", "probability": 0.6}, {"assertion": "negated", "probability": 0.5}
    rows = [row(), row(document="d2", **grounded), row(document="d3", **denied)]
    write_rows(rows, path, "tsv", COLUMNS)
    return path


def test_pairs_of_a_table(relations, tmp_path, capsys):
    code, out, err = run(capsys, "pairs", relations, relations)
    assert (code, err) == (0, "")
    known, unknown = rows_of(out)
    assert (known["ids1"], known["ids2"], known["sentences"], known["belief"]) == ("HGNC:6840", "HGNC:9829", "1", "0.6")
    assert (unknown["sentences"], unknown["documents"], unknown["negated"]) == ("2", "2", "1")
    assert unknown["belief"] == "0.465"


@pytest.mark.parametrize("kind", ["csv", "xlsx", "html", "graphml", "cyjs", "sif", "jsonl"])
def test_every_format_by_its_suffix(kind, relations, tmp_path, capsys):
    code, out, err = run(capsys, "pairs", relations, "-o", tmp_path / f"pairs.{kind}")
    assert (code, out) == (0, "")
    assert err == f"2 pairs written to {tmp_path / f'pairs.{kind}'}\n"
    assert (tmp_path / f"pairs.{kind}").stat().st_size


def test_json_and_a_bound_on_belief(relations, tmp_path, capsys):
    code, out, _ = run(capsys, "pairs", relations, "--json", "--min-belief", "0.5")
    assert code == 0
    (fact,) = json.loads(out)
    assert fact["sources"][0]["document"] == "d2"
    _, _, err = run(capsys, "pairs", relations, "-o", tmp_path / "a.sif", "--min-belief", "0.5")
    assert "1 pairs (1 of less belief left out)" in err


def test_what_cannot_be_done_is_told_in_one_line(relations, tmp_path, capsys):
    for arguments, said in [
        ((tmp_path / "none.tsv",), "there is no such file"),
        ((relations, "-o", tmp_path / "a.doc"), ".graphml"),
        ((tmp_path / "text.txt",), "not a table by its name"),
    ]:
        code, _, err = run(capsys, "pairs", *arguments)
        assert code == 2
        assert said in err
        assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["relations.tsv"]
