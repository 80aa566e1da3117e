"""A document that contradicts itself is refused, and the error names the element."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relhash
from relhash.corpus import Argument, Attribute, CandidatePair, Dependency, Document, Mention, Relation, Sentence, Token
from relhash.corpus.remarks import NEAR, Remarks, check_document, placed
from relhash.errors import CorpusError, RelHashWarning

TEXT = "Ras binds Raf."
RAS, RAF = Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf")
PAIR = (Argument("e1", "T1"), Argument("e2", "T2"))
TOKENS = (Token(0, 3, "Ras"), Token(4, 9, "binds"), Token(10, 13, "Raf"))
SOUND = Document(
    "d",
    TEXT,
    (Sentence("s", 0, 14, TOKENS, (Dependency(1, 0, "nsubj"), Dependency(1, 2, "dobj"))),),
    (RAS, RAF),
    (Relation("R1", "binds", PAIR), Relation("R2", "causes", (Argument("Theme", "R1"),), trigger="T1")),
    (CandidatePair("P1", "T1", "T2"),),
    (Attribute("A1", "Negation", "R1"),),
    (("T1", "T2"),),
)


def test_a_sound_document_passes() -> None:
    check_document(SOUND)
    assert SOUND.check() is SOUND


BROKEN = {
    "a mention twice": ({"mentions": (RAS, RAF, RAS)}, "T1", "mention id 'T1' is used twice"),
    "a relation twice": ({"relations": SOUND.relations[:1] * 2}, "R1", "relation id 'R1' is used twice"),
    "a sentence twice": ({"sentences": (Sentence("s", 0, 3), Sentence("s", 4, 9))}, "s", "sentence id 's' is used twice"),
    "a mention without offsets": ({"mentions": (RAS, replace(RAF, spans=()))}, "T2", "without offsets"),
    "a mention beyond the text": ({"mentions": (RAS, replace(RAF, spans=((10, 15),)))}, "T2", "outside the text"),
    "an empty mention": ({"mentions": (RAS, replace(RAF, spans=((10, 10),)))}, "T2", "outside the text"),
    "spans out of order": ({"mentions": (RAS, replace(RAF, spans=((10, 13), (4, 9))))}, "T2", "in order"),
    "spans that overlap": ({"mentions": (RAS, replace(RAF, spans=((4, 9), (8, 13))))}, "T2", "in order"),
    "a sentence beyond the text": ({"sentences": (Sentence("s", 0, 15),)}, "s", "outside the text"),
    "a token outside its sentence": ({"sentences": (Sentence("s", 0, 9, TOKENS),)}, "s", "'Raf' lies outside its sentence"),
    "an arc to no token": (
        {"sentences": (Sentence("s", 0, 14, TOKENS, (Dependency(1, 3, "dobj"),)),)}, "s", "'dobj' refers to a token",
    ),
    "an argument of nothing": ({"relations": (Relation("R1", "x", (Argument("e1", "T9"),)),)}, "R1", "'T9', which does not"),
    "a trigger of nothing": ({"relations": (Relation("R1", "x", PAIR, trigger="T9"),)}, "R1", "trigger 'T9'"),
    "a relation as trigger": ({"relations": (Relation("R1", "x", PAIR, trigger="R1"),)}, "R1", "trigger 'R1'"),
    "a candidate of nothing": ({"candidates": (CandidatePair("P1", "T1", "T9"),)}, "P1", "'T9', which does not"),
    "an attribute of nothing": ({"attributes": (Attribute("A1", "Negation", "T9"),)}, "A1", "'T9', which does not"),
    "an equivalence of nothing": ({"equivalences": (("T1", "T9"),)}, "d", "'T9', which does not"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "where", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_contradictions_are_named(changes: dict[str, object], where: str, message: str) -> None:
    bare = replace(SOUND, relations=(), candidates=None, attributes=(), equivalences=())
    with pytest.raises(CorpusError, match=message) as caught:
        check_document(replace(bare, **changes), path="a.xml")
    assert (caught.value.where, caught.value.path) == (where, "a.xml")


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
    with pytest.warns(RelHashWarning, match=rf"offsets that were moved.*: 1 .*'p53' {start}-{start + 3} → 15-18"):
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
    with pytest.warns(RelHashWarning, match="offsets that were moved.*: 5 ") as said:
        assert len(relhash.read(tmp_path)) == 5
    assert len(said) == 1


def _moved(text: str, start: int, wanted: str, taken=()):
    """Where the mention was put; nothing if it fits nowhere."""
    try:
        return placed(wanted, text, [(start, start + len(wanted))], Remarks(), path=Path("x"), where=1, taken=taken)
    except CorpusError:
        return None


def test_a_name_that_stands_there_twice_is_not_guessed() -> None:
    assert _moved("p53 and p53", 2, "p53") is None
    assert _moved("p53 and p53BP1", 2, "p53") == ((0, 3),)  # a word of its own is meant


def test_a_place_that_another_mention_has_is_not_taken() -> None:
    assert _moved("p53 binds", 2, "p53", {((0, 3),)}) is None


def test_a_mention_in_pieces_moves_as_a_whole() -> None:
    remarks = Remarks()
    found = placed("T cells", "in T and B cells", [(2, 3), (10, 15)], remarks, path=Path("x"), where="T1")
    assert found == ((3, 4), (11, 16))
    assert "(x [T1] 'T cells' 2-3,10-15 → 3-4,11-16)" in remarks.texts()[0]


NESTED = "T1\tGene 0 9;0 3\tTNF alpha TNF\n"
"""GENIA has mentions whose pieces lie in one another."""


@pytest.mark.parametrize(
    ("lines", "spans", "remark"),
    [
        (NESTED, ((0, 9),), "spans overlapped"),
        ("T1\tGene 0 9\ttnf ALPHA\n", ((0, 9),), r"written otherwise than in the text.*'tnf ALPHA', in the text 'TNF alpha'"),
        ("T1\tGene 10 16\t'' DEAD ''\n", ((10, 16),), "written otherwise"),
        ("T1\tGene 0 9\tTNF alpha\nT1\tGene 0 9\tTNF alpha\n", ((0, 9),), "ids used twice .left out"),
        ("T1\tGene 0 9\tTNF alpha\nT1\tGene 0 3\tTNF\n", ((0, 9),), "ids used twice .the second got another id.*: 1 .*:2 T1"),
        ("T1\tGene 0 9\tTNF alpha\n*\tEquiv T1\n", ((0, 9),), "equivalences of one mention"),
        ("T1\tGene 0 9\tTNF alpha\nN1\tReference E7 Go:1\n", ((0, 9),), "database ids of what is no mention"),
    ],
)
def test_what_annotators_write_is_read_with_a_remark(
    tmp_path: Path, lines: str, spans: tuple[tuple[int, int], ...], remark: str
) -> None:
    (tmp_path / "a.txt").write_text('TNF alpha "DEAD" box')
    (tmp_path / "a.ann").write_text(lines)
    with pytest.warns(RelHashWarning, match=remark):
        (document,) = relhash.read(tmp_path)
    assert document.mentions[0].spans == spans
    assert document.mentions[0].text == document.text[slice(*spans[0])]


@settings(max_examples=200, deadline=None)
@given(before=st.text("ab \n", max_size=60), after=st.text("ab \n", max_size=60), shift=st.integers(-40, 40))
def test_what_is_found_is_what_was_meant(before: str, after: str, shift: int) -> None:
    text = f"{before} XY {after}"
    start = len(before) + 1
    found = _moved(text, start + shift, "XY")
    assert found == (((start, start + 2),) if abs(shift) <= NEAR else None)
