"""Input that somebody sends to break things: one line and exit code 2, or nothing wrong at all. Each broke something once."""

from __future__ import annotations

import json
import stat
import zipfile
from pathlib import Path

import pytest

from relhash.corpus import read
from relhash.corpus.tables.sheets import write_workbook
from relhash.curate.store import AnswerStore, StoreError, check_database, database_url
from relhash.errors import CorpusError, ModelFileError
from relhash.language.parse_cache import ParseCache
from relhash.model import FittedModel
from tests.cli.running import run

KEPT = Path(__file__).parent / "model" / "kept" / "schema-3.relhash"


@pytest.mark.parametrize("value", [1, 1e308, [], None, "no-such-view"])
def test_a_model_whose_views_are_none_is_refused_as_it_is_read(tmp_path, value):
    with zipfile.ZipFile(KEPT) as archive, zipfile.ZipFile(tmp_path / "m.relhash", "w") as changed:
        for name in archive.namelist():
            content = archive.read(name)
            if name == "manifest.json":
                manifest = json.loads(content)
                manifest["settings"]["views"][0] = value
                content = json.dumps(manifest).encode()
            changed.writestr(name, content)
    with pytest.raises(ModelFileError, match=r"m\.relhash"):
        FittedModel.load(tmp_path / "m.relhash")


@pytest.mark.parametrize(
    "command",
    [
        ("predict", "ppi", "/dev/zero"),
        ("info", "/dev/zero"),
        ("pairs", "/dev/zero"),
        ("predict", "ppi", "README.md", "--lexicon", "/dev/zero"),
        ("convert", "/dev/zero", "out.jsonl"),
    ],
    ids=" ".join,
)
def test_a_device_without_end_is_not_read(capsys, command):
    code, _, said = run(capsys, *command)
    assert (code, said.count("\n")) == (2, 1), said
    assert "/dev/zero" in said


@pytest.mark.parametrize(
    "options",
    [
        ("predict", "ppi", "no.txt", "--n-jobs", "0"),
        ("fit", "no.jsonl", "-o", "m", "--seed", "4294967296"),
        ("hash", "ppi", "no.txt", "-o", "c/", "--length", "99999999999999999999"),
        ("predict", "ppi", "no.txt", "--max-memory", "9999999999T"),
    ],
    ids=" ".join,
)
def test_numbers_that_are_too_large_or_too_small(capsys, options):
    code, _, said = run(capsys, *options)
    assert code == 2
    assert "Traceback" not in said
    assert options[-2] in said


def test_a_sheet_is_the_same_at_any_time(tmp_path, monkeypatch):
    from openpyxl import load_workbook

    rows = [["a", "b"], ["1", "=2"]]
    write_workbook(rows, tmp_path / "one.xlsx")
    monkeypatch.setattr("time.localtime", lambda *_: (2001, 2, 3, 4, 5, 6, 0, 0, 0))
    write_workbook(rows, tmp_path / "two.xlsx")
    monkeypatch.undo()
    assert (tmp_path / "one.xlsx").read_bytes() == (tmp_path / "two.xlsx").read_bytes()
    assert [[cell.value for cell in row] for row in load_workbook(tmp_path / "one.xlsx").active] == rows
    with zipfile.ZipFile(tmp_path / "one.xlsx") as archive:
        assert b">1980-01-01" in archive.read("docProps/core.xml")


def test_a_name_of_a_file_is_no_query(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    AnswerStore(database_url("what?.txt.answers.sqlite"), {"text": "a"}).close()
    assert [path.name for path in tmp_path.iterdir()] == ["what?.txt.answers.sqlite"]


@pytest.mark.parametrize("url", ["mysql://here", "postgresql://nobody@127.0.0.1:1/no", "no/such/folder/a.sqlite", "::://"])
def test_a_bad_database_is_found_before_the_text_is_read(capsys, url):
    code, _, said = run(capsys, "curate", "no-such-model", "no-such-text", "--db", url)
    assert (code, said.count("\n")) == (2, 1), said
    assert "--db" in said or "no/such/folder" in said


def test_looking_at_a_database_makes_none(tmp_path):
    check_database(database_url(str(tmp_path / "new.sqlite")))
    assert not list(tmp_path.iterdir())
    (tmp_path / "text.sqlite").write_text("this is no database, however long it may be" * 99)
    with pytest.raises(StoreError, match="not a database"):
        check_database(database_url(str(tmp_path / "text.sqlite")))


def test_a_document_with_an_empty_id_is_called_after_its_line(tmp_path):
    (tmp_path / "d.jsonl").write_text('{"id": "", "text": "RAF1 binds MEK1."}\n')
    assert [document.id for document in read(tmp_path / "d.jsonl").documents] == ["d:1"]


@pytest.mark.parametrize("where", ["id", "infon"])
def test_half_a_character_in_bioc_names_the_file(tmp_path, where):
    identifier, kind = ("d\\ud800", "x") if where == "id" else ("d", "x\\ud800")
    text = '{"documents": [{"id": "%s", "infons": {}, "passages": [{"offset": 0, "text": "RAF1", "infons": {"type": "%s"}, '
    rest = '"sentences": [], "annotations": [], "relations": []}], "annotations": [], "relations": []}]}'
    (tmp_path / "d.json").write_text(text % (identifier, kind) + rest)
    with pytest.raises(CorpusError, match=r"d\.json.*surrogate"):
        list(read(tmp_path / "d.json").documents)


def test_nobody_else_reads_what_is_kept(tmp_path):
    cache = ParseCache(tmp_path / "cache" / "parses")
    cache.store.put("ab" * 32, b"text")
    folders = [tmp_path / "cache", *(path for path in (tmp_path / "cache").rglob("*") if path.is_dir())]
    assert len(folders) > 1
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}
    store = AnswerStore(f"sqlite:///{tmp_path / 'answers.sqlite'}", {"text": "a"})
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("answers*")} == {0o600}
    store.close()


def test_half_a_character_in_a_text_is_refused():
    """It was a UnicodeEncodeError of the tokenizer."""
    with pytest.raises(CorpusError, match=r"text0\]: half of a surrogate pair"):
        FittedModel.load("ppi").predict(["RAF1 bi\ud800nds to MEK1."])
