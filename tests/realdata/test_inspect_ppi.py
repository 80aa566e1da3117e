"""Counts of the interaction corpora, as published by those who parsed them."""

from __future__ import annotations

import pytest

from relhash.candidates.inspection import inspect_corpus
from relhash.candidates.shared_sentences import shared_sentences
from relhash.corpus import stream
from relhash.corpus.conllu import detect_scheme
from relhash.language.schemes import collapse

pytestmark = pytest.mark.realdata

COUNTS = {
    "AIMed": (225, 1955, 4236, 0, 1000, 4834, {"path": 5525, "shared_token": 305, "disconnected": 4}),
    "BioInfer": (836, 1100, 4421, 122, 2534, 7132, {"path": 9428, "shared_token": 238, "disconnected": 0}),
    "HPRD50": (43, 145, 405, 0, 163, 270, {"path": 426, "shared_token": 7, "disconnected": 0}),
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts_and_coverage(data_root, name):
    found = inspect_corpus(stream(data_root / "ppi" / f"{name}.xml"))
    counts = (found.documents, found.sentences, found.mentions, found.discontinuous_mentions, found.positive, found.negative)
    assert (*counts, found.coverage) == COUNTS[name]
    assert found.sentences_with_parses == found.sentences


def test_what_aimed_and_bioinfer_share(data_root):
    found = shared_sentences(stream(data_root / "ppi/AIMed.xml"), stream(data_root / "ppi/BioInfer.xml"))
    assert (found.shared_sentences, found.common_pairs, found.opposite_labels) == (5, 37, 4)
    # a blank that one corpus lacks shifts the offsets of five more pairs
    assert found.common_pairs_by_name == 42


def test_one_treebank_in_two_schemes_collapses_to_one_graph(data_root):
    ud = [s for d in stream(data_root / "treebank/genia/dev.conllu", "conllu", scheme="ud") for s in d.sentences]
    basic = [
        s
        for d in stream(data_root / "treebank/genia/dev.conllu.stanford", "conllu", scheme="stanford-basic")
        for s in d.sentences
    ]
    ud_labels, basic_labels = ([arc.label for s in sentences for arc in s.dependencies] for sentences in (ud, basic))
    assert (detect_scheme(ud_labels), detect_scheme(basic_labels)) == ("ud", "stanford-basic")
    graphs = [
        [{(arc.head, arc.dependent, arc.label) for arc in collapse(sentence).dependencies} for sentence in sentences]
        for sentences in (ud, basic)
    ]
    common = sum(len(a & b) for a, b in zip(*graphs, strict=True))
    total = sum(len(graph) for side in graphs for graph in side)
    assert 2 * common / total > 0.98
