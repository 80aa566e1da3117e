"""From parsed JSON to a document: what is wrong is named."""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.corpus import Dependency, Document, Sentence, Token
from relhash.errors import CorpusError


def test_schemes_may_differ_within_a_sentence(tmp_path: Path) -> None:
    arcs = (Dependency(0, 1, "nn", "craft"), Dependency(1, 0, "nsubj", "ud"))
    sentence = Sentence("s", 0, 3, (Token(0, 1, "a", "", "lemma"), Token(2, 3, "b", "NN")), arcs, "x")
    document = Document("d", "a b", sentences=(sentence,), candidates=())
    relhash.write([document], tmp_path / "a.jsonl")
    assert relhash.read(tmp_path / "a.jsonl").documents == (document,)


def test_a_misspelt_key_is_named_with_the_right_one(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id":"d1","text":"ab","entites":[]}\n')
    with pytest.raises(CorpusError, match=r"a\.jsonl:1: a document has no key 'entites' .*did you mean 'entities'"):
        relhash.read(tmp_path / "a.jsonl")


def test_the_keys_of_an_entity_are_named_if_none_is_near(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id":"d1","text":"ab","entities":[{"id":"T1","type":"protein","von":0,"bis":1}]}\n')
    with pytest.raises(CorpusError, match=r"an entity has no key 'bis' \(in T1\); it may have .*offsets, .*type"):
        relhash.read(tmp_path / "a.jsonl")


def test_a_mention_that_is_not_at_its_place_is_refused(tmp_path: Path) -> None:
    mention = '{"id": "T1", "type": "protein", "text": %s, "offsets": [[4, 9]]}'
    line = '{"id": "d", "text": "Ras binds Raf", "entities": [' + mention + "]}\n"
    (tmp_path / "a.jsonl").write_text(line % '"Mek"')
    with pytest.raises(CorpusError, match=r"jsonl:1: the mention should be 'Mek' but its offsets give 'binds'.*--lenient"):
        relhash.read(tmp_path / "a.jsonl")
    (tmp_path / "a.jsonl").write_text(line % '"bin ds"')
    assert relhash.read(tmp_path / "a.jsonl").documents[0].mentions[0].text == "bin ds", "white space does not count"
