"""Writing tables: rows can be read again, interactions are refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings

import relhash
from relhash.corpus import Argument, CandidatePair, Document, Mention, Relation, Sentence
from relhash.errors import CorpusError
from tests.corpus.corpora_strategies import corpora
from tests.corpus.tables.written_tables import TNF_BINDS_P53


def test_written_rows_hold_the_sentence_and_can_be_read_again(tmp_path: Path) -> None:
    document = replace(
        TNF_BINDS_P53,
        id="d",
        text="Before. TNF binds p53.",
        sentences=(Sentence("s0", 0, 7), Sentence("s1", 8, 22)),
        mentions=tuple(replace(m, spans=tuple((a + 8, b + 8) for a, b in m.spans)) for m in TNF_BINDS_P53.mentions),
    )
    relhash.write([document], tmp_path / "out.tsv")
    header, row = (line.split("\t") for line in (tmp_path / "out.tsv").read_text().splitlines())
    cells = dict(zip(header, row, strict=True))
    assert (cells["document"], cells["text"], cells["label"]) == ("d", "TNF binds p53.", "interaction")
    assert (cells["entity2"], cells["e2_start"], cells["e2_end"]) == ("p53", "10", "13")
    assert relhash.read(tmp_path / "out.tsv").documents == (replace(TNF_BINDS_P53, id="d"),)


@settings(max_examples=60, deadline=None)
@given(
    documents=corpora(
        sentences=False, interactions=False, attributes=False, equivalences=False, passages=False, metadata=False,
        across_sentences=False,
    )
)  # fmt: skip
@pytest.mark.parametrize("suffix", [".tsv", ".csv.gz", ".xlsx"])
def test_a_table_read_and_written_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, documents: list[Document], suffix: str
) -> None:
    """Ids are the table's own, so the first reading settles them; from then on nothing changes."""
    if not any(document.relations or document.candidates for document in documents):
        return
    folder = tmp_path_factory.mktemp("table")
    relhash.write(documents, folder / f"a{suffix}")
    once = relhash.read(folder / f"a{suffix}")
    relhash.write(once, folder / f"b{suffix}")
    assert relhash.read(folder / f"b{suffix}").documents == once.documents
    for before, after in zip((d for d in documents if d.relations or d.candidates), once, strict=True):
        assert _relations(before) == _relations(after)
        assert _pairs(before) >= _pairs(after) - _relations_as_pairs(after)


def _place(document: Document, identifier: str) -> tuple[object, ...]:
    mention = document.mention_by_id[identifier]
    return mention.spans, mention.type


def _relations(document: Document) -> set[object]:
    return {
        (relation.type, tuple((argument.role, _place(document, argument.target)) for argument in relation.arguments))
        for relation in document.relations
    }


def _pairs(document: Document) -> set[object]:
    return {frozenset((_place(document, pair.first), _place(document, pair.second))) for pair in document.candidates or ()}


def _relations_as_pairs(document: Document) -> set[object]:
    return {frozenset(_place(document, target) for target in relation.targets) for relation in document.relations}


def test_two_mentions_at_one_place_keep_their_labels(tmp_path: Path) -> None:
    """BioInfer annotates some words twice and labels the pairs differently."""
    places = (((0, 1),), ((2, 3),), ((2, 3),))
    mentions = tuple(Mention(f"m{n}", "protein", spans, "ab"[spans[0][0] // 2]) for n, spans in enumerate(places))
    document = Document(
        "d",
        "a b",
        mentions=mentions,
        relations=(Relation("R1", "interaction", (Argument("e1", "m0"), Argument("e2", "m1"))),),
        candidates=(CandidatePair("P1", "m0", "m1"), CandidatePair("P2", "m0", "m2")),
    )
    relhash.write([document], tmp_path / "a.tsv")
    assert relhash.read(tmp_path / "a.tsv").documents == (document,)


def test_interactions_are_refused(tmp_path: Path) -> None:
    trigger = Mention("T2", "Binding", ((2, 3),), "b", is_trigger=True)
    event = Relation("E1", "Binding", (Argument("Theme", "T1"),), "T2")
    document = Document("d", "a b", mentions=(Mention("T1", "x", ((0, 1),), "a"), trigger), relations=(event,))
    with pytest.raises(CorpusError, match=r"d E1.*cannot hold interactions"):
        relhash.write([document], tmp_path / "a.tsv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_cells_cannot_become_formulas(tmp_path: Path, suffix: str) -> None:
    text = "=1+1 binds @B"
    mentions = (Mention("T1", "x", ((0, 4),), "=1+1"), Mention("T2", "x", ((11, 13),), "@B"))
    relation = Relation("R1", "interaction", (Argument("e1", "T1"), Argument("e2", "T2")))
    document = Document("-d", text, mentions=mentions, relations=(relation,))
    relhash.write([document], tmp_path / f"a{suffix}")
    if suffix == ".csv":
        assert "'-d,'=1+1 binds @B,'=1+1," in (tmp_path / "a.csv").read_text()
    else:
        cells = next(openpyxl.load_workbook(tmp_path / "a.xlsx").active.iter_rows(min_row=2))
        assert {cell.data_type for cell in cells[:3]} == {"s"}
    (again,) = relhash.read(tmp_path / f"a{suffix}")
    relhash.write([replace(document, id="'-d")], tmp_path / f"b{suffix}")
    assert relhash.read(tmp_path / f"b{suffix}").documents[0].id == "'-d"
    assert (again.id, again.text, again.mentions) == ("-d", text, mentions)


def test_a_text_too_long_for_excel_is_refused(tmp_path: Path) -> None:
    mentions = (Mention("T1", "x", ((0, 1),), "A"), Mention("T2", "x", ((2, 3),), "B"))
    document = Document("d", "A B" + " x" * 20_000, mentions=mentions, candidates=(CandidatePair("P1", "T1", "T2"),))
    with pytest.raises(CorpusError, match=r"32,767 characters.*write \.csv"):
        relhash.write([document], tmp_path / "a.xlsx")
    assert list(tmp_path.iterdir()) == []


def test_a_pair_of_two_sentences_beside_pairs_of_one_is_read_back(tmp_path):
    """Their texts differ, and the mention that both have was said to stand elsewhere."""
    text = "RAF1 binds MEK1. It also binds ERK2."
    mentions = tuple(Mention(f"T{n}", "protein", ((s, s + 4),), text[s : s + 4]) for n, s in ((1, 0), (2, 11), (3, 31)))
    relations = tuple(
        Relation(f"R{n}", "binds", (Argument("e1", "T1"), Argument("e2", other))) for n, other in ((1, "T2"), (2, "T3"))
    )
    sentences = (Sentence("s1", 0, 16), Sentence("s2", 17, len(text)))
    relhash.write([Document("d", text, sentences, mentions, relations)], tmp_path / "d.csv")
    (back,) = relhash.read(tmp_path / "d.csv")
    said = {one.id: one.text for one in back.mentions}
    assert {tuple(said[argument.target] for argument in one.arguments) for one in back.relations} == {
        ("RAF1", "MEK1"), ("RAF1", "ERK2"),
    }  # fmt: skip
