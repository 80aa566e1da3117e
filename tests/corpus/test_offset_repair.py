"""Offsets that miss their mention by a little: moved, counted and told; everything else is an error that names --lenient."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relhash
from relhash.corpus.offset_repair import NEAR, Repairs
from relhash.errors import CorpusError, RelHashWarning

TEXT = "Here TNF binds p53, they say."
UNIFIED = (
    '<corpus><document id="d"><sentence id="s" text="Here TNF binds p53, they say.">'
    '<entity id="T1" charOffset="5-7" text="TNF" type="protein"/><entity id="T2" charOffset="{start}-{last}" text="p53" '
    'type="protein"/><pair id="p" e1="T1" e2="T2" interaction="True"/></sentence></document></corpus>'
)


def _files(start: int) -> dict[str, dict[str, str]]:
    """One document in every format that has offsets; its second mention is said to begin at ``start`` (it does at 15)."""
    end = start + 3
    entities = [
        {"id": "T1", "type": "protein", "text": "TNF", "offsets": [[5, 8]]},
        {"id": "T2", "type": "protein", "text": "p53", "offsets": [[start, end]]},
    ]
    annotations = [
        {"id": e["id"], "infons": {}, "text": e["text"], "locations": [{"offset": e["offsets"][0][0], "length": 3}]}
        for e in entities
    ]
    passage = {"offset": 0, "infons": {}, "text": TEXT, "annotations": annotations}
    return {
        "brat": {"d.txt": TEXT, "d.ann": f"T1\tprotein 5 8\tTNF\nT2\tprotein {start} {end}\tp53\n"},
        "bionlp": {"d.txt": TEXT, "d.a1": f"T1\tprotein 5 8\tTNF\nT2\tprotein {start} {end}\tp53\n"},
        "pubtator": {"d.pubtator": f"d|t|{TEXT}\nd\t5\t8\tTNF\tprotein\nd\t{start}\t{end}\tp53\tprotein\n"},
        "jsonl": {"d.jsonl": json.dumps({"id": "d", "text": TEXT, "entities": entities}) + "\n"},
        "bioc-json": {"d.json": json.dumps({"documents": [{"id": "d", "infons": {}, "passages": [passage]}]})},
        "unified-xml": {"d.xml": UNIFIED.format(start=start, last=end - 1)},
        "table": {"d.csv": f'text,e1,e1_start,e1_end,e2,e2_start,e2_end\n"{TEXT}",TNF,5,8,p53,{start},{end}\n'},
    }


FORMATS = sorted(_files(15))


def _put(folder: Path, name: str, start: int) -> Path:
    for file, content in _files(start)[name].items():
        (folder / file).write_text(content)
    return folder


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("start", [14, 16, 0, 20])
def test_moved_and_told_in_every_format(tmp_path: Path, name: str, start: int) -> None:
    with pytest.warns(RelHashWarning, match=rf"offsets of 1 mention did not fit.*'p53' {start}-{start + 3} → 15-18"):
        (document,) = relhash.read(_put(tmp_path, name, start), name)
    assert document.mentions[1].spans == ((15, 18),)
    assert document.mentions[1].text == "p53"


@pytest.mark.parametrize("name", FORMATS)
def test_right_offsets_are_left_alone(tmp_path: Path, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (document,) = relhash.read(_put(tmp_path, name, 15), name)
    assert document.mentions[1].spans == ((15, 18),)


@pytest.mark.parametrize("name", FORMATS)
def test_too_far_away_is_an_error_that_names_lenient(tmp_path: Path, name: str) -> None:
    with pytest.raises(CorpusError, match=r"outside the text.*--lenient"):
        relhash.read(_put(tmp_path, name, 15 + NEAR + 1), name)


def test_all_repairs_of_a_folder_are_told_once(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.txt").write_text(TEXT)
        (tmp_path / f"{number}.ann").write_text("T1\tprotein 4 7\tTNF\n")
    with pytest.warns(RelHashWarning, match="offsets of 5 mentions") as said:
        assert len(relhash.read(tmp_path)) == 5
    assert len(said) == 1


def _moved(text: str, start: int, wanted: str, taken=()):
    return Repairs().moved(text, [(start, start + len(wanted))], wanted, path=Path("x"), where=1, taken=taken)


def test_a_name_that_stands_there_twice_is_not_guessed() -> None:
    assert _moved("p53 and p53", 2, "p53") is None
    assert _moved("p53 and p53BP1", 2, "p53") == ((0, 3),)  # a word of its own is meant


def test_a_place_that_another_mention_has_is_not_taken() -> None:
    assert _moved("p53 binds", 2, "p53", {((0, 3),)}) is None


def test_a_mention_in_pieces_moves_as_a_whole() -> None:
    repairs = Repairs()
    found = repairs.moved("in T and B cells", [(2, 3), (10, 15)], "T cells", path=Path("x"), where="T1")
    assert found == ((3, 4), (11, 16))
    assert repairs.places == ["x [T1] 'T cells' 2-3,10-15 → 3-4,11-16"]


@settings(max_examples=200, deadline=None)
@given(before=st.text("ab \n", max_size=60), after=st.text("ab \n", max_size=60), shift=st.integers(-40, 40))
def test_what_is_found_is_what_was_meant(before: str, after: str, shift: int) -> None:
    text = f"{before} XY {after}"
    start = len(before) + 1
    found = _moved(text, start + shift, "XY")
    assert found == (((start, start + 2),) if abs(shift) <= NEAR else None)
