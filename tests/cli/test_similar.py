"""relhash similar: what else says something like this."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import rows_of, run

pytest.importorskip("pyarrow")
TO = "[E1]RAF1[/E1] binds to [E2]MEK1[/E2]."
OTHER = "The interaction of [E1]STAT3[/E1] with [E2]JAK2[/E2] was lost."


@pytest.fixture
def index(raw_model, folder, tmp_path, capsys):
    path = tmp_path / "index"
    assert run(capsys, "hash", raw_model, folder / "raw.txt", "-o", path)[0] == 0
    return path


def test_the_same_sentence_comes_first(index, capsys):
    code, out, _ = run(capsys, "similar", index, "--to", TO)
    assert code == 0
    rows = rows_of(out)
    assert (rows[0]["marked"], rows[0]["similarity"]) == (TO, "1.0")
    assert len(rows) == 2
    assert float(rows[1]["similarity"]) < 1


def test_many_questions(index, capsys, tmp_path):
    """As options, as lines of a file, as rows of a table of which one is chosen."""
    (tmp_path / "lines.txt").write_text(f"{TO}\n\n{OTHER}\n")
    (tmp_path / "rows.tsv").write_text(f"document\tmarked\nd\t{TO}\nd\t{OTHER}\n")
    expected = [(TO, TO), (OTHER, OTHER)]
    for given in (("--to", TO, "--to", OTHER), ("--to", tmp_path / "lines.txt"), ("--to", tmp_path / "rows.tsv")):
        code, out, _ = run(capsys, "similar", index, *given, "--top", "1", "--json")
        assert (code, [(row["query"], row["marked"]) for row in json.loads(out)]) == (0, expected)
    code, out, _ = run(capsys, "similar", index, "--to", tmp_path / "rows.tsv", "--like", "2", "--top", "1")
    assert [row["marked"] for row in rows_of(out)] == [OTHER]
    code, out, _ = run(capsys, "similar", index, "--like", "0")
    assert [row["marked"] for row in rows_of(out)] == [OTHER]
    code, _, err = run(capsys, "similar", index, "--to", TO, "-o", tmp_path / "near.csv")
    assert (code, "2 rows written" in err) == (0, True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--to", "RAF1 binds to MEK1."), "is no file, and as a sentence it is not marked"),
        (("--to", "[E1]RAF1 binds"), "not closed"),
        (("--to", "[E1][/E1] a"), "nothing stands"),
        ((), "say what to look for"),
        (("--to", TO, "--like", "2"), "counted from 1 on"),
        (("--like", "9"), "there is no row 9"),
    ],
)
def test_questions_that_make_no_sense(index, capsys, given, message):
    code, _, err = run(capsys, "similar", index, *given)
    assert (code, message in err, len(err.strip().splitlines())) == (2, True, 1)


def test_tables_of_codes_are_no_index(raw_model, folder, capsys, tmp_path):
    assert run(capsys, "hash", raw_model, folder / "raw.txt", "-o", tmp_path / "codes.tsv")[0] == 0
    code, _, err = run(capsys, "similar", tmp_path / "codes.tsv", "--to", TO)
    assert (code, "relhash hash MODEL TEXT -o index/" in err) == (2, True)


def test_what_is_new_in_a_text(index, folder, capsys, tmp_path):
    code, out, _ = run(capsys, "inspect", folder / "raw.txt", "--against", index, "--picture", tmp_path / "new.svg")
    assert code == 0
    assert "100% are like those of index" in " ".join(out.split())
    assert (tmp_path / "new.svg").read_bytes().startswith(b"<?xml")
    (tmp_path / "new.txt").write_text("Neither AKT1 nor its ligand was found near, in, or around the remnants of TP53.")
    code, out, _ = run(capsys, "inspect", tmp_path / "new.txt", "--against", index, "--json")
    found = json.loads(out)
    assert (code, found["pairs"], found["overlap"]) == (0, 1, 0.0)
    assert "[E1]AKT1[/E1]" in found["new_clusters"][0]["examples"][0]
    code, _, err = run(capsys, "inspect", folder / "raw.txt", "--picture", tmp_path / "a.svg")
    assert (code, "--against INDEX" in err) == (2, True)
