"""Gold annotation beside a text is not seen by whoever makes candidates and features."""

from __future__ import annotations

from pathlib import Path

import relhash
from relhash.corpus.document import NO_ANSWERS, without_answers

TEXT = "IKKbeta phosphorylates RPS3 at Ser209. It does so quickly."
GIVEN = "T1\tProtein 0 7\tIKKbeta\nT2\tProtein 23 27\tRPS3\n"
ANSWERS = (
    "T3\tPhosphorylation 8 22\tphosphorylates\nT4\tEntity 31 37\tSer209\nT5\tAnaphora 39 41\tIt\n"
    "E1\tPhosphorylation:T3 Theme:T2 Cause:T1 Site:T4\nR1\tCoreference Subject:T5 Object:T1\n"
    "*\tEquiv T1 T2\nM1\tSpeculation E1\n"
)


def folder(path: Path, *, gold: bool) -> Path:
    path.mkdir()
    (path / "d.txt").write_text(TEXT)
    (path / "d.a1").write_text(GIVEN)
    if gold:
        (path / "d.a2").write_text(ANSWERS)
    return path


def test_what_an_answer_names_is_no_entity(tmp_path: Path) -> None:
    (gold,) = relhash.read(folder(tmp_path / "gold", gold=True), "bionlp")
    assert [mention.id for mention in gold.entities] == ["T1", "T2"]
    assert [mention.id for mention in gold.mentions if mention.is_answer] == ["T4", "T5"]
    (bare,) = relhash.read(folder(tmp_path / "bare", gold=False), "bionlp")
    assert bare.metadata == {NO_ANSWERS: "true"}
    assert without_answers(gold) == without_answers(bare)


def test_formats_that_hold_everything_keep_answers_apart(tmp_path: Path) -> None:
    documents = relhash.read(folder(tmp_path / "gold", gold=True), "bionlp")
    for name in ("jsonl", "bioc-xml", "bioc-json"):
        relhash.write(documents, tmp_path / name, name)
        (again,) = relhash.read(tmp_path / name, name)
        assert [mention.id for mention in again.entities] == ["T1", "T2"], name
