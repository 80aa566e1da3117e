"""relhash fit: what it makes, what it says on the way, and what it refuses."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import relhash
from relhash.cli import console
from relhash.corpus import Corpus
from relhash.model import FittedModel
from tests.candidates.drawn_sentences import draw
from tests.cli.interaction_corpora import standoff
from tests.cli.running import exit_code, run


def test_fit_says_what_it_made(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "fit", folder / "abstracts.jsonl", "-o", tmp_path / "m.relhash", "--preset", "KLSH-NU-RF", "--labels", "80",
        "--classifier", "linear", "--threshold", "precision:0.8", "--types", "protein", "--seed", "3", "--json",
    )  # fmt: skip
    assert code == 0
    report = json.loads(out)
    assert report["card"]["training"]["labelled"] == 80
    assert report["card"]["threshold"]["strategy"] == "precision:0.8"
    assert report["card"]["seed"] == 3
    assert report["bytes"] == (tmp_path / "m.relhash").stat().st_size < 5_000_000


def test_the_supervised_learner_shows_how_far_it_is(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter(range(10_000))
    monkeypatch.setattr(console, "time", SimpleNamespace(monotonic=lambda: next(seconds)))  # a line a second, a second a look
    code, _, err = run(
        capsys, "fit", folder / "abstracts.jsonl", "-o", tmp_path / "m.relhash", "--preset", "KLSH-RF", "--views", "between",
        "--labels", "40", "--classifier", "linear",
    )  # fmt: skip
    assert code == 0
    lines = [line for line in err.splitlines() if line.startswith("choosing references: ")]
    assert len(lines) > 10
    assert all(re.fullmatch(r"choosing references: (\d+)/\d+, \d+ s, objective \d\.\d{3}", line) for line in lines)


def test_views_are_split_outside_parentheses(model: Path) -> None:
    assert FittedModel.load(model).settings.views == ("path+edges", "window(2,2)")


def test_fit_adapts_to_raw_text_and_says_how_it_reads(raw_model, capsys):
    code, out, _ = run(capsys, "info", raw_model)
    assert code == 0
    assert "parses: biomed_en" in out


def test_text_without_interactions_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train = standoff(tmp_path / "train", [("MEK1", "ERK2")])
    for file in train.glob("*.a2"):
        file.write_text("")
    assert exit_code("fit", train, "--interactions", "-o", tmp_path / "m.relhash", "--quiet") == 2
    assert "states no interaction" in capsys.readouterr().err
    assert not (tmp_path / "m.relhash").exists()


def test_bad_input_is_one_line_and_no_file(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train = folder / "abstracts.jsonl"
    for arguments in (["--preset", "KLSH"], ["--views", "nothing"], ["--threshold", "best"], ["--classifier", "oracle"]):
        code, out, err = run(capsys, "fit", train, "-o", tmp_path / "m.relhash", "--quiet", *arguments)
        assert (code, out) == (2, ""), arguments
        assert err.startswith("error: ")
        assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_no_such_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "fit", tmp_path / "absent.xml", "-o", tmp_path / "m.relhash")
    assert code == 2
    assert "error: " in err


def test_what_is_skipped_is_said(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train = tmp_path / "train.jsonl"
    train.write_text((folder / "abstracts.jsonl").read_text() + '{"id":"broken"}\n')
    code, _, err = run(
        capsys, "fit", train, "-o", tmp_path / "m.relhash", "--lenient", "--preset", "KLSH-NU-RF", "--views", "between",
        "--labels", "80", "--classifier", "linear", "--json",
    )  # fmt: skip
    assert code == 0
    assert f"1 broken document skipped in {train}:" in err


def test_denied_training_pairs_can_be_made_negative(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One more labelled sentence, "P does not bind Q", counts as a relation or not."""
    corpus = relhash.read(folder / "abstracts.jsonl")
    parser = corpus.documents[0].sentences[0].parser
    kind = next(mention.type for mention in corpus.documents[0].mentions)
    arcs = "bind nsubj P, bind aux does, bind neg not, bind dobj Q"
    names = {"names": ["P", "Q"], "kinds": [kind, kind], "related": [(1, 2)]}
    drawn = draw("P does not bind Q", arcs, **names, identifier="denied", scheme="craft")
    denied = replace(drawn, sentences=(replace(drawn.sentences[0], parser=parser),))
    relhash.write(Corpus.of([*corpus.documents, denied], "with"), tmp_path / "with.jsonl")
    positive = {}
    for name, switch in (("plain", []), ("switched", ["--negated-are-negative"])):
        code, out, _ = run(
            capsys, "fit", tmp_path / "with.jsonl", "-o", tmp_path / name, "--preset", "random", "--classifier", "linear",
            "--json", *switch,
        )  # fmt: skip
        assert code == 0
        positive[name] = json.loads(out)["card"]["training"]["positive"]
    assert positive["switched"] < positive["plain"]


def test_without_labels_the_prior_is_fitted_to_the_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "abstracts.txt"
    text.write_text("RAF1 binds to MEK1. TNF activates TRAF2 in resting cells.\n")
    code, out, _ = run(capsys, "fit", "--adapt", text, "-o", tmp_path / "m.relhash")
    assert code == 0
    assert "what the model ppi knows, moved to your text" in " ".join(out.split())
    assert (tmp_path / "m.relhash").exists()
    code, _, err = run(capsys, "fit", "-o", tmp_path / "n.relhash", "--quiet")
    assert (code, "text to adapt to" in err) == (2, True)
    code, _, err = run(capsys, "fit", "--adapt", text, "--prior", "none", "-o", tmp_path / "n.relhash", "--quiet")
    assert (code, "must be a prior" in err) == (2, True)
    assert not (tmp_path / "n.relhash").exists()


def test_events_about_one_protein_are_no_interactions(capsys, tmp_path):
    for number in range(12):
        (tmp_path / f"d{number}.txt").write_text("We saw expression of Raf and Ras in these cells.")
        (tmp_path / f"d{number}.a1").write_text("T1\tProtein 21 24\tRaf\nT2\tProtein 29 32\tRas\n")
        (tmp_path / f"d{number}.a2").write_text("T3\tGene_expression 7 17\texpression\nE1\tGene_expression:T3 Theme:T1\n")
    code, _, said = run(capsys, "fit", tmp_path, "--interactions", "-o", tmp_path.with_suffix(".relhash"), "--quiet")
    assert code == 2
    assert "the training text states no interaction of two participants" in said
    assert "--one-participant" in said
