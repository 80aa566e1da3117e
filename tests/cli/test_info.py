"""``relhash info``: the installation, and the card of a model file."""

from __future__ import annotations

import json

import pytest

import relhash
from relhash.corpus import Corpus
from relhash.corpus.read_write import demo_corpora
from relhash.model.extractor import RelationExtractor
from tests.cli.running import run


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    corpus = demo_corpora()[0]
    path = tmp_path_factory.mktemp("model") / "demo.relhash"
    RelationExtractor("random", learner={"n_bits": 20}).fit(Corpus(corpus.name, corpus.documents[:40])).save(path)
    return path


def test_card_as_text_and_json(capsys, model):
    code, out, err = run(capsys, "info", str(model))
    assert (code, err) == (0, "")
    assert "40 documents" in out
    found = json.loads(run(capsys, "info", str(model), "--json")[1])
    assert found["training"]["documents"] == 40
    assert found["bytes"] == model.stat().st_size


def test_what_is_not_a_model_is_one_line(capsys, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a model")
    code, out, err = run(capsys, "info", str(path))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "notes.txt" in err
    assert run(capsys, "info", str(tmp_path / "missing.relhash"))[0] == 2


def test_info_json_is_pure(capsys):
    code, out, err = run(capsys, "info", "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert found["relhash"] == relhash.__version__
    assert found["packages"]["numpy"]
    assert "dev" not in found["extras"]


def test_info_as_text(capsys):
    code, out, _ = run(capsys, "info")
    assert code == 0
    assert "scikit-learn" in out
    assert "[neural]" in out
