"""Gold text for the language pipeline: treebank paragraphs, IOB sentences, the split of the articles."""

from __future__ import annotations

import pytest

from relhash.bench.datasets.language_gold import entity_sentences, joined, split_articles
from relhash.corpus.document import Dependency, Token
from relhash.errors import CorpusError, DataMissingError


def test_paragraphs_of_a_treebank(gold):
    first, second = (document.check() for document in gold)
    assert first.text == "Ras binds Raf. It works."
    assert second.text == "Methods"
    assert [[token.text for token in sentence.tokens] for sentence in first.sentences] == [
        ["Ras", "binds", "Raf", "."],
        ["It", "works", "."],
    ]
    assert first.sentences[1].dependencies == (Dependency(1, 0, "nsubj", "craft"), Dependency(1, 2, "punct", "craft"))
    assert first.sentences[0].tokens[1] == Token(4, 9, "binds", "VBZ", "bind")


def test_iob_sentences(tmp_path):
    path = tmp_path / "test.tsv"
    path.write_text(
        "-DOCSTART-\tO\n\nIL\tB-GENE\n-\tI-GENE\n4\tI-GENE\nbinds\tO\nIL\tB-GENE\nRas\tB-GENE\n.\tO\n\nAspirin\tB-Chemical\n",
        encoding="utf-8",
    )
    first, second = (document.check() for document in entity_sentences(path))
    assert first.text == "IL-4 binds IL Ras."
    assert [(mention.text, mention.type) for mention in first.mentions] == [
        ("IL-4", "protein"),
        ("IL", "protein"),
        ("Ras", "protein"),
    ]
    assert second.mentions[0].type == "chemical"
    path.write_text("IL B-GENE\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"test\.tsv:1: no tab"):
        list(entity_sentences(path))


def test_typography():
    assert joined(["a", "(", "b", ")", "/", "c", ":", "3", "%"])[0] == "a (b)/c: 3%"


def test_articles_are_split_the_same_way_everywhere(tmp_path):
    for number in range(30):
        (tmp_path / f"{number:02}.conllu").touch()
    parts = split_articles(tmp_path)
    assert [len(part) for part in parts] == [10, 5, 15]
    assert len(set().union(*parts)) == 30
    assert parts == split_articles(tmp_path)
    with pytest.raises(DataMissingError, match="RELHASH_DATA"):
        split_articles(tmp_path / "nowhere")
