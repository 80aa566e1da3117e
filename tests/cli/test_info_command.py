"""``relhash info MODEL``: the card of a model file."""

from __future__ import annotations

import json

import pytest

from relhash.cli.main import main
from relhash.corpus import Corpus
from relhash.corpus.demo import demo_corpora
from relhash.models.extractor import RelationExtractor


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    corpus = demo_corpora()[0]
    path = tmp_path_factory.mktemp("model") / "demo.relhash"
    RelationExtractor("random", learner={"n_bits": 20}).fit(Corpus(corpus.name, corpus.documents[:40])).save(path)
    return path


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exited:
        main(["info", *arguments])
    captured = capsys.readouterr()
    return int(exited.value.code or 0), captured.out, captured.err


def test_card_as_text_and_json(capsys, model):
    code, out, err = run(capsys, str(model))
    assert (code, err) == (0, "")
    assert "40 documents" in out
    found = json.loads(run(capsys, str(model), "--json")[1])
    assert found["training"]["documents"] == 40
    assert found["bytes"] == model.stat().st_size


def test_what_is_not_a_model_is_one_line(capsys, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a model")
    code, out, err = run(capsys, str(path))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "notes.txt" in err
    assert run(capsys, str(tmp_path / "missing.relhash"))[0] == 2
