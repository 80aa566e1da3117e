"""Raw text from the command line: predict and hash with a model that parses by itself, fit adapted to raw text."""

from __future__ import annotations

import csv
import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import relhash
from relhash.cli.main import main
from relhash.corpus import Corpus
from relhash.models.shipped import shipped_models
from relhash.resources import resource_path

RAW = "RAF1 binds to MEK1.\nThe interaction of STAT3 with JAK2 was lost.\n"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exited:
        main(list(map(str, arguments)))
    captured = capsys.readouterr()
    return int(exited.value.code or 0), captured.out, captured.err


def fit(folder: Path, name: str, *arguments: str | Path) -> Path:
    with pytest.raises(SystemExit) as exited:
        main(list(map(str, [
            "fit", folder / "abstracts.jsonl", "-o", folder / name, "--preset", "KLSH-NU-RF", "--classifier", "linear C=0.1",
            "--quiet", "--no-cache", *arguments,
        ])))  # fmt: skip
    assert not exited.value.code
    return folder / name


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("raw")
    documents = list(relhash.read(resource_path("demo") / "abstracts.jsonl.gz"))[:20]
    relhash.write(Corpus.of(documents, "abstracts"), root / "abstracts.jsonl")
    (root / "raw.txt").write_text(RAW)
    (root / "names.tsv").write_text("RAF1\tHGNC:9829\nMEK1\tHGNC:6840\tgene\n")
    return root


@pytest.fixture(scope="module")
def model(folder: Path) -> Path:
    return fit(folder, "model.relhash", "--adapt", folder / "raw.txt")


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_fit_adapts_to_raw_text_and_says_how_it_reads(model, capsys):
    code, out, _ = run(capsys, "info", model)
    assert code == 0
    assert "parses: biomed_en" in out


def test_predict_reads_every_text_of_a_folder(model, tmp_path, capsys):
    """Regression: texts that begin with a bracket were dropped, with exit code 0 and without a word."""
    for number, start in enumerate(["", "[Effect]. ", "{A}. ", "<i>B</i>. ", "(C / d) was. ", "1\t", "\ufeff"]):
        (tmp_path / f"{number}.txt").write_text(f"{start}RAF1 binds to MEK1.\n", encoding="utf-8")
    (tmp_path / "table.csv").write_text("text\n")
    code, out, err = run(capsys, "predict", model, tmp_path, "--format", "text", "--all")
    assert code == 0
    assert {row["document"] for row in rows_of(out)} == set("0123456")
    assert "warning: " in err
    assert "1 file left out, by name not of the format 'text': table.csv" in err


def test_predict_raw_text(model, folder, capsys):
    code, out, _ = run(capsys, "predict", model, folder / "raw.txt", "--all", "--lexicon", folder / "names.tsv")
    assert code == 0
    rows = rows_of(out)
    assert [(row["entity1"], row["entity2"]) for row in rows] == [("RAF1", "MEK1"), ("STAT3", "JAK2")]
    assert (rows[0]["ids1"], rows[0]["ids2"], rows[1]["ids1"]) == ("HGNC:9829", "HGNC:6840", "")
    for row in rows:
        for side in "12":
            start, end = map(int, row[f"offsets{side}"].split("-"))
            assert RAW[start:end] == row[f"entity{side}"]
    assert rows[0]["evidence"] == "<E1> <nsubj binds prep_to> <E2>"


def test_predict_reads_standard_input(model, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RAW.encode())))
    code, out, err = run(capsys, "predict", model, "-", "--json", "--all")
    assert (code, err) == (0, "")
    assert {row["document"] for row in json.loads(out)} == {"stdin"}


def test_entities_found_are_in_annotated_output(model, folder, tmp_path, capsys):
    code, _, _ = run(capsys, "predict", model, folder / "raw.txt", "-o", tmp_path / "brat", "--to", "brat", "--threshold", "0")
    assert code == 0
    (document,) = relhash.read(tmp_path / "brat")
    assert [mention.text for mention in document.mentions] == ["RAF1", "MEK1", "STAT3", "JAK2"]
    assert len(document.relations) == 2


def test_text_without_entities_gives_an_empty_table_and_a_remark(model, tmp_path, capsys):
    (tmp_path / "none.txt").write_text("Nothing to see here.\n")
    code, out, err = run(capsys, "predict", model, tmp_path / "none.txt")
    assert code == 0
    assert rows_of(out) == []
    assert "no entity was recognised" in err


def test_a_model_of_file_parses_refuses_raw_text_with_the_remedy(folder, tmp_path, capsys):
    model = fit(folder, "file.relhash")
    for given in (folder / "raw.txt", tmp_path / "brat"):
        if given.suffix != ".txt":
            documents = [replace(d, sentences=()) for d in relhash.read(folder / "abstracts.jsonl")]
            relhash.write(Corpus.of(documents[:2]), given, "brat")
        code, _, err = run(capsys, "predict", model, given, "-o", tmp_path / "out.tsv", "--quiet")
        assert code == 2
        assert "--parses embedded" in err
        assert err.count("\n") == 1
    assert not (tmp_path / "out.tsv").exists()


def test_parquet(model, folder, tmp_path, capsys, monkeypatch):
    try:
        import pyarrow.parquet as pq
    except ImportError:
        pq = None
    if pq is not None:
        assert run(capsys, "predict", model, folder / "raw.txt", "-o", tmp_path / "out.parquet", "--all")[0] == 0
        table = pq.read_table(tmp_path / "out.parquet").to_pylist()
        assert [row["entity1"] for row in table] == ["RAF1", "STAT3"]
        (tmp_path / "out.parquet").unlink()
        monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    code, _, err = run(capsys, "predict", model, folder / "raw.txt", "-o", tmp_path / "out.parquet")
    assert code == 2
    assert "relhash[parquet]" in err
    assert not list(tmp_path.iterdir())


def test_hash_as_rows_and_as_arrays(model, folder, tmp_path, capsys):
    code, out, _ = run(capsys, "hash", model, folder / "raw.txt", "--bits")
    assert code == 0
    rows = rows_of(out)
    assert [row["entity2"] for row in rows] == ["MEK1", "JAK2"]
    code, _, err = run(capsys, "hash", model, folder / "raw.txt", "-o", tmp_path / "codes.npz")
    assert code == 0
    assert "2 codes of 100 bits" in err
    from relhash.hashing.codes import unpack

    with np.load(tmp_path / "codes.npz") as stored:
        bits = unpack(stored["codes"], int(stored["n_bits"]))
        assert stored["keys"].tolist() == ["raw|raw.p0|raw.p1", "raw|raw.p2|raw.p3"]
    assert ["".join(map(str, code)) for code in bits] == [row["code"] for row in rows]
    _, hexadecimal, _ = run(capsys, "hash", model, folder / "raw.txt", "--json")
    assert [bin(int("1" + row["code"], 16))[3:103] for row in json.loads(hexadecimal)] == [row["code"] for row in rows]


def test_hash_to_an_unknown_format(model, folder, tmp_path, capsys):
    code, _, err = run(capsys, "hash", model, folder / "raw.txt", "-o", tmp_path / "codes.xyz")
    assert code == 2
    assert "xyz" in err


def test_an_unknown_model_is_told_with_those_that_ship(capsys, folder):
    code, _, err = run(capsys, "predict", "nosuch", folder / "raw.txt")
    assert code == 2
    assert "no such file" in err


@pytest.mark.skipif("ppi" not in shipped_models(), reason="no model ships in this checkout")
def test_the_shipped_model_reads_a_hundred_abstracts(capsys, tmp_path):
    """With news on the way (one line a second where there is no terminal) and a document a line."""
    abstracts = resource_path("demo", "raw_abstracts.txt")
    code, _, err = run(capsys, "predict", "ppi", abstracts, "-o", tmp_path / "relations.tsv")
    assert code == 0
    assert "in 100 documents written" in err
    rows = rows_of((tmp_path / "relations.tsv").read_text())
    assert len(rows) > 50
    lines = abstracts.read_text().splitlines()
    for row in rows[:50]:
        start, end = map(int, row["offsets1"].split("-"))
        assert lines[int(row["document"].split(":")[1]) - 1][start:end] == row["entity1"]
