"""Schemes from labels alone; parses in whole sentences are in tests/language/test_schemes.py."""

from __future__ import annotations

import pytest

from relhash.corpus.conllu import COLLAPSED, detect_scheme

CASES = {
    "a collapsed preposition outweighs everything": (["nsubj", "case", "compound", "prep_with"], COLLAPSED),
    "a collapsed conjunction": (["conj_and"], COLLAPSED),
    "prepositions and old names": (["prep", "pobj", "nn", "nn", "compound"], "stanford-basic"),
    "prepositions and new names": (["prep", "pobj", "compound", "relcl", "num"], "craft"),
    "prepositions alone": (["prep", "pobj", "nsubj"], None),
    "case": (["nsubj", "case", "nmod"], "ud"),
    "a subtype": (["nsubj:pass"], "ud"),
    "version 2": (["obl"], "ud"),
    "what all have": (["nsubj", "det", "amod"], None),
    "nothing": ([], None),
}


@pytest.mark.parametrize(("labels", "scheme"), CASES.values(), ids=CASES.keys())
def test_detection(labels: list[str], scheme: str | None) -> None:
    assert detect_scheme(labels) == scheme
    assert detect_scheme(iter(labels)) == scheme
