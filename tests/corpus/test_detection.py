"""Which format a file or folder has, and which files of a folder are read."""

from __future__ import annotations

import string
import warnings
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import relhash
from relhash.corpus.detection import detect
from relhash.errors import CorpusError, RelHashWarning


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.xml", '<?xml version="1.0"?>\n<!-- c -->\n<corpus source="x"/>', "unified-xml"),
        ("a.xml", '\ufeff<document id="d"/>', "unified-xml"),
        ("a.xml", '<?xml version="1.0"?><!DOCTYPE collection SYSTEM "BioC.dtd"><collection/>', "bioc-xml"),
        ("a.xml", '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//" "x.dtd">\n<PubmedArticleSet>', "pubmed-xml"),
        ("a.xml", f'<document id="d" text="{"long " * 5000}"/>', "unified-xml"),
        ("a.xml", '<n:collection xmlns:n="x"/>', "bioc-xml"),
        ("a.json", '{"source": "x", "documents": []}', "bioc-json"),
        ("a.json", '[{"source": "x", "documents": []}]', "bioc-json"),
        ("a.json", '{"source": "x", "infons": {}, "documents": [{"id": "' + "7" * 20000, "bioc-json"),
        ("a.txt", '[{"source": "x", "documents": []}]', "bioc-json"),
        ("a.json", '{"id": "d", "text": "x"}', "jsonl"),
        ("a.json", '{"id": "d", "text": "' + "x" * 20000 + '"}', "jsonl"),
        ("a.json", '[{"path": "a", "interaction_tuple": []}]', "pubmed45"),
        ("a.jsonl", '{"id": "d", "documents": "x"}', "jsonl"),
        ("a.ndjson", "{}", "jsonl"),
        ("a.tsv", "text", "table"),
        ("a.CSV", "text", "table"),
        ("a.txt", "Plain text.", "text"),
        ("a.txt", "123|t|A title\n", "pubtator"),
        ("a.txt", "# ::snt Ras binds Raf\n(b / bind-01\n  :ARG0 (p / protein))", "amr"),
        ("a.conllu", "", "conllu"),
        ("a.dat", "1\tTNF\ttnf\tNOUN\tNN\t_\t0\troot\t_\t_\n", "conllu"),
        ("a.dat", "# sent_id = 1\r\n1\tTNF\ttnf\tNOUN\tNN\t_\t0\troot\t_\t_\r\n", "conllu"),
        ("a.dat", "<corpus>", "unified-xml"),
    ],
)
def test_detection(tmp_path: Path, name: str, content: str, expected: str) -> None:
    (tmp_path / name).write_bytes(content.encode())
    assert detect(tmp_path / name).name == expected


PROSE = {
    "a translated title": "[Effect of TNF on p53]. We studied the effect.",
    "a title with a colon in it": '["Documents": what they are]. RAF1 binds MEK1.',
    "nothing but a bracket": "[",
    "an empty list": "[]",
    "a list of numbers": "[1, 2] are the references.",
    "a brace": "{TNF} binds p53.",
    "a brace and a key": '{"text": that is what we call it}. RAF1 binds MEK1.',
    "markup": "<i>In vitro</i>, RAF1 binds MEK1.",
    "the name of an element": "<corpus callosum> was seen.",
    "an element that holds text": "<document> is a tag of XML.",
    "a parenthesis": "(TNF / p53) binding was seen.",
    "a digit": "12 patients were seen.",
    "a numbered line": "1\tRAF1 binds MEK1.\n2\tTNF binds p53.",
    "ten columns": "1\ta\tb\tc\td\te\tf\tg\th\ti",
    "a comment": "# RAF1\nRAF1 binds MEK1.",
    "a bar": "a|b| RAF1 binds MEK1.",
    "many brackets": "[" * 5000,
}


@pytest.mark.parametrize("mark", ["", "\ufeff", "\n  "])
@pytest.mark.parametrize("text", PROSE.values(), ids=PROSE.keys())
def test_prose_is_text_whatever_it_begins_with(tmp_path: Path, text: str, mark: str) -> None:
    """Regression: a file that began with ``[`` was taken for BioC JSON and refused."""
    (tmp_path / "a.txt").write_text(mark + text, encoding="utf-8")
    assert detect(tmp_path / "a.txt").name == "text"
    assert len(relhash.read(tmp_path / "a.txt")) == 1


STARTS = ["", *'[{<(#|"', "1\t", "1. ", "\ufeff", "<?", "<!--", "[{", '{"', '[{"', "(TNF / p53) was ", "\ufeff["]


@settings(max_examples=300, deadline=None)
@given(
    start=st.sampled_from(STARTS),
    text=st.text(st.sampled_from(string.printable) | st.characters(exclude_categories=["C"]), max_size=300),
)
@example(start="", text="")
@example(start="[", text="Effect]. " + "RAF1 binds MEK1. " * 2000)
def test_any_prose_is_text_or_lines(tmp_path_factory: pytest.TempPathFactory, start: str, text: str) -> None:
    path = tmp_path_factory.mktemp("prose") / "a.txt"
    path.write_text(start + text, encoding="utf-8", newline="")
    assert detect(path).name in ("text", "lines")


@pytest.mark.parametrize(("name", "content"), [("a.dat", "Hello"), ("a.xml", "<html/>"), ("noname", "x"), ("a.json", "7")])
def test_what_cannot_be_told_is_asked_for(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(CorpusError, match=r"neither its name nor its content.*--format.*unified-xml"):
        relhash.read(tmp_path / name)


def test_a_workbook_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    """From a pipe, ``relhash fit <(curl …)``, or by another name; it was "not UTF-8 text"."""
    import os
    import threading

    from relhash.corpus.tables.sheets import write_workbook

    write_workbook([["text", "label"], ["[E1]TNF[/E1] binds [E2]TRAF2[/E2].", 1]], tmp_path / "a.xlsx")
    os.mkfifo(tmp_path / "pipe")
    content = (tmp_path / "a.xlsx").read_bytes()
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(content,), daemon=True)
    writer.start()
    (found,) = relhash.read(tmp_path / "pipe")
    writer.join()
    assert found.text == "TNF binds TRAF2."
    (tmp_path / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512))
    with pytest.raises(CorpusError, match=r"old kind \(\.xls\).*save it as \.xlsx"):
        list(relhash.read(tmp_path / "old.xls"))


def test_mixed_folder(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Text.")
    (tmp_path / "b.txt").write_text("Text.")
    (tmp_path / "c.jsonl").write_text('{"id":"c","text":"x"}\n')
    with pytest.raises(CorpusError, match=r"different formats \(2 text, 1 jsonl\).*--format text"):
        relhash.read(tmp_path)
    with pytest.warns(RelHashWarning, match=r"1 file left out, by name not of the format 'text': c\.jsonl"):
        assert [document.id for document in relhash.read(tmp_path, "text")] == ["a", "b"]
    with pytest.warns(RelHashWarning, match=r"2 files left out, by name not of the format 'jsonl': a\.txt, b\.txt"):
        assert [document.id for document in relhash.read(tmp_path, "jsonl")] == ["c"]


def test_a_named_format_is_not_second_guessed(tmp_path: Path) -> None:
    """Regression: of a folder read with ``--format text`` every file that began with ``[`` was dropped without a word."""
    texts = {f"{number:02}": text for number, text in enumerate(PROSE.values())}
    texts["json"] = '[{"source": "x", "documents": []}]'
    texts["pubtator"] = "123|t|A title\n"
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    (tmp_path / "README").write_text("about")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corpus = relhash.read(tmp_path, "text")
    assert {document.id: document.text for document in corpus} == texts


def test_a_named_format_reads_all_files_when_no_suffix_fits(tmp_path: Path) -> None:
    for name in ("a.dat", "b.abstract"):
        (tmp_path / name).write_text("Text.")
    assert [document.id for document in relhash.read(tmp_path, "text")] == ["a", "b"]


def test_a_companion_that_could_be_a_document_is_named(tmp_path: Path) -> None:
    for name in ("a.txt", "NOTICE.txt", "LICENSE", ".hidden.txt"):
        (tmp_path / name).write_text("Text.")
    for format in (None, "text"):
        with pytest.warns(RelHashWarning, match=r"1 file left out.*: NOTICE\.txt$"):
            assert [document.id for document in relhash.read(tmp_path, format)] == ["a"]


def test_many_files_left_out_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Text.")
    for number in range(5):
        (tmp_path / f"{number}.csv").write_text("text")
    with pytest.warns(RelHashWarning, match=r"5 files left out.*: 0\.csv, 1\.csv, 2\.csv, …"):
        relhash.read(tmp_path, "text")


def test_folders_in_a_folder_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Text.")
    for name in ("train", "test", ".git"):
        (tmp_path / name).mkdir()
    with pytest.warns(RelHashWarning, match=r"2 folders in it not read: test, train$"):
        assert [document.id for document in relhash.read(tmp_path)] == ["a"]


def test_folders_without_corpus_files(tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    (tmp_path / "README").write_text("see train")
    with pytest.raises(CorpusError, match="give one of its folders: train"):
        relhash.read(tmp_path)
    with pytest.raises(CorpusError, match="no corpus files"):
        relhash.read(tmp_path / "train")


def test_abstracts_a_line_may_end_as_they_like(tmp_path: Path) -> None:
    long = "RAF1 binds to MEK1 in resting cells, and so do BRAF and ARAF, which have been found in the same complex. " * 3
    path = tmp_path / "abstracts.txt"
    path.write_text(f"{long}\n{long}(ABSTRACT TRUNCATED AT 250 WORDS)\nA short one.\n")
    assert detect(path).name == "lines"
    path.write_text(f"Introduction\n{long}\n{long}\n{long}\n")
    assert detect(path).name == "text"
    path.write_text(f"{long}\n" * 300)  # longer than what is looked at
    assert detect(path).name == "lines"
