"""The registry: names, formats of other people, which format is written where."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import warnings
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import relhash
from relhash import registry
from relhash.corpus import FORMATS, Document, Format
from relhash.corpus.formats import all_formats, format_by_name, format_for_output
from relhash.errors import CorpusError, ParameterError, RelHashWarning


@pytest.mark.parametrize("known", all_formats(), ids=lambda known: known.name)
def test_every_name_in_the_registry_exists(known: Format) -> None:
    for function in (known.reader, known.writer):
        if function is not None:
            assert callable(known.load(function))
    assert known.description
    assert FORMATS[known.name] is known
    assert format_by_name(known.name.upper()) is known


def test_names_are_unique() -> None:
    names = [name for known in all_formats() for name in (known.name, *known.aliases)]
    assert len(names) == len(set(names))


def test_unknown_format_lists_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(CorpusError, match=r"unknown format 'docx'; known formats: unified-xml, .*jsonl.*lines.*amr"):
        relhash.read(tmp_path / "a.txt", "docx")


@pytest.fixture
def own_format(monkeypatch: pytest.MonkeyPatch) -> Format:
    """A format of the test's own, registered as a script would, and gone again afterwards."""
    monkeypatch.setattr(FORMATS, "_parts", dict(FORMATS._parts))
    loud = Format(
        "loud", "text in capitals", (".loud", ".txt"), _read_loud, _write_loud, aliases=("caps",), recognises=str.isupper
    )
    FORMATS.register("loud", loud)
    return loud


def _read_loud(path: Path, *, ending: str = "") -> Iterator[Document]:
    if not path.read_text().isupper():
        raise CorpusError("not loud enough", path=path)
    yield Document(path.stem, path.read_text().lower() + ending)


def _write_loud(documents: list[Document], path: Path) -> None:
    path.write_text("".join(document.text.upper() for document in documents))


@pytest.mark.usefixtures("own_format")
def test_a_registered_format_is_read_and_written_like_ours(tmp_path: Path) -> None:
    relhash.write([Document("a", "Ras binds Raf.")], tmp_path / "a.loud")
    assert (tmp_path / "a.loud").read_text() == "RAS BINDS RAF."
    assert [document.text for document in relhash.read(tmp_path / "a.loud")] == ["ras binds raf."]
    assert [document.text for document in relhash.read(tmp_path / "a.loud", "caps", ending="!")] == ["ras binds raf.!"]
    with pytest.raises(ParameterError, match="no option 'volume'"):
        relhash.read(tmp_path / "a.loud", volume=3)
    with pytest.raises(CorpusError, match=r"known formats: unified-xml.*loud"):
        format_by_name("docx")


@pytest.mark.usefixtures("own_format")
def test_a_registered_format_is_recognised_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("RAS BINDS RAF.")
    (tmp_path / "b.txt").write_text("Ras binds Raf.")
    assert relhash.read(tmp_path / "a.txt").documents[0].text == "ras binds raf."
    assert relhash.read(tmp_path / "b.txt").documents[0].text == "Ras binds Raf."


@pytest.mark.usefixtures("own_format")
def test_a_reader_that_cannot_skip_loses_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.loud").write_text("RAS.")
    (tmp_path / "b.loud").write_text("quiet")
    corpus = relhash.read(tmp_path, lenient=True)
    assert [document.id for document in corpus] == ["a"]
    assert "not loud enough" in str(corpus.skipped[0])


@pytest.mark.usefixtures("own_format")
def test_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(ParameterError, match="format 'text' is there already"):
        FORMATS.register("text", FORMATS["loud"])


def test_a_format_that_cannot_be_imported_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = [EntryPoint("broken", "no_such_package:FORMAT", "g"), EntryPoint("number", "math:pi", "g")]
    monkeypatch.setattr(registry, "entry_points", lambda group: offered)
    monkeypatch.setattr(FORMATS, "_offered", None)
    monkeypatch.setattr(FORMATS, "_parts", dict(FORMATS._parts))
    (tmp_path / "a.txt").write_text("Ras binds Raf.")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert len(relhash.read(tmp_path / "a.txt")) == 1
    assert {warning.category for warning in said} == {RelHashWarning}
    said_texts = {str(warning.message) for warning in said}
    assert any("'broken' of no_such_package:FORMAT cannot be imported" in text for text in said_texts)
    assert any("'number' is no relhash.corpus.Format" in text for text in said_texts)


def test_a_format_of_another_installed_package(tmp_path: Path) -> None:
    """As pip leaves it: a module and its metadata on the path, nothing of ours changed."""
    (tmp_path / "loudly.py").write_text(
        textwrap.dedent("""
        from relhash.corpus import Document, Format

        def read(path, *, on_error=None):
            yield Document(path.stem, path.read_text().lower())

        LOUD = Format("loud", "text in capitals", (".loud",), read)
        """)
    )
    metadata = tmp_path / "loudly-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: loudly\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[relhash.readers]\nloud = loudly:LOUD\n")
    (tmp_path / "a.loud").write_text("RAS BINDS RAF.")
    program = "import relhash, sys; sys.path.insert(0, '.'); print([d.text for d in relhash.read('a.loud')])"
    made = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert made.stdout == "['ras binds raf.']\n"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.xml", "unified-xml"), ("a.json", "bioc-json"), ("a.jsonl", "jsonl"), ("a.jsonl.gz", "jsonl"), ("a.tsv", "table"),
        ("a.csv", "table"), ("a.pubtator", "pubtator"), ("folder", "brat"), ("-", "jsonl"), ("a.bioc", "bioc-xml"),
        ("/dev/null", "jsonl"),
    ],
)  # fmt: skip
def test_output_format_by_suffix(name: str, expected: str) -> None:
    assert format_for_output(Path(name)).name == expected
