"""JSON Lines holds everything: what is written comes back equal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings

import relhash
from relhash.corpus import Document, Mention
from relhash.errors import CorpusError
from tests.corpus.corpora_strategies import corpora
from tests.corpus.reader_contract import ReaderContract


class TestJsonlReader(ReaderContract):
    format = "jsonl"
    filename = "corpus.jsonl"
    sample = (
        '{"id":"d1","text":"é TNF binds p53.","entities":[{"id":"T1","type":"protein","text":"TNF","offsets":[[2,5]]},'
        '{"id":"T2","type":"protein","text":"p53","offsets":[[12,15]],"normalized":["NCBIGene:7157"]}],'
        '"relations":[{"id":"R1","type":"binds","arguments":[{"role":"e1","ref_id":"T1"},{"role":"e2","ref_id":"T2"}]}]}\n'
        '\n{"schema":"relhash/1","id":"d2","text":""}\n'
    )
    broken = {  # noqa: RUF012
        "not JSON": ('{"id":"d1","text":""}\n{"id":\n', 2),
        "dangling": ('{"id":"d1","text":"ab","attributes":[{"id":"A1","type":"x","ref_id":"T7"}]}\n', 1),
        "outside": ('{"id":"d1","text":"ab","entities":[{"id":"T1","type":"x","text":"","offsets":[[0,3]]}]}\n', 1),
        "misspelt": ('{"id":"d1","text":"ab","relation":[]}\n', 1),
        "type": ('{"id":1,"text":"ab"}\n', 1),
        "boolean offset": ('{"id":"d","text":"ab","entities":[{"id":"T1","type":"x","text":"","offsets":[[0,true]]}]}\n', 1),
        "certainty": (
            '{"id":"d","text":"a","entities":[{"id":"T","type":"","text":"a","offsets":[[0,1]],"certainty":2}]}\n',
            1,
        ),
        "surrogate": ('{"id":"d1","text":"\\ud800"}\n', 1),
        "other schema": ('{"schema":"relhash/9","id":"d1","text":"ab"}\n', 1),
        "deep": ("[" * 100_000 + "\n", 1),
        "only blank lines": ("\n \n", None),
    }
    one_of_two_is_broken = '{"id":"d1","text":"a"}\n{"id":"d2"}\n'


@settings(max_examples=60, deadline=None)
@given(documents=corpora())
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    folder = tmp_path_factory.mktemp("jsonl")
    for name in ("a.jsonl", "a.jsonl.gz"):
        relhash.write(documents, folder / name)
        assert relhash.read(folder / name).documents == tuple(documents)


def test_lines_are_read_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id":"d1","text":"a"}\nbroken\n')
    documents = relhash.stream(path)
    assert next(documents).id == "d1"  # the broken second line has not been looked at
    with pytest.raises(CorpusError):
        next(documents)


def test_nothing_is_written_when_a_document_fails(tmp_path: Path) -> None:
    def documents():
        yield Document("d", "x")
        raise CorpusError("no more")

    with pytest.raises(CorpusError):
        relhash.write(documents(), tmp_path / "a.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_the_schema_is_written_into_every_line(tmp_path: Path) -> None:
    relhash.write([Document("d", "x"), Document("e", "y")], tmp_path / "a.jsonl")
    assert [json.loads(line)["schema"] for line in (tmp_path / "a.jsonl").read_text().splitlines()] == ["relhash/1"] * 2


def test_how_sure_the_tagger_is_comes_back(tmp_path: Path) -> None:
    found = Mention("T1", "protein", ((0, 3),), "TNF", certainty=0.1 + 0.2)
    documents = [Document("d", "TNF binds p53.", mentions=(found, Mention("T2", "protein", ((10, 13),), "p53")))]
    relhash.write(documents, tmp_path / "a.jsonl")
    assert relhash.read(tmp_path / "a.jsonl").documents == tuple(documents)
    assert (tmp_path / "a.jsonl").read_text().count("certainty") == 1
