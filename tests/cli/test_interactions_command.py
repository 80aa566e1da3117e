"""relhash fit --interactions and predict: from standoff with events to events in other text, also on meaning graphs."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest

import relhash
from relhash.cli.main import main
from relhash.structures.interactions import gold_interactions

NAMES = ["MEK1", "ERK2", "AKT1", "SOS1", "RAF1"]
VERBS = {"phosphorylates": "Phosphorylation", "activates": "Positive_regulation", "resembles": None, "follows": None}


def standoff(folder: Path, pairs: list[tuple[str, str]]) -> Path:
    """A document a sentence, in the form of the BioNLP shared tasks."""
    folder.mkdir()
    for first, second in pairs:
        for verb, kind in VERBS.items():
            text = f"{first} {verb} {second} in these cells."
            place, end = len(first) + 1, len(first) + 1 + len(verb)
            name = folder / f"{first}-{second}-{verb}"
            name.with_suffix(".txt").write_text(text)
            name.with_suffix(".a1").write_text(
                f"T1\tProtein 0 {len(first)}\t{first}\nT2\tProtein {end + 1} {end + 1 + len(second)}\t{second}\n"
            )
            events = f"T3\t{kind} {place} {end}\t{verb}\nE1\t{kind}:T3 Theme:T2 Cause:T1\n" if kind else ""
            name.with_suffix(".a2").write_text(events)
    return folder


def run(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as exited:
        main([*map(str, arguments)])
    return int(exited.value.code or 0)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("interactions")
    standoff(folder / "train", list(permutations(NAMES, 2)))
    arguments = ["fit", folder / "train", "--interactions", "--preset", "KLSH-NU-RF", "-o", folder / "m.relhash", "--quiet"]
    assert run(*arguments, "--seed", "0") == 0
    return folder / "m.relhash"


def stated(document: relhash.Document) -> set[tuple[str, str, str]]:
    found = set()
    for one in gold_interactions(document).stated:
        roles = {role: document.mention_by_id[mention].text for role, mention in one.roles}
        found.add((one.type, roles["cause"], roles["theme"]))
    return found


def test_events_of_other_text_in_standoff(model: Path, tmp_path: Path) -> None:
    gold = standoff(tmp_path / "gold", [("JNK1", "BRAF"), ("BRAF", "JNK1")])
    assert run("predict", model, gold, "-o", tmp_path / "out", "--to", "bionlp", "--quiet") == 0
    assert len(list((tmp_path / "out").glob("*.a2"))) == 8
    predicted = {document.id: stated(document) for document in relhash.read(tmp_path / "out")}
    assert predicted == {document.id: stated(document) for document in relhash.read(gold)}


def test_a_table_says_type_and_participants(model: Path, tmp_path: Path) -> None:
    gold = standoff(tmp_path / "gold", [("JNK1", "BRAF")])
    assert run("predict", model, gold, "-o", tmp_path / "out.jsonl", "--quiet") == 0
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert {(row["relation"], row["entity1"], row["entity2"]) for row in rows} == {
        ("Phosphorylation", "JNK1", "BRAF"),
        ("Positive_regulation", "JNK1", "BRAF"),
    }


def test_events_in_raw_text(model: Path, tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "a.txt").write_text("STAT3 phosphorylates p53 in these cells.")
    assert run("predict", model, tmp_path / "raw", "-o", tmp_path / "out", "--quiet") == 0
    (document,) = relhash.read(tmp_path / "out")  # a folder without further words is brat
    assert ("Phosphorylation", "STAT3", "p53") in stated(document)


def test_text_without_events_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train = standoff(tmp_path / "train", [("MEK1", "ERK2")])
    for file in train.glob("*.a2"):
        file.write_text("")
    assert run("fit", train, "--interactions", "-o", tmp_path / "m.relhash", "--quiet") == 2
    assert "states no interaction" in capsys.readouterr().err
    assert not (tmp_path / "m.relhash").exists()


def graphs(folder: Path, pairs: list[tuple[str, str]]) -> Path:
    folder.mkdir()
    entity = '({0} / enzyme :name ({0}n / name :op1 "{1}"))'
    blocks = [
        f"# ::id {first}-{second}-{verb}\n# ::snt {first} {verb} {second} in these cells.\n"
        f"(v / {verb.removesuffix('s')}-01 :ARG0 {entity.format('a', first)} :ARG1 {entity.format('b', second)})\n"
        for first, second in pairs
        for verb in VERBS
    ]
    (folder / "graphs.txt").write_text("\n".join(blocks))
    return folder


def test_meaning_graphs_of_the_users_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = list(permutations(NAMES, 2))
    train, amr = standoff(tmp_path / "train", pairs), graphs(tmp_path / "amr", pairs)
    model = tmp_path / "m.relhash"
    fit = ["fit", train, "--interactions", "--amr", amr, "--preset", "KLSH-NU-RF", "-o", model, "--quiet"]
    assert run(*fit) == 0
    new = [("JNK1", "BRAF")]
    gold, others = standoff(tmp_path / "gold", new), graphs(tmp_path / "others", new)
    assert run("predict", model, gold, "--amr", others, "-o", tmp_path / "out", "--to", "bionlp", "--quiet") == 0
    expected = {document.id: stated(document) for document in relhash.read(gold)}
    assert {document.id: stated(document) for document in relhash.read(tmp_path / "out")} == expected
    # the graphs alone are a corpus too
    assert run("predict", model, others / "graphs.txt", "-o", tmp_path / "alone", "--to", "bionlp", "--quiet") == 0
    assert {document.id: stated(document) for document in relhash.read(tmp_path / "alone")} == expected
    capsys.readouterr()
    assert run("predict", model, gold, "-o", tmp_path / "none.tsv", "--quiet") == 2  # without graphs
    assert "parse" in capsys.readouterr().err
