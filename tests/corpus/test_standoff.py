"""BioNLP and brat standoff: every kind of line, offsets under all layouts, and the way back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

import relhash
from relhash.corpus import Argument, Attribute, Document, Mention, Relation
from relhash.errors import CorpusError
from tests.corpus.corpora_strategies import corpora
from tests.corpus.reader_contract import ReaderContract
from tests.corpus.standoff_samples import ANN, TEXT, write


class TestBratReader(ReaderContract):
    format = "brat"
    filename = "doc.ann"
    sample = ANN.replace("A1\tNegation E1", "A1\tNegation E1\n#4\tAnnotatorNotes E1\té")
    beside = {"doc.txt": TEXT}  # noqa: RUF012
    broken = {  # noqa: RUF012
        "no tab": ("T1 Protein 2 5 TNF\n", 1),
        "no offsets": ("T1\tProtein\tTNF\n", 1),
        "beyond the text": ("\nT1\tProtein 2 5000\tIL2\n", 2),
        "other text": ("T1\tProtein 3 6\tIL2\n", 1),
        "unknown kind": ("T1\tProtein 2 5\tTNF\nX1\tProtein 2 5\tTNF\n", 2),
        "dangling argument": ("T1\tBinding 6 11\tbinds\nE1\tBinding:T1 Theme:T9\n", 2),
        "dangling trigger": ("E1\tBinding:T1\n", 1),
        "dangling attribute": ("A1\tNegation E1\n", 1),
        "half a relation": ("T1\tProtein 2 5\tTNF\nR1\tPart-of Arg1:T1\n", 2),
        "no role": ("T1\tBinding 6 11\tbinds\nE1\tBinding:T1 T2\n", 2),
    }

    def test_empty_file(self, tmp_path: Path) -> None:  # an empty .ann is what brat makes of a document without annotations
        (document,) = self.documents(self.put(tmp_path, b""))
        assert document.text == TEXT
        assert document.mentions == ()


class TestBionlpReader(ReaderContract):
    format = "bionlp"
    filename = "doc.a2"
    sample = ANN[ANN.index("T3") :].replace("A1\t", "#5\tNote T3\té\nM1\t")
    beside = {"doc.txt": TEXT, "doc.a1": ANN[: ANN.index("T3")]}  # noqa: RUF012
    broken = {"dangling": ("E1\tBinding:T3 Theme:T1\n", 1)}  # noqa: RUF012

    def test_empty_file(self, tmp_path: Path) -> None:
        (document,) = self.documents(self.put(tmp_path, b""))
        assert [mention.id for mention in document.mentions] == ["T1", "T2"]


def test_every_kind_of_line(tmp_path: Path) -> None:
    (document,) = relhash.read(write(tmp_path, TEXT, ANN))
    assert document.id == "doc"
    assert document.mentions == (
        Mention("T1", "Protein", ((2, 5),), "TNF"),
        Mention("T2", "Protein", ((12, 15),), "p53", ("NCBIGene:7157", "UniProt:P04637")),
        Mention("T3", "Binding", ((6, 11),), "binds", is_trigger=True),
        Mention("T4", "Cell", ((17, 18), (25, 30)), "T cells"),
        Mention("T5", "Positive_regulation", ((31, 37),), "induce", is_trigger=True),
    )
    assert document.relations == (
        Relation("E1", "Binding", (Argument("Theme", "T1"), Argument("Theme2", "T2")), "T3"),
        Relation("E2", "Positive_regulation", (Argument("Theme", "E1"), Argument("Cause", "T4")), "T5"),
        Relation("R1", "Part-of", (Argument("Arg1", "T1"), Argument("Arg2", "T4"))),
    )
    assert document.equivalences == (("T1", "T2"),)
    assert document.attributes == (
        Attribute("A1", "Negation", "E1"),
        Attribute("M2", "Confidence", "E2", "very high"),
        Attribute("#1", "AnnotatorNotes", "T1", "is this\tright?"),
    )


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("counted", ["as it stands", "cleaned"])
def test_offsets_may_count_the_file_as_it_stands_or_cleaned(tmp_path: Path, mark: str, line_end: str, counted: str) -> None:
    text = mark + TEXT.replace("\n", line_end)
    basis = text if counted == "as it stands" else TEXT
    start = basis.index("induce")
    write(tmp_path, text, f"T1\tX {start} {start + 6}\tinduce\n")
    (document,) = relhash.read(tmp_path)
    assert document.text == basis
    assert document.text[document.mentions[0].start : document.mentions[0].end] == "induce"


def test_mention_over_a_line_end(tmp_path: Path) -> None:
    (document,) = relhash.read(write(tmp_path, "heat\nshock", "T1\tX 0 10\theat shock\n"))
    assert document.mentions[0].text == "heat\nshock"


def test_a_text_without_annotations_is_a_document(tmp_path: Path) -> None:
    write(tmp_path, TEXT, ANN)
    (tmp_path / "plain.txt").write_text("Nothing here.")
    for name in (None, "brat"):
        assert [document.id for document in relhash.read(tmp_path, name)] == ["doc", "plain"]


def test_annotations_without_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "doc.ann").write_text("T1\tX 0 1\ta\n")
    with pytest.raises(CorpusError, match=r"doc\.ann: its text doc\.txt is missing"):
        relhash.read(tmp_path)


def test_lenient_folder(tmp_path: Path) -> None:
    write(tmp_path, TEXT, ANN)
    (tmp_path / "bad.txt").write_text("x")
    (tmp_path / "bad.ann").write_text("T1\tX 0 99\ty\n")
    corpus = relhash.read(tmp_path, lenient=True)
    assert [document.id for document in corpus] == ["doc"]
    assert "bad.ann:1" in str(corpus.skipped[0])


def _held(document: Document) -> Document:
    """What standoff can hold of a document: names without blanks, ids of triggers only on mentions."""
    relations = tuple(replace(relation, type=relation.type.replace(" ", "_")) for relation in document.relations)
    return replace(document, relations=relations)


@settings(max_examples=60, deadline=None)
@given(documents=corpora(min_sentences=1, sentences=False, candidates=False, passages=False, metadata=False))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    documents = [_held(document) for document in documents]
    for name in ("brat", "bionlp"):
        folder = tmp_path_factory.mktemp("standoff") / "out"
        relhash.write(documents, folder, name)
        assert relhash.read(folder).documents == tuple(
            # a1 and a2 keep modifications under other ids
            replace(d, attributes=tuple(replace(a, id=a.id.replace("A", "M")) for a in d.attributes)) if name == "bionlp" else d
            for d in documents
        )


def test_ids_of_other_formats_are_numbered_anew(tmp_path: Path) -> None:
    mentions = (Mention("AIMed.e0", "protein", ((0, 1),), "a"), Mention("AIMed.e1", "protein", ((2, 3),), "b"))
    relation = Relation("AIMed.p0", "interaction", (Argument("e1", "AIMed.e0"), Argument("e2", "AIMed.e1")))
    relhash.write([Document("d/0", "a b", mentions=mentions, relations=(relation,))], tmp_path / "out")
    assert (
        tmp_path / "out" / "d%2F0.ann"
    ).read_text() == "T1\tprotein 0 1\ta\nT2\tprotein 2 3\tb\nR1\tinteraction e1:T1 e2:T2\n"
    assert relhash.read(tmp_path / "out").documents[0].id == "d/0"


def test_bionlp_puts_what_is_to_be_found_into_a2(tmp_path: Path) -> None:
    (document,) = relhash.read(write(tmp_path, TEXT, ANN))
    relhash.write([document], tmp_path / "out", "bionlp")
    given_entities = (tmp_path / "out" / "doc.a1").read_text().splitlines()
    assert [line.split("\t")[0] for line in given_entities] == ["T1", "T2", "T4"]
    assert "E1\tBinding:T3 Theme:T1 Theme2:T2\n" in (tmp_path / "out" / "doc.a2").read_text()


@pytest.mark.parametrize(
    ("document", "what"),
    [
        (Document("d", ""), "without text"),
        (Document("d", "a", mentions=(Mention("T1", "cell line", ((0, 1),), "a"),)), "type or role 'cell line'"),
        (Document("d", "a", mentions=(Mention("T1", "x", ((0, 1),), "a", ("a\nb",)),)), "database id"),
        (
            Document("d", "a", (), (Mention("T1", "x", ((0, 1),), "a"),), (Relation("R1", "x", (Argument("a", "T1"),)),)),
            "without a trigger",
        ),
    ],
)  # fmt: skip
def test_what_standoff_cannot_hold_is_refused_and_leaves_nothing(tmp_path: Path, document: Document, what: str) -> None:
    with pytest.raises(CorpusError, match=what):
        relhash.write([document], tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_existing_folder_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    relhash.write([Document("d", "a")], tmp_path / "out")  # empty: fine
    with pytest.raises(CorpusError, match="not empty"):
        relhash.write([Document("d", "a")], tmp_path / "out")


def test_two_documents_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="two documents have this id"):
        relhash.write([Document("d", "a"), Document("d", "b")], tmp_path / "out")


def test_attributes_that_share_an_id_are_numbered_anew(tmp_path: Path) -> None:
    attributes = (Attribute("A1", "Negation", "T1"), Attribute("A1", "Speculation", "T1"))
    relhash.write([Document("d", "a", mentions=(Mention("T1", "x", ((0, 1),), "a"),), attributes=attributes)], tmp_path / "out")
    (document,) = relhash.read(tmp_path / "out")
    assert document.attributes == (Attribute("A1", "Negation", "T1"), Attribute("A2", "Speculation", "T1"))


def test_rel_files_hold_relations_that_are_to_be_found(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("TNF promoter")
    (tmp_path / "a.a1").write_text("T1\tProtein 0 3\tTNF\n")
    (tmp_path / "a.rel").write_text("T2\tEntity 4 12\tpromoter\nR1\tProtein-Component Arg1:T1 Arg2:T2\n")
    (document,) = relhash.read(tmp_path)
    assert document.relations == (Relation("R1", "Protein-Component", (Argument("Arg1", "T1"), Argument("Arg2", "T2"))),)
    assert [mention.is_answer for mention in document.mentions] == [False, True]
    assert document.metadata == {}
