"""relhash predict: annotated corpora and raw text, pairs and interactions, every way of writing what is found."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import subprocess
import sys
import textwrap
from collections import Counter
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

import relhash
from relhash.corpus import Corpus
from relhash.model import FittedModel
from relhash.model.model_file import shipped_models
from relhash.resources import resource_path
from tests.candidates.statements.test_open_policy import statements
from tests.cli.conftest import COMPILED, RAW
from tests.cli.interaction_corpora import NAMES, graphs, standoff, stated
from tests.cli.running import exit_code, rows_of, run

KEEP_ALL = ("--keep", "negated", "--keep", "questioned")


def test_predict_prints_a_table(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "predict", model, folder / "fulltext.jsonl")
    assert code == 0
    rows = list(csv.DictReader(out.splitlines(), delimiter="\t"))
    expected = FittedModel.load(model).predict(folder / "fulltext.jsonl")
    assert [row["entity1"] for row in rows] == [prediction.as_row()["entity1"] for prediction in expected]
    assert all(row["evidence"] for row in rows)


def test_predict_looks_at_as_many_pairs_as_it_is_told(
    folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def rows(*options: str) -> tuple[list[dict[str, str]], list[str]]:
        code, out, err = run(capsys, "predict", model, folder / "fulltext.jsonl", "--all", "--quiet", *options)
        assert code == 0
        return list(csv.DictReader(out.splitlines(), delimiter="\t")), err.splitlines()

    def place(row: dict[str, str]) -> tuple[str, str]:
        """Document and sentence, without the marks around its entities."""
        return row["document"], row["sentence"]

    everything, said = rows()
    assert said == []
    some, said = rows("--max-pairs", "1")
    assert all(line.startswith("warning: document ") for line in said)
    assert 0 < len({place(row) for row in some}) == len(some) < len(everything)
    assert all(row in everything for row in some)
    crowded = [sentence for sentence, n in Counter(map(place, everything)).items() if n > 1]
    assert len(said) == len(crowded)


@pytest.mark.parametrize("name", ["out.tsv", "out.csv", "out.jsonl", "out.tsv.gz"])
def test_predict_writes_rows_by_suffix(
    name: str, folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "predict", model, folder / "fulltext.jsonl", "-o", tmp_path / name, "--all")
    assert (code, out) == (0, "")
    content = (tmp_path / name).read_bytes()
    text = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
    lines = text.splitlines()
    n = len(FittedModel.load(model).candidates(folder / "fulltext.jsonl"))
    assert len(lines) == n + (0 if name.endswith(".jsonl") else 1)
    assert f"{n:,} candidates" in err
    if name.endswith(".jsonl"):
        assert set(json.loads(lines[0])) >= {"document", "entity1", "probability", "evidence"}


@pytest.mark.parametrize("name", ["out.bioc.json", "brat"])
def test_predict_writes_annotated_documents(
    name: str, folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--to", "brat"] if name == "brat" else ["--to", "bioc-json"]
    code, _, _ = run(capsys, "predict", model, folder / "fulltext.jsonl", "-o", tmp_path / name, *arguments)
    assert code == 0
    found = FittedModel.load(model).predict(folder / "fulltext.jsonl")
    written = relhash.read(tmp_path / name)
    assert sum(len(document.relations) for document in written) == len(found)


def test_predict_as_json_and_with_another_threshold(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "predict", model, folder / "fulltext.jsonl", "--json", "--all")
    rows = json.loads(out)
    _, out, _ = run(capsys, "predict", model, folder / "fulltext.jsonl", "--json", "--threshold", "0.4", *KEEP_ALL)
    assert {row["probability"] for row in json.loads(out)} == {r["probability"] for r in rows if r["probability"] >= 0.4}


def test_predict_reads_every_text_of_a_folder(raw_model, tmp_path, capsys):
    """Regression: texts that begin with a bracket were dropped, with exit code 0 and without a word."""
    for number, start in enumerate(["", "[Effect]. ", "{A}. ", "<i>B</i>. ", "(C / d) was. ", "1\t", "\ufeff"]):
        (tmp_path / f"{number}.txt").write_text(f"{start}RAF1 binds to MEK1.\n", encoding="utf-8")
    (tmp_path / "table.csv").write_text("text\n")
    code, out, err = run(capsys, "predict", raw_model, tmp_path, "--format", "text", "--all")
    assert code == 0
    assert {row["document"] for row in rows_of(out)} == set("0123456")
    assert "warning: " in err
    assert "1 file left out, by name not of the format 'text': table.csv" in err


def test_predict_without_grounding(raw_model, folder, capsys):
    _, grounded, _ = run(capsys, "predict", raw_model, folder / "raw.txt", "--all")
    _, plain, _ = run(capsys, "predict", raw_model, folder / "raw.txt", "--all", "--no-ground")
    with_ids, without = rows_of(grounded), rows_of(plain)
    assert [(row["ids1"], row["ids2"]) for row in with_ids] == [("HGNC:9829", "HGNC:6840"), ("HGNC:11364", "HGNC:6192")]
    assert [{**row, "ids1": "", "ids2": ""} for row in with_ids] == without


def test_predict_raw_text(raw_model, folder, capsys):
    code, out, _ = run(capsys, "predict", raw_model, folder / "raw.txt", "--all", "--lexicon", folder / "names.tsv")
    assert code == 0
    rows = rows_of(out)
    assert [(row["entity1"], row["entity2"]) for row in rows] == [("RAF1", "MEK1"), ("STAT3", "JAK2")]
    assert (rows[0]["ids1"], rows[0]["ids2"], rows[1]["ids1"]) == ("HGNC:9829", "HGNC:6840", "HGNC:11364")
    for row in rows:
        for side in "12":
            start, end = int(row[f"start{side}"]), int(row[f"end{side}"])
            assert RAW[start:end] == row[f"entity{side}"]
    assert rows[0]["evidence"] == "RAF1 — binds to — MEK1"


def test_predict_reads_standard_input(raw_model, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RAW.encode())))
    code, out, err = run(capsys, "predict", raw_model, "-", "--json", "--all")
    assert (code, err) == (0, "")
    assert {row["document"] for row in json.loads(out)} == {"stdin"}


def test_entities_found_are_in_annotated_output(raw_model, folder, tmp_path, capsys):
    code, _, _ = run(
        capsys, "predict", raw_model, folder / "raw.txt", "-o", tmp_path / "brat", "--to", "brat", "--threshold", "0"
    )
    assert code == 0
    (document,) = relhash.read(tmp_path / "brat")
    assert [mention.text for mention in document.mentions] == ["RAF1", "MEK1", "STAT3", "JAK2"]
    assert len(document.relations) == 2


def test_text_without_entities_gives_an_empty_table_and_a_remark(raw_model, tmp_path, capsys):
    (tmp_path / "none.txt").write_text("Nothing to see here.\n")
    code, out, err = run(capsys, "predict", raw_model, tmp_path / "none.txt")
    assert code == 0
    assert rows_of(out) == []
    assert "no entity was recognised" in err


def test_a_model_of_file_parses_refuses_raw_text_with_the_remedy(folder, model, tmp_path, capsys):
    for given in (folder / "raw.txt", tmp_path / "brat"):
        if given.suffix != ".txt":
            documents = [replace(d, sentences=()) for d in relhash.read(folder / "abstracts.jsonl")]
            relhash.write(Corpus.of(documents[:2]), given, "brat")
        code, _, err = run(capsys, "predict", model, given, "-o", tmp_path / "out.tsv", "--quiet")
        assert code == 2
        assert "--parses embedded" in err
        assert err.count("\n") == 1
    assert not (tmp_path / "out.tsv").exists()


def test_parquet(raw_model, folder, tmp_path, capsys, monkeypatch):
    try:
        import pyarrow.parquet as pq
    except ImportError:
        pq = None
    if pq is not None:
        assert run(capsys, "predict", raw_model, folder / "raw.txt", "-o", tmp_path / "out.parquet", "--all")[0] == 0
        table = pq.read_table(tmp_path / "out.parquet").to_pylist()
        assert [row["entity1"] for row in table] == ["RAF1", "STAT3"]
        (tmp_path / "out.parquet").unlink()
        monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    code, _, err = run(capsys, "predict", raw_model, folder / "raw.txt", "-o", tmp_path / "out.parquet")
    assert code == 2
    assert "relhash[parquet]" in err
    assert not list(tmp_path.iterdir())


def test_an_unknown_model_is_told_with_those_that_ship(capsys, folder):
    code, _, err = run(capsys, "predict", "nosuch", folder / "raw.txt")
    assert code == 2
    assert "no such file" in err


@pytest.mark.skipif("ppi" not in shipped_models(), reason="no model ships in this checkout")
def test_the_shipped_model_reads_a_hundred_abstracts(capsys, tmp_path):
    """With news on the way (one line a second where there is no terminal) and one document per line."""
    abstracts = resource_path("demo", "raw_abstracts.txt")
    # its names are invented, so that none has an id, which costs every row
    code, _, err = run(capsys, "predict", "ppi", abstracts, "-o", tmp_path / "relations.tsv", "--threshold", "0.45")
    assert code == 0
    assert "in 100 documents written" in err
    rows = rows_of((tmp_path / "relations.tsv").read_text())
    assert len(rows) > 30
    lines = abstracts.read_text().splitlines()
    for row in rows:
        start, end = int(row["start1"]), int(row["end1"])
        assert lines[int(row["document"].split(":")[1]) - 1][start:end] == row["entity1"]


def test_interactions_of_other_text_in_standoff(interaction_model: Path, tmp_path: Path) -> None:
    gold = standoff(tmp_path / "gold", [("JNK1", "BRAF"), ("BRAF", "JNK1")])
    assert exit_code("predict", interaction_model, gold, "-o", tmp_path / "out", "--to", "bionlp", "--quiet") == 0
    assert len(list((tmp_path / "out").glob("*.a2"))) == 8
    predicted = {document.id: stated(document) for document in relhash.read(tmp_path / "out")}
    assert predicted == {document.id: stated(document) for document in relhash.read(gold)}


def test_a_table_says_type_and_participants(interaction_model: Path, tmp_path: Path) -> None:
    gold = standoff(tmp_path / "gold", [("JNK1", "BRAF")])
    assert exit_code("predict", interaction_model, gold, "-o", tmp_path / "out.jsonl", "--quiet") == 0
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert {(row["relation"], row["entity1"], row["entity2"]) for row in rows} == {
        ("Phosphorylation", "JNK1", "BRAF"),
        ("Positive_regulation", "JNK1", "BRAF"),
    }


def test_interactions_in_raw_text(interaction_model: Path, tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "a.txt").write_text("STAT3 phosphorylates p53 in these cells.")
    assert exit_code("predict", interaction_model, tmp_path / "raw", "-o", tmp_path / "out", "--quiet") == 0
    (document,) = relhash.read(tmp_path / "out")  # a folder without further words is brat
    assert ("Phosphorylation", "STAT3", "p53") in stated(document)


def test_meaning_graphs_of_the_users_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = list(permutations(NAMES, 2))
    train, amr = standoff(tmp_path / "train", pairs), graphs(tmp_path / "amr", pairs)
    model = tmp_path / "m.relhash"
    fit = ["fit", train, "--interactions", "--amr", amr, "--preset", "KLSH-NU-RF", "-o", model, "--quiet"]
    assert exit_code(*fit) == 0
    new = [("JNK1", "BRAF")]
    gold, others = standoff(tmp_path / "gold", new), graphs(tmp_path / "others", new)
    assert exit_code("predict", model, gold, "--amr", others, "-o", tmp_path / "out", "--to", "bionlp", "--quiet") == 0
    expected = {document.id: stated(document) for document in relhash.read(gold)}
    assert {document.id: stated(document) for document in relhash.read(tmp_path / "out")} == expected
    # the graphs alone are a corpus too
    assert exit_code("predict", model, others / "graphs.txt", "-o", tmp_path / "alone", "--to", "bionlp", "--quiet") == 0
    assert {document.id: stated(document) for document in relhash.read(tmp_path / "alone")} == expected
    capsys.readouterr()
    assert exit_code("predict", model, gold, "-o", tmp_path / "none.tsv", "--quiet") == 2  # without graphs
    assert "parse" in capsys.readouterr().err


def test_no_such_files(folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([tmp_path / "absent.relhash", folder / "fulltext.jsonl"], [model, tmp_path / "absent.xml"]):
        code, _, err = run(capsys, "predict", *arguments)
        assert code == 2, arguments
        assert "error: " in err


def test_text_without_entities_is_refused_by_a_model_of_file_parses(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "raw.txt").write_text("Ras binds Raf.\n")
    code, _, err = run(capsys, "predict", model, tmp_path / "raw.txt", "-o", tmp_path / "out.tsv")
    assert code == 2
    assert "no entities" in err
    assert not (tmp_path / "out.tsv").exists()


def test_predict_warns_when_it_accepts_suspiciously_much(
    folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accept = ("predict", model, folder / "fulltext.jsonl", "-o", tmp_path / "out.tsv", *KEEP_ALL)
    code, _, err = run(capsys, *accept, "--threshold", "0")
    assert code == 0
    assert "(100% of " in err
    assert "suspiciously many" in err
    code, _, err = run(capsys, *accept, "--threshold", "1")
    assert code == 0
    assert "0 relations (0% of " in err
    assert "suspiciously" not in err


def test_denied_relations_are_left_out_unless_they_are_kept(tmp_path, capsys):
    (tmp_path / "text.txt").write_text("No interaction between RAF1 and MEK1 was observed.\n")
    for arguments, expected in (([], []), (["--keep", "negated"], ["negated"]), (["--all"], ["negated"])):
        code, out, _ = run(capsys, "predict", "ppi", tmp_path / "text.txt", "--json", "--threshold", "0.4", *arguments)
        assert code == 0
        assert [row["assertion"] for row in json.loads(out)] == expected
    code, _, err = run(capsys, "predict", "ppi", tmp_path / "text.txt", "--keep", "denied")
    assert code == 2
    assert "keep: 'denied' is none of asserted, speculative, questioned, negated" in err


def test_predict_imports_only_what_it_needs(tmp_path: Path) -> None:
    """One sentence, new or with its parse in the cache, waits neither for spaCy nor for what only fits, learns or draws."""
    text = tmp_path / "a.txt"
    text.write_text("Ras binds to Raf.")
    program = f"""
        import sys
        from relhash.cli.main import main
        try:
            main(["predict", "ppi", {str(text)!r}, "-q"])
        except SystemExit as exited:
            assert not exited.code
        unwanted = ("sklearn", "pandas", "spacy", "scipy.stats", "scipy.optimize", "matplotlib", "joblib", "numba.np.linalg")
        print(*(name for name in unwanted if name in sys.modules), file=sys.stderr)
    """
    own = {"XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": str(COMPILED), "RELHASH_ENCODER": "off"}
    environment = os.environ | own
    for _ in range(2):  # the first run fills the cache
        command = [sys.executable, "-c", textwrap.dedent(program)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        assert "Raf" in done.stdout
        assert done.stderr.strip() == ""


def test_open_types_are_fitted_and_found_in_new_text(tmp_path: Path) -> None:
    (tmp_path / "nero.txt").write_text(statements(), encoding="utf-8")
    fit = ["fit", tmp_path / "nero.txt", "--open-types", "--preset", "KLSH-NU-RF", "--threshold", "0.5"]
    assert exit_code(*fit, "-o", tmp_path / "open.relhash", "--quiet") == 0
    (tmp_path / "new.txt").write_text("RAF1 activates MEK1 in cells.", encoding="utf-8")
    assert exit_code("predict", tmp_path / "open.relhash", tmp_path / "new.txt", "-o", tmp_path / "found.tsv", "--quiet") == 0
    (row,) = csv.DictReader((tmp_path / "found.tsv").open(encoding="utf-8"), delimiter="\t")
    assert (row["entity1"], row["role1"], row["relation"], row["entity2"], row["role2"]) == (
        "RAF1", "cause", "activate", "MEK1", "theme",
    )  # fmt: skip
    assert exit_code(*fit, "--directed", "-o", tmp_path / "no.relhash", "--quiet") == 2


def test_judged_interactions_of_any_type_are_learned_and_found_in_new_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = [
        {
            "path": f"eval/a_pmid_10{number}_7796.{number}.amr",
            "interaction_tuple": [kind, *(members if label == 1 else members[::-1])],
            "label": label,
            "sentence": f"{members[0]} {verb} {members[1]} in these cells .",
        }
        for number, members in enumerate((one, other) for one in NAMES for other in NAMES if one != other)
        for kind, verb in (("phosphorylation", "phosphorylates"), ("inhibition", "inhibits"))
        for label in (1, 0)
    ]
    (tmp_path / "judged.json").write_text(json.dumps(entries), encoding="utf-8")
    fit = ["fit", tmp_path / "judged.json", "--format", "pubmed45", "--open-types", "--preset", "KLSH-NU-RF"]
    assert exit_code(*fit, "--threshold", "0.5", "-o", tmp_path / "judged.relhash", "--quiet") == 0
    (tmp_path / "new.txt").write_text("JUN activates SOS1 in these cells.", encoding="utf-8")
    where = tmp_path / "found.jsonl"
    assert exit_code("predict", tmp_path / "judged.relhash", tmp_path / "new.txt", "-o", where, "--quiet") == 0
    (row,) = map(json.loads, where.read_text(encoding="utf-8").splitlines())
    assert (row["entity1"], row["relation"], row["entity2"]) == ("JUN", "activate", "SOS1")
    card = FittedModel.load(tmp_path / "judged.relhash").card
    assert set(card["entity_types"]) == {"protein"}, "the verbs of an open list are no entities"
    assert row["evidence"] == "JUN — activates → SOS1"
    capsys.readouterr()
    code, printed, _ = run(capsys, "evaluate", tmp_path / "judged.relhash", tmp_path / "judged.json")
    assert code == 0
    assert "everything stated" in printed
    assert "whole events" not in printed, "the file names no triggers"


def test_a_type_that_nobody_knows_is_an_error(capsys, tmp_path, folder, raw_model) -> None:
    where = tmp_path / "found.tsv"
    code, printed, said = run(capsys, "predict", raw_model, folder / "raw.txt", "--types", "protien", "-o", where)
    assert (code, printed) == (2, "")
    assert "there is no type 'protien' here; the text has entities of type protein, the model learned from protein" in said
    assert list(tmp_path.iterdir()) == [], "neither an output nor a journal of what would end so again"


def test_a_known_type_that_the_text_lacks_is_said(capsys, tmp_path, folder, raw_model) -> None:
    where = tmp_path / "found.tsv"
    code, _, said = run(capsys, "predict", raw_model, folder / "raw.txt", "--types", "protein-chemical", "-o", where)
    assert code == 0
    assert "no two entities that --types protein-chemical lets relate; the text has entities of type protein" in said
    assert len(where.read_text().splitlines()) == 1


@pytest.mark.parametrize("name", ["found.xml", "found.pubtator", "found.txt"])
def test_a_format_without_a_place_for_probabilities_is_refused_before_any_work(capsys, tmp_path, name) -> None:
    code, _, said = run(capsys, "predict", tmp_path / "no.relhash", tmp_path / "no.txt", "-o", tmp_path / name)
    assert code == 2
    assert "has no place for the probability of a relation; write a table" in said


def test_bioc_in_xml_is_named_like_bioc_in_json(tmp_path, folder, raw_model) -> None:
    where = tmp_path / "found.bioc.xml"
    assert exit_code("predict", raw_model, folder / "raw.txt", "-o", where, "--quiet") == 0
    assert [document.text for document in relhash.read(where, "bioc-xml")] == [RAW]


def test_swapped_arguments(capsys, folder, model) -> None:
    code, _, said = run(capsys, "predict", folder / "raw.txt", model)
    assert (code, said.count("\n")) == (2, 1)
    assert "raw.txt: not a model file; check the order of the arguments: relhash predict MODEL TEXT" in said
    code, _, said = run(capsys, "predict", model, model)
    assert (code, said.count("\n")) == (2, 1)
    assert "model.relhash: a model, and text or a corpus is asked for; give the model first" in said
