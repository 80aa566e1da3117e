"""Types of a sheet that names none: from the tagger, by column where that is unclear."""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.candidates import PairPolicy
from relhash.corpus import Document, Mention
from relhash.errors import RelHashNote
from relhash.model.reading.reader import Reader
from relhash.model.training_text import has_untyped, read_training_text, with_found_types


def _sheet(folder: Path, rows: list[tuple[str, str]], header: str = "text,e1,e2,label") -> list[Document]:
    lines = [f"Here {one} meets {two} in row {number},{one},{two},{number % 2}" for number, (one, two) in enumerate(rows)]
    (folder / "sheet.csv").write_text("\n".join([header, *lines]))
    return list(relhash.read(folder / "sheet.csv"))


def _tagger(known: dict[str, str]):
    def tagged(documents):
        for document in documents:
            assert not document.mentions
            words = [(document.text.find(name), name) for name in known]
            mentions = [Mention(f"T{n}", known[w], ((p, p + len(w)),), w) for n, (p, w) in enumerate(words) if p >= 0]
            yield Document(document.id, document.text, mentions=tuple(mentions))

    return tagged


def _types(documents: list[Document]) -> list[list[str]]:
    return [[mention.type for mention in document.mentions] for document in documents]


def test_own_types_and_the_majority_of_the_column(tmp_path: Path) -> None:
    documents = _sheet(tmp_path, [("TNF", "aspirin"), ("RAF1", "heparin"), ("XYZ", "warfarin")])
    known = {"TNF": "Gene", "RAF1": "protein", "aspirin": "Chemical", "heparin": "drug"}
    typed, found = with_found_types(documents, _tagger(known))
    assert _types(typed) == [["protein", "chemical"]] * 3
    assert "3 protein, 3 chemical (4 of 6 mentions recognised" in found


def test_a_slip_of_the_tagger_goes_with_its_column(tmp_path: Path) -> None:
    rows = [(f"A{n}x", f"B{n}x") for n in range(10)]
    known = {name: "protein" for pair in rows for name in pair} | {"A3x": "disease"}
    typed, _ = with_found_types(_sheet(tmp_path, rows), _tagger(known))
    assert _types(typed) == [["protein", "protein"]] * 10


def test_columns_that_mix_types_keep_them(tmp_path: Path) -> None:
    rows = [("TNF", "aspirin"), ("aspirin", "TNF"), ("TNF", "aspirin"), ("aspirin", "TNF")]
    typed, _ = with_found_types(_sheet(tmp_path, rows), _tagger({"TNF": "protein", "aspirin": "chemical"}))
    assert _types(typed) == [["protein", "chemical"], ["chemical", "protein"]] * 2


def test_nothing_known_changes_nothing(tmp_path: Path) -> None:
    documents = _sheet(tmp_path, [("foo", "bar")])
    typed, found = with_found_types(documents, _tagger({}))
    assert typed == documents
    assert "entities of any type" in found


def test_named_types_stay(tmp_path: Path) -> None:
    assert not has_untyped(_sheet(tmp_path, [("TNF", "p53")], "text,gene1,gene2,label"))
    assert has_untyped(_sheet(tmp_path, [("TNF", "p53")]))


def test_a_sheet_of_proteins_pairs_only_proteins_in_raw_text(tmp_path: Path) -> None:
    """With the embedded pipeline: a disease and a chemical of the target are no candidate."""
    rows = [("RAF1", "MEK1"), ("STAT3", "JAK2"), ("MEK1", "ERK2"), ("TNF", "TRAF2")]
    target = "RAF1 binds to MEK1 in patients with diabetes mellitus who were given aspirin."
    with pytest.warns(RelHashNote, match=r"found by the tagger: 8 protein"):
        text = read_training_text(
            _sheet(tmp_path, rows),
            [Document("d", target)],
            parses="embedded",
            views=("path+edges",),
            policy=PairPolicy(),
            make_reader=Reader,
        )
    assert text.pair_types.as_list() == [["protein", "protein"]]
    assert text.parses.types == ("protein",)
    assert [sorted(mention.text for mention in candidate.mentions) for candidate in text.target] == [["MEK1", "RAF1"]]
