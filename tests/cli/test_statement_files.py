"""``relhash predict events TEXT -o x.indra.json``, ``.bel``, ``.kgx.tsv``: who does what to whom, for other programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import exit_code, rows_of, run

TEXT = "RAF1 phosphorylates MEK1. Loss of Smad4 enhances EGFR expression. TRAF6 binds IRAK1 (κB). IL-4 is expressed in T cells."


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("texts") / "7796212.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def statements(text: Path) -> list[dict]:
    assert exit_code("predict", "events", text, "-o", text.with_name("x.indra.json"), "--quiet") == 0
    return json.loads(text.with_name("x.indra.json").read_text())


def test_statements_in_indras_json(statements):
    first, second, third = statements
    assert (first["type"], first["enz"]["name"], first["enz"]["db_refs"]) == (
        "Phosphorylation", "RAF1", {"TEXT": "RAF1", "HGNC": "9829"},
    )  # fmt: skip
    assert first["sub"] == {"name": "MAP2K1", "db_refs": {"TEXT": "MEK1", "HGNC": "6840"}}
    assert (second["type"], second["subj"]["name"], second["obj"]["name"]) == ("DecreaseAmount", "SMAD4", "EGFR")
    assert second["evidence"][0]["annotations"]["relhash"]["perturbation"] == "Loss of"
    assert (third["type"], [one["name"] for one in third["members"]]) == ("Complex", ["TRAF6", "IRAK1"])
    evidence = first["evidence"][0]
    assert (evidence["pmid"], evidence["text"]) == ("7796212", "RAF1 phosphorylates MEK1.")
    spans = evidence["annotations"]["agents"]["coords"]
    assert [evidence["text"][start:end] for start, end in spans] == ["RAF1", "MEK1"]


def test_letters_of_other_alphabets_can_be_read(statements, text):
    assert statements[2]["evidence"][0]["text"] == "TRAF6 binds IRAK1 (κB)."
    assert "(κB)" in text.with_name("x.indra.json").read_text(encoding="utf-8")


def test_indra_reads_them(statements):
    indra = pytest.importorskip("indra.statements", reason="the package indra is not installed: pip install indra")
    read = indra.stmts_from_json(statements)
    assert [type(one).__name__ for one in read] == ["Phosphorylation", "DecreaseAmount", "Complex"]
    assert read[0].enz.db_refs["HGNC"] == "9829"
    assert indra.stmts_to_json(read)[1]["obj"]["db_refs"] == statements[1]["obj"]["db_refs"]


def test_check_puts_its_verdicts_into_indras_json(statements, tmp_path):
    given, out = tmp_path / "given.json", tmp_path / "out.json"
    wrong = json.loads(json.dumps(statements[0]))
    wrong["enz"], wrong["sub"] = wrong["sub"], wrong["enz"]
    wrong["evidence"][0]["annotations"]["agents"]["coords"].reverse()
    given.write_text(json.dumps([statements[0], wrong]))
    assert exit_code("check", given, "-o", out, "--quiet") == 0
    right, turned = json.loads(out.read_text())
    own = right["evidence"][0]["annotations"].pop("relhash")
    assert own["verdict"] == "supported"
    assert turned["evidence"][0]["annotations"]["relhash"]["reason"] == "direction"
    statements[0]["evidence"][0]["annotations"].pop("relhash")
    assert right == statements[0]  # all that was given stands as it was


def test_bel_and_kgx(text):
    for name in ("x.bel", "x.kgx.tsv"):
        assert exit_code("predict", "events", text, "-o", text.with_name(name), "--quiet") == 0
    script = text.with_name("x.bel").read_text().splitlines()
    assert 'SET Evidence = "RAF1 phosphorylates MEK1."' in script
    assert [line for line in script if line[0].islower()] == [
        "p(HGNC:RAF1) increases p(HGNC:MAP2K1, pmod(Ph))",
        "p(HGNC:SMAD4) decreases p(HGNC:EGFR)",
        "complex(p(HGNC:TRAF6), p(HGNC:IRAK1))",
    ]
    first, second, _ = rows_of(text.with_name("x.kgx.tsv").read_text())
    assert (first["subject"], first["predicate"], first["object"]) == ("HGNC:9829", "biolink:affects", "HGNC:6840")
    assert (second["original_predicate"], second["publications"], second["negated"]) == (
        "DecreaseAmount",
        "PMID:7796212",
        "false",
    )


def test_rows_about_one_participant_are_asked_for(text, capsys):
    code, table, _ = run(capsys, "predict", "events", text)
    assert code == 0
    assert [row["relation"] for row in rows_of(table)][-1] == "Binding"
    _, table, _ = run(capsys, "predict", "events", text, "--with-single")
    assert (rows_of(table)[-1]["evidence"], rows_of(table)[-1]["entity2"]) == ("gene expression of IL-4", "")


def test_pairs_are_no_statements(text, tmp_path, capsys):
    code, _, err = run(capsys, "predict", "ppi", text, "-o", tmp_path / "x.bel")
    assert (code, "use events" in err, (tmp_path / "x.bel").exists()) == (2, True, False)
