"""Pairs that nobody has judged, through every format that keeps metadata."""

from __future__ import annotations

from pathlib import Path

import relhash
from relhash.corpus import CandidatePair, Document, Mention, unlabelled_pairs
from relhash.corpus.document import UNLABELLED

MENTIONS = tuple(Mention(f"T{n}", "protein", ((4 * n, 4 * n + 3),), name) for n, name in enumerate(("Ras", "Raf", "MEK")))
PAIRS = (CandidatePair("P1", "T0", "T1"), CandidatePair("P2", "T1", "T2"))
DOCUMENT = Document("d", "Ras Raf MEK", mentions=MENTIONS, candidates=PAIRS, metadata={UNLABELLED: "P2"})


def test_only_the_named_pairs_are_unlabelled() -> None:
    assert unlabelled_pairs(DOCUMENT) == {frozenset({"T1", "T2"})}


def test_without_candidates_or_metadata_there_are_none() -> None:
    assert unlabelled_pairs(Document("d", "x")) == frozenset()
    assert unlabelled_pairs(Document("d", "x", metadata={UNLABELLED: "P1"})) == frozenset()
    assert unlabelled_pairs(Document("d", "x", candidates=PAIRS)) == frozenset()


def test_they_survive_writing_and_reading(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.json"):
        relhash.write([DOCUMENT], tmp_path / name)
        (document,) = relhash.read(tmp_path / name)
        assert unlabelled_pairs(document) == unlabelled_pairs(DOCUMENT)
