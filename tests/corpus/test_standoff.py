"""BioNLP and brat standoff: every kind of line, offsets under all layouts, and the way back."""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.corpus import Argument, Attribute, Mention, Relation
from relhash.errors import CorpusError
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
        "overlapping spans": ("T1\tProtein 2 5;3 5\tTNF NF\n", 1),
        "unknown kind": ("T1\tProtein 2 5\tTNF\nX1\tProtein 2 5\tTNF\n", 2),
        "id twice": ("T1\tProtein 2 5\tTNF\nT1\tProtein 12 15\tp53\n", 2),
        "dangling argument": ("T1\tBinding 6 11\tbinds\nE1\tBinding:T1 Theme:T9\n", 2),
        "dangling trigger": ("E1\tBinding:T1\n", 1),
        "dangling attribute": ("A1\tNegation E1\n", 1),
        "dangling normalisation": ("N1\tReference T1 X:1\n", 1),
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
    broken = {"dangling": ("E1\tBinding:T3 Theme:T1\n", 1), "given twice": ("T2\tProtein 12 15\tp53\n", 1)}  # noqa: RUF012

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
