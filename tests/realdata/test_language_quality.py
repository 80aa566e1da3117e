"""The shipped pipeline on parts of the held-out corpora: a change that breaks it shows here before the full benchmark."""

from __future__ import annotations

from itertools import islice

import pytest

from relhash.bench.datasets.language_gold import entity_sentences, split_articles, tree_paragraphs
from relhash.corpus.unified_xml import read_unified_xml
from relhash.language import Pipeline
from tests.tools.loading import load

language = load("language", "benchmarks")
parse_scores, entity_scores = language.parse_scores, language.entity_scores
pytestmark = pytest.mark.realdata


def test_attachment_on_a_held_out_article(data_root):
    *_, held_out = split_articles(data_root / "treebank" / "craft")
    scores = parse_scores(Pipeline(entities="none"), list(tree_paragraphs(held_out[0])))
    assert scores.unlabelled_attachment > 0.85
    assert scores.labelled_attachment > 0.82
    assert scores.tags > 0.94
    assert scores.sentences > 0.85


@pytest.mark.parametrize(("corpus", "bar"), [("BC2GM-IOB", 0.55), ("BC5CDR-IOB", 0.75)])
def test_entities_of_test_sentences(data_root, corpus, bar):
    """Names end as in NLM-Gene; BC2GM marks the phrase around them, so its bar is low (benchmarks/results/raw-text)."""
    sentences = list(islice(entity_sentences(data_root / "ner" / corpus / "test.tsv"), 600))
    assert entity_scores(Pipeline(), sentences)["all"].f1 > bar


def test_paths_agree_with_another_parser(data_root):
    documents = list(islice(read_unified_xml(data_root / "ppi" / "HPRD50.xml"), 30))
    ours = language.reparsed(documents, Pipeline(reparse=True, blind=True))
    assert language.path_agreement(documents, ours).same_words > 0.3
