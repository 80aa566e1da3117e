"""Rows in files."""

from __future__ import annotations

import csv
import gzip
import json
import os
from pathlib import Path

import pytest

from relhash.errors import CorpusError, ParameterError
from relhash.model.tables import TABLE_FORMATS, check_writable, read_rows, row_format, write_rows
from relhash.model.tables.format import TableFormat

ROWS = [
    {"document": "d\t1", "start1": 3, "is_relation": True, "probability": 0.5, "participants": [1]},
    {"document": 'say "no"\n', "start1": 4, "is_relation": False, "probability": 1.0, "participants": []},
]
COLUMNS = ["document", "start1", "is_relation", "probability"]


@pytest.mark.parametrize(("name", "separator"), [("a.tsv", "\t"), ("a.csv", ","), ("a.tsv.gz", "\t")])
def test_tables_hold_what_was_given_whatever_is_in_it(name, separator, tmp_path):
    path = tmp_path / name
    assert write_rows(ROWS, path, row_format(path), COLUMNS) == 2
    with (gzip.open if name.endswith(".gz") else open)(path, "rt", newline="") as handle:
        assert list(csv.reader(handle, delimiter=separator)) == [
            COLUMNS, ["d\t1", "3", "1", "0.5"], ['say "no"\n', "4", "0", "1.0"],
        ]  # fmt: skip


def test_json_holds_all_of_a_row(tmp_path):
    assert write_rows(iter(ROWS), tmp_path / "a.jsonl", "jsonl", COLUMNS) == 2
    assert [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()] == ROWS


def test_parquet_keeps_numbers(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert write_rows(ROWS, tmp_path / "a.parquet", "parquet", COLUMNS) == 2
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.column("start1").to_pylist() == [3, 4]
    assert table.column("is_relation").to_pylist() == [True, False]


def test_an_error_on_the_way_leaves_no_file(tmp_path):
    def rows():
        yield ROWS[0]
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        write_rows(rows(), tmp_path / "a.tsv", "tsv", COLUMNS)
    assert list(tmp_path.iterdir()) == []


def test_an_error_before_the_first_row_prints_nothing(capsys):
    """A missing input file left the header of an empty table on standard output."""

    def rows():
        raise RuntimeError("no such file")
        yield

    with pytest.raises(RuntimeError):
        write_rows(rows(), Path("-"), "tsv", COLUMNS)
    assert capsys.readouterr().out == ""
    assert write_rows([], Path("-"), "tsv", COLUMNS) == 0
    assert capsys.readouterr().out.split() == COLUMNS


def test_what_cannot_be_written_is_said_before():
    with pytest.raises(ParameterError, match="no format of tables"):
        check_writable(Path("a.doc"), "doc")
    with pytest.raises(CorpusError, match="mkdir -p"):
        check_writable(Path("no-such-folder/a.tsv"), "tsv")
    for name in ("-", "a.xlsx.gz"):
        with pytest.raises(ParameterError, match="neither printed nor gzipped"):
            check_writable(Path(name), "xlsx")


def test_what_cannot_be_read_is_told_with_the_remedy(tmp_path):
    with pytest.raises(CorpusError, match="relhash predict"):
        read_rows(tmp_path / "none.tsv")
    with pytest.raises(CorpusError, match=r"\.tsv, \.csv, \.xlsx"):
        read_rows(tmp_path / "a.doc")


@pytest.mark.parametrize("kind", ["xlsx", "html", "csv"])
def test_an_error_on_the_way_leaves_no_file_of_any_kind(kind, tmp_path):
    def rows():
        yield ROWS[0]
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        write_rows(rows(), tmp_path / f"a.{kind}", kind, COLUMNS)
    assert list(tmp_path.iterdir()) == []


def test_a_format_of_another_package_is_one_object(monkeypatch, tmp_path):
    class Counted(TableFormat):
        def write(self, rows, handle, columns, title):
            count = len(list(rows))
            handle.write(f"{count} rows".encode())
            return count

    monkeypatch.setattr(TABLE_FORMATS, "_parts", dict(TABLE_FORMATS._parts))
    TABLE_FORMATS.register("counted", Counted())
    assert write_rows(ROWS, tmp_path / "a.counted", "counted", COLUMNS) == 2
    assert (tmp_path / "a.counted").read_text() == "2 rows"


@pytest.fixture
def piped():
    """A pipe from which a text comes, by its name."""
    opened = []

    def piped(content: bytes) -> Path:
        reading, writing = os.pipe()
        os.write(writing, content)
        os.close(writing)
        opened.append(reading)
        return Path(f"/dev/fd/{reading}")

    yield piped
    for reading in opened:
        os.close(reading)


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_pipe_holds_a_tsv(piped, tmp_path, is_packed):
    """It was refused by its name."""
    write_rows(ROWS, tmp_path / "a.tsv", "tsv", COLUMNS)
    content = (tmp_path / "a.tsv").read_bytes()
    path = piped(gzip.compress(content) if is_packed else content)
    assert list(read_rows(path)) == list(read_rows(tmp_path / "a.tsv"))


@pytest.mark.parametrize("name", ["a.tsv.gz", "a.jsonl.gz"])
def test_a_table_that_unpacks_without_end(tmp_path, name):
    (tmp_path / name).write_bytes(gzip.compress(b"a" * 100_000_000, 1))
    with pytest.raises(CorpusError, match="unpacks to more than 200 times its size"):
        list(read_rows(tmp_path / name))


def test_a_device_takes_a_table():
    assert row_format(Path("/dev/null")) == "tsv"
    assert row_format(Path("run.2.indra.json.gz")) == "indra.json"
    assert row_format(Path("indra.json.tsv")) == "tsv"
    assert write_rows(ROWS, Path("/dev/null"), "tsv", COLUMNS) == 2
