"""JSON Lines holds everything: what is written comes back equal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings

import relhash
from relhash.corpus import Dependency, Document, Mention, Sentence, Token
from relhash.errors import CorpusError, RelHashWarning
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
        "type": ('{"id":1.5,"text":"ab"}\n', 1),
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
@given(documents=corpora(concept_relations=True))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    folder = tmp_path_factory.mktemp("jsonl")
    for name in ("a.jsonl", "a.jsonl.gz"):
        relhash.write(documents, folder / name)
        assert relhash.read(folder / name).documents == tuple(documents)


@pytest.mark.parametrize(
    "token", [[None, 3, "TNF"], [0, None, "TNF"], [0, 3, None], [0, 3, "TNF", 7], [0, 3, "TNF", "", 7], [0, 3]]
)
def test_a_token_is_two_places_and_texts(tmp_path: Path, token: list) -> None:
    sentence = {"id": "s", "offsets": [[0, 3]], "tokens": [[0, 3, "TNF"]]}
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "d", "text": "TNF", "sentences": [sentence]}))
    assert relhash.read(tmp_path / "a.jsonl").documents[0].sentences[0].tokens == (Token(0, 3, "TNF"),)
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "d", "text": "TNF", "sentences": [sentence | {"tokens": [token]}]}))
    with pytest.raises(CorpusError, match=r"a token must be \[start, end, text\]"):
        relhash.read(tmp_path / "a.jsonl")


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


def test_schemes_may_differ_within_a_sentence(tmp_path: Path) -> None:
    arcs = (Dependency(0, 1, "nn", "craft"), Dependency(1, 0, "nsubj", "ud"))
    sentence = Sentence("s", 0, 3, (Token(0, 1, "a", "", "lemma"), Token(2, 3, "b", "NN")), arcs, "x")
    document = Document("d", "a b", sentences=(sentence,), candidates=())
    relhash.write([document], tmp_path / "a.jsonl")
    assert relhash.read(tmp_path / "a.jsonl").documents == (document,)


def test_a_misspelt_key_is_named_with_the_right_one(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id":"d1","text":"ab","entites":[]}\n')
    with pytest.warns(RelHashWarning, match=r"keys that are not known.*'entites' .did you mean 'entities'.*a\.jsonl:1"):
        assert relhash.read(tmp_path / "a.jsonl").documents == (Document("d1", "ab"),)


def test_the_keys_of_an_entity_are_named_if_none_is_near(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id":"d1","text":"ab","entities":[{"id":"T1","type":"protein","von":0,"bis":1}]}\n')
    with pytest.raises(CorpusError, match=r"'text' is missing \(in T1\); keys: .*offsets, .*type"):
        relhash.read(tmp_path / "a.jsonl")


def test_articles_of_pubmed_are_understood(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        '{"pmid": 123, "title": "TNF binds p53.", "abstract": "We show it.", "journal": "Cell"}\n{"text": "no id"}\n'
    )
    with pytest.warns(RelHashWarning, match="'journal' .fields of your own go under 'metadata'"):
        article, nameless = relhash.read(tmp_path / "a.jsonl")
    assert (article.id, article.text, article.metadata) == ("123", "TNF binds p53.\nWe show it.", {"pmid": "123"})
    assert [passage.type for passage in article.passages] == ["title", "abstract"]
    assert nameless == Document("a:2", "no id")


def test_a_mention_that_is_not_at_its_place_is_refused(tmp_path: Path) -> None:
    mention = '{"id": "T1", "type": "protein", "text": %s, "offsets": [[4, 9]]}'
    line = '{"id": "d", "text": "Ras binds Raf", "entities": [' + mention + "]}\n"
    (tmp_path / "a.jsonl").write_text(line % '"Mek"')
    with pytest.raises(CorpusError, match=r"jsonl:1: the mention should be 'Mek' but its offsets give 'binds'.*--lenient"):
        relhash.read(tmp_path / "a.jsonl")
    (tmp_path / "a.jsonl").write_text(line % '"bin ds"')
    assert relhash.read(tmp_path / "a.jsonl").documents[0].mentions[0].text == "bin ds", "white space does not count"


@pytest.mark.parametrize(
    ("text", "kept", "remark"), [("Ras", 1, "left out, it says the same"), ("Raf", 2, "the second got another id")]
)
def test_an_id_that_is_used_twice(tmp_path: Path, text: str, kept: int, remark: str) -> None:
    start = "Ras binds Raf".index(text)
    names = [{"id": "T1", "type": "p", "text": one, "offsets": [[at, at + 3]]} for one, at in (("Ras", 0), (text, start))]
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "d", "text": "Ras binds Raf", "entities": names}))
    with pytest.warns(RelHashWarning, match=remark):
        (document,) = relhash.read(tmp_path / "a.jsonl")
    assert [mention.text for mention in document.mentions] == ["Ras", text][:kept]
    assert len({mention.id for mention in document.mentions}) == kept
