"""Graphs that come beside a corpus are put on its sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from relhash.corpus import Document, Mention
from relhash.errors import CorpusError, StructureError
from relhash.language.amr.collection import GraphCollection
from relhash.language.amr.graphs import parse_graph
from tests.language.amr_samples import GRAPHS


def text_document() -> Document:
    text = "Ras binds  Raf é.\nMEK phosphorylates ERK. We saw RSK."
    names = ["Ras", "Raf", "MEK", "ERK", "RSK"]
    mentions = [
        Mention(f"T{n}", "Protein", ((text.index(name), text.index(name) + 3),), name) for n, name in enumerate(names, 1)
    ]
    return Document("d", text, mentions=tuple(mentions))


def test_graphs_beside_a_corpus_are_put_on_its_sentences(tmp_path: Path) -> None:
    (tmp_path / "amr" / "part").mkdir(parents=True)
    (tmp_path / "amr" / "part" / "graphs.txt").write_text(GRAPHS, encoding="utf-8")
    graphs = GraphCollection.read(tmp_path / "amr")
    assert len(graphs) == 2
    document = graphs.on(text_document())
    assert [(document.text[s.start : s.end], s.is_parsed) for s in document.sentences] == [
        ("Ras binds  Raf é.", True),
        ("MEK phosphorylates ERK.", True),
        ("We saw RSK.", False),
    ]
    assert [token.text for token in document.sentences[1].tokens] == ["enzyme", "phosphorylate", "enzyme"]
    assert document.mentions == text_document().mentions


def test_a_sentence_with_candidates_and_no_graph_is_named(tmp_path: Path) -> None:
    (tmp_path / "graphs.txt").write_text(GRAPHS.partition("# ::id a.2")[0], encoding="utf-8")
    with pytest.raises(
        StructureError, match=r"graphs\.txt: no graph for the sentence 'MEK phosphorylates ERK\.' of document 'd'"
    ):
        GraphCollection.read(tmp_path / "graphs.txt").on(text_document())


def test_a_folder_of_graphs_that_is_not_there_or_empty(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(CorpusError, match="AMR graphs"):
            GraphCollection.read(path)


def test_alignments_hold_where_only_blanks_differ() -> None:
    """``# ::tok`` has blanks around signs, the corpus has not."""
    graph = parse_graph('# ::tok Ras ( active ) binds\n(b / bind-01~e.4 :ARG0 (p / protein :name (n / name :op1 "Ras"~e.0)))')
    document = GraphCollection([graph]).on(Document("d", "Then: Ras (active) binds"))
    tokens = {token.text: document.text[token.start : token.end] for token in document.sentences[-1].tokens}
    assert tokens == {"bind": "binds", "protein": "Ras"}


def test_a_text_without_entities_has_those_of_its_graphs(tmp_path: Path) -> None:
    (tmp_path / "graphs.txt").write_text(GRAPHS, encoding="utf-8")
    given = text_document()
    document = GraphCollection.read(tmp_path / "graphs.txt").on(Document("d", given.text))
    assert [mention.text for mention in document.entities] == ["Ras", "Raf", "MEK", "ERK"]
    assert all(document.text[mention.start : mention.end] == mention.text for mention in document.entities)
