"""What a command keeps until its output is there, and how it goes on."""

from __future__ import annotations

import pytest

from relhash.model.judging import KeptPredictions
from tests.cli.running import run


@pytest.fixture
def predict(folder, model, tmp_path, capsys):
    def predict(*options):
        return run(capsys, "predict", model, folder / "fulltext.jsonl", "-o", tmp_path / "out", "--to", "brat", *options)

    return predict


@pytest.fixture
def killed(monkeypatch, predict, tmp_path):
    """What a run has left that was killed when its folder was complete and its partitions still there."""
    with monkeypatch.context() as patched:
        patched.setattr(KeptPredictions, "remove", KeptPredictions.close)
        assert predict()[0] == 0
    assert list((tmp_path / "out.kept").glob("*/??/*"))
    return tmp_path / "out"


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_folder_that_was_just_finished_is_taken(killed, predict, tmp_path):
    """It was refused as not empty."""
    before = content(killed)
    code, _, said = predict()
    assert code == 0, said
    assert content(killed) == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("change", ["another file", "other text", "of another run"])
def test_a_folder_that_is_not_ours_is_refused_and_stays(killed, predict, tmp_path, change):
    if change == "another file":
        (killed / "mine.txt").write_text("mine")
    elif change == "other text":
        next(killed.glob("*.ann")).write_text("mine")
    else:
        (run,) = (tmp_path / "out.kept").iterdir()
        run.rename(run.with_name("0" * 16))
    before = content(killed)
    code, _, said = predict()
    assert (code, said.strip().splitlines()[-1].startswith("error: ")) == (2, True)
    assert "out: the folder is not empty; choose a new name or remove it" in said
    assert content(killed) == before
    assert not list(tmp_path.glob(".*.tmp"))


def test_a_folder_with_something_in_it_is_refused_before_the_model_is_looked_at(tmp_path, capsys):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").touch()
    code, _, said = run(capsys, "predict", "no.relhash", "no.txt", "-o", tmp_path / "out", "--to", "brat")
    assert (code, "not empty" in said) == (2, True)


@pytest.mark.parametrize("place", [".", "/", ".."])
def test_a_place_without_a_name(monkeypatch, tmp_path, capsys, place):
    """It was a traceback."""
    monkeypatch.chdir(tmp_path)
    code, _, said = run(capsys, "predict", "no.relhash", "no.txt", "-o", place, "--to", "brat")
    assert (code, said.strip()) == (2, f"error: {place}: a new folder is to be written, and this is none; name one in it")
