"""relhash similar: what else says something like this."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import rows_of, run

TO = "[E1]RAF1[/E1] binds to [E2]MEK1[/E2]."


@pytest.fixture
def codes(raw_model, folder, tmp_path, capsys):
    path = tmp_path / "codes.tsv"
    assert run(capsys, "hash", raw_model, folder / "raw.txt", "-o", path)[0] == 0
    return path


def test_the_same_sentence_comes_first(raw_model, codes, capsys):
    code, out, _ = run(capsys, "similar", raw_model, codes, "--to", TO)
    assert code == 0
    rows = rows_of(out)
    assert (rows[0]["marked"], rows[0]["distance"]) == (TO, "0")
    assert len(rows) == 2
    assert int(rows[1]["distance"]) > 0


def test_a_folder_of_codes_is_one_table(raw_model, folder, codes, tmp_path, capsys):
    """As ``relhash hash --engine dask`` writes it, in parts, one of them without a candidate; rows are found in any part."""
    pytest.importorskip("pyarrow")
    from relhash.models.code_files import CODE_COLUMNS
    from relhash.models.tables import read_rows, write_rows

    dataset = tmp_path / "codes.parquet"
    dataset.mkdir()
    rows = [row for _, row in read_rows(codes)]
    for number, own in enumerate(([rows[0]], [], [rows[1]])):
        own = [{**row, **{name: int(row[name]) for name in ("start1", "end1", "start2", "end2")}} for row in own]
        write_rows(iter(own), dataset / f"part-00000{number}.parquet", "parquet", CODE_COLUMNS)
    found = [run(capsys, "similar", raw_model, path, "--to", TO)[:2] for path in (dataset, codes)]
    assert found[0] == found[1]


def test_several_sentences_and_few_of_each(raw_model, codes, capsys, tmp_path):
    other = "The interaction of [E1]STAT3[/E1] with [E2]JAK2[/E2] was lost."
    code, out, _ = run(capsys, "similar", raw_model, codes, "--to", TO, "--to", other, "--top", "1", "--json")
    assert code == 0
    assert [(row["query"], row["marked"], row["distance"]) for row in json.loads(out)] == [(TO, TO, 0), (other, other, 0)]
    code, _, err = run(capsys, "similar", raw_model, codes, "--to", TO, "-o", tmp_path / "near.csv")
    assert (code, "2 rows written" in err) == (0, True)


@pytest.mark.parametrize(
    ("to", "message"),
    [("RAF1 binds to MEK1.", "is not marked"), ("[E1]RAF1 binds", "not closed"), ("[E1][/E1] a", "nothing stands")],
)
def test_sentences_without_two_entities(raw_model, codes, capsys, to, message):
    code, _, err = run(capsys, "similar", raw_model, codes, "--to", to)
    assert code == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_types_that_the_model_does_not_relate(raw_model, codes, capsys):
    code, _, err = run(capsys, "similar", raw_model, codes, "--to", TO, "--types", "protein-protein,protein-disease")
    assert (code, "one pair of types" in err) == (2, True)


def test_codes_of_another_model_are_refused(raw_model, codes, capsys):
    text = codes.read_text()
    version = rows_of(text)[0]["model_version"]
    codes.write_text(text.replace(version, "2020-01-01-00000000"))
    code, _, err = run(capsys, "similar", raw_model, codes, "--to", TO)
    assert code == 2
    assert "2020-01-01-00000000" in err
    assert "relhash hash" in err


def test_two_tables_are_compared(codes, capsys, tmp_path):
    code, out, _ = run(capsys, "inspect", codes, "--codes", "--against", codes, "--picture", tmp_path / "clusters.svg")
    assert code == 0
    assert "100% of their candidates in common" in " ".join(out.split())
    assert (tmp_path / "clusters.svg").read_bytes().startswith(b"<?xml")
    code, out, _ = run(capsys, "inspect", codes, "--codes", "--json")
    assert (code, json.loads(out)["candidates"]) == (0, 2)
    other = tmp_path / "other.tsv"
    other.write_text(codes.read_text().replace(rows_of(codes.read_text())[0]["model_version"], "2020-01-01-00000000"))
    code, _, err = run(capsys, "inspect", codes, "--codes", "--against", other)
    assert (code, "another model" in err) == (2, True)


def test_a_picture_needs_codes(folder, capsys, tmp_path):
    code, _, err = run(capsys, "inspect", folder / "raw.txt", "--picture", tmp_path / "a.svg")
    assert (code, "--codes" in err) == (2, True)
