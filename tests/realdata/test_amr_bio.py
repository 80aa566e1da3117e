"""The Bio AMR corpus, with its alignments and without."""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.candidates import build_structures, candidates
from relhash.corpus import Document
from relhash.language.amr.collection import GraphCollection
from relhash.language.amr.documents import amr_document, place_entities
from relhash.language.amr.graphs import read_graphs

pytestmark = pytest.mark.realdata


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("alignment-release-dev-bio.txt", 0.95),
        ("alignment-release-test-bio.txt", 0.95),
        ("amr-release-dev-bio.txt", 0.90),
        ("amr-release-test-bio.txt", 0.93),
    ],
)
def test_all_graphs_go_through_and_mentions_align(data_root: Path, name: str, least: float) -> None:
    graphs = list(read_graphs(data_root / "amr" / name))
    assert len(graphs) == 500
    found = [bool(spans) for graph in graphs for spans in place_entities(graph).values()]
    share = sum(found) / len(found)
    print(f"{name}: {share:.3f} of {len(found)} named entities have a place in the text")
    assert share >= least
    documents = [amr_document(graph) for graph in graphs]
    assert [document.text for document in relhash.read(data_root / "amr" / name)] == [document.text for document in documents]
    structures = build_structures(candidates(documents), ["path+edges", "between", "descriptors"])
    assert len(structures) > 3000
    flagged = sum(sequence[1] in ("<SHARED>", "<DISCONNECTED>") for sequence in structures["path+edges"])
    print(f"{name}: {len(structures)} pairs, {flagged} without a path")
    assert flagged < 0.03 * len(structures)


def test_graphs_are_put_on_running_text(data_root: Path) -> None:
    """Sentences of several graphs as one document, blanks changed: every graph finds its place, alignments included."""
    graphs = list(read_graphs(data_root / "amr" / "alignment-release-dev-bio.txt"))[:100]
    distinct = {"".join(graph.text.split()): graph for graph in graphs}
    text = "  ".join(" ".join(graph.text.split()) for graph in distinct.values())
    document = GraphCollection(graphs).on(Document("d", text))
    assert len(document.sentences) == len(distinct)
    for sentence, graph in zip(document.sentences, distinct.values(), strict=True):
        expected = amr_document(graph).sentences[0]
        assert [token.text for token in sentence.tokens] == [token.text for token in expected.tokens]
        assert sentence.dependencies == expected.dependencies
