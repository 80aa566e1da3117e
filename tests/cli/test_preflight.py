"""Every command that writes refuses a place for its output before any work: its input and its model need not even exist."""

from __future__ import annotations

import importlib.util
import inspect
import os

import pytest

from relhash import files
from relhash.cli.main import COMMANDS
from tests.cli.running import run

WRITERS = {
    "demo": ["demo", "-o", "{out}"],
    "convert": ["convert", "no.txt", "{out}.jsonl"],
    "fit": ["fit", "no.jsonl", "-o", "{out}"],
    "adapt": ["adapt", "no.relhash", "no.txt", "-o", "{out}"],
    "predict": ["predict", "no.relhash", "no.txt", "-o", "{out}.tsv"],
    "predict brat": ["predict", "no.relhash", "no.txt", "-o", "{out}.xml", "--to", "bioc"],
    "check": ["check", "no.jsonl", "-o", "{out}.tsv"],
    "check indra": ["check", "no.json", "-o", "{out}.json"],
    "pairs": ["pairs", "no.tsv", "-o", "{out}.tsv"],
    "pairs network": ["pairs", "no.tsv", "-o", "{out}.graphml"],
    "review": ["review", "no.relhash", "no.txt", "-o", "{out}.html"],
    "benchmark": ["benchmark", "demo", "-o", "{out}"],
    "explain": ["explain", "no.relhash", "no.txt", "-o", "{out}.html"],
    "hash": ["hash", "no.relhash", "no.txt", "-o", "{out}.npz"],
    "hash index": ["hash", "no.relhash", "no.txt", "-o", "{out}"],
    "similar": ["similar", "no-index", "--to", "no.txt", "-o", "{out}.tsv"],
}
FOLDERS = {"demo", "benchmark", "hash index"}
"""Commands whose output is a folder, which they make."""


def refused(capsys, name, out):
    code, printed, said = run(capsys, *(argument.format(out=out) for argument in WRITERS[name]))
    assert (code, printed) == (2, ""), said
    (line,) = said.strip().splitlines()
    return line


def test_every_command_that_writes_is_here():
    writing = {command.name for command in COMMANDS if "output" in inspect.signature(command.load()).parameters}
    assert writing == {name.partition(" ")[0] for name in WRITERS}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", [name for name in WRITERS if name not in FOLDERS])
def test_a_folder_that_does_not_exist(capsys, place, name):
    assert "does not exist; make it first: mkdir -p none" in refused(capsys, name, "none/out")
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_in_the_place_of_the_folder(capsys, place, name):
    (place / "file").touch()
    assert "is a file, not a folder" in refused(capsys, name, "file/out")


@pytest.mark.parametrize("name", WRITERS)
def test_no_permission(capsys, place, monkeypatch, name):
    monkeypatch.setattr(os, "access", lambda *_, **__: False)  # root may write everywhere
    assert "no permission to write here" in refused(capsys, name, "out")


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk(capsys, place, monkeypatch, name):
    monkeypatch.setattr(files, "SMALLEST_ROOM", 1 << 62)
    assert "the disk is full" in refused(capsys, name, "out")


@pytest.mark.parametrize(
    "arguments",
    [
        ["predict", "no.relhash", "no.txt", "-o", "rows.parquet"],
        ["pairs", "no.tsv", "-o", "pairs.parquet"],
        ["hash", "no.relhash", "no.txt", "-o", "codes.parquet"],
        ["predict", "no.relhash", "no.txt", "-o", "out", "--engine", "dask"],
    ],
    ids=lambda arguments: " ".join(arguments[:1] + arguments[-1:]),
)
def test_an_extra_that_is_not_installed(capsys, place, monkeypatch, arguments):
    found = importlib.util.find_spec

    def without(name, *rest):
        return None if name.partition(".")[0] in ("pyarrow", "dask", "distributed") else found(name, *rest)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    for name in ("pyarrow", "dask", "distributed"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    code, _, said = run(capsys, *arguments)
    assert code == 2
    assert "pip install" in said
    assert list(place.iterdir()) == []
