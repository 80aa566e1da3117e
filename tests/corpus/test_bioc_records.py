"""From the objects of the library bioc to our records."""

from __future__ import annotations

from pathlib import Path

import pytest
from bioc import BioCDocument, BioCPassage

from relhash.corpus.bioc import read_bioc_json
from relhash.corpus.bioc_records import convert_document
from relhash.errors import CorpusError
from tests.corpus.bioc_samples import DOCUMENT, as_json, write


def test_relations_of_concepts_are_left_out(tmp_path: Path) -> None:
    content = as_json()
    content["documents"][0]["relations"].append(
        {"id": "R2", "infons": {"type": "x", "role1": {"identifier": "1"}}, "nodes": [{"refid": "R0", "role": "0,1"}]}
    )
    assert list(read_bioc_json(write(tmp_path, content, "a.json"))) == [DOCUMENT]


def _document(*passages: BioCPassage) -> BioCDocument:
    document = BioCDocument()
    document.id = "d"
    for passage in passages:
        document.add_passage(passage)
    return document


def _passage(offset: int, text: str) -> BioCPassage:
    passage = BioCPassage()
    passage.offset, passage.text = offset, text
    return passage


def test_gaps_between_passages_keep_the_offsets_right(tmp_path: Path) -> None:
    made = convert_document(_document(_passage(0, "Title."), _passage(9, "Ras.")), tmp_path, "d")
    assert made.text == "Title.\n  Ras."
    assert made.text[9:13] == "Ras."


@pytest.mark.parametrize("offset", [3, 10_000_000, "7"])
def test_offsets_that_cannot_be_are_refused(tmp_path: Path, offset: object) -> None:
    with pytest.raises((CorpusError, ValueError), match=r"begins at|not a whole number"):
        convert_document(_document(_passage(0, "Title."), _passage(offset, "Ras.")), tmp_path, "d")  # type: ignore[arg-type]
