"""``relhash codes fit``, and what ``fit --codes`` and ``info`` make of its file."""

from __future__ import annotations

import json

import pytest

from relhash.model import RelationExtractor
from relhash.resources import resource_path
from tests.cli.running import run

DEMO = resource_path("demo")
ABSTRACTS, FULLTEXT = DEMO / "abstracts.jsonl.gz", DEMO / "fulltext.jsonl.gz"


@pytest.fixture(scope="module")
def codes_file(tmp_path_factory):
    from relhash.model import RelationExtractor

    path = tmp_path_factory.mktemp("codes") / "shared.relhash"
    RelationExtractor("KLSH-NU-RF", learner={"n_bits": 20}).learn_codes([ABSTRACTS, FULLTEXT]).save(path)
    return path


def test_codes_are_learned_shown_and_used(capsys, tmp_path, codes_file):
    path = tmp_path / "codes.relhash"
    code, out, err = run(capsys, "codes", "fit", ABSTRACTS, FULLTEXT, "-o", path, "--preset", "KLSH-NU-RF", "--bits", "20")
    assert (code, err) == (0, "")
    assert "20 bits of path+edges, learned without labels" in out
    assert path.read_bytes() == codes_file.read_bytes()
    code, out, _ = run(capsys, "info", path)
    assert (code, "Hashcodes for `KLSH-NU-RF`" in out) == (0, True)
    model = tmp_path / "model.relhash"
    code, out, _ = run(
        capsys, "fit", ABSTRACTS, "--codes", path, "--preset", "KLSH-NU-RF", "--classifier", "linear", "-o", model
    )
    assert code == 0
    assert json.loads(run(capsys, "info", model, "--json")[1])["codes"]["n_bits"] == 20


def test_codes_that_do_not_fit_are_one_line(capsys, tmp_path, codes_file):
    code, out, err = run(capsys, "fit", ABSTRACTS, "--codes", codes_file, "-o", tmp_path / "m.relhash")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "they have the views path+edges" in err
    assert not (tmp_path / "m.relhash").exists()


def test_json_is_pure(capsys, tmp_path):
    arguments = ("codes", "fit", FULLTEXT, "-o", tmp_path / "c.relhash", "--preset", "random-balanced", "--bits", "8")
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["card"]["n_bits"] == 8


def test_a_model_is_not_taken_for_codes(capsys, tmp_path):
    RelationExtractor("KLSH-kNN", learner={"n_bits": 8}).fit(ABSTRACTS).save(tmp_path / "m.relhash")
    code, _, err = run(capsys, "fit", ABSTRACTS, "--codes", tmp_path / "m.relhash", "-o", tmp_path / "x.relhash")
    assert code == 2
    assert "it holds a model" in err
