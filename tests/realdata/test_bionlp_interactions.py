"""GENIA events as interactions: what the mapping keeps, and what trigger words learned on one part know on another."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

import relhash
from relhash.bench.datasets.bionlp import development_documents, interaction_coverage, training_documents
from relhash.bench.datasets.prepared import read_subsets
from relhash.candidates.statements import InteractionPolicy, TriggerLexicon
from relhash.language.sentences import split_sentences

pytestmark = pytest.mark.realdata


def test_mapping_and_its_coverage(data_root: Path) -> None:
    train, test = training_documents(data_root), development_documents(data_root)
    given = sum(len(relhash.read(data_root / "bionlp" / year / "train")) for year in ("2009", "2011", "2013"))
    print(f"{given} training documents, {len(train)} distinct and not tested; {len(test)} test documents")
    assert len(train) < given
    assert len({document.id for document in train}) == len(train)
    lexicon = TriggerLexicon.learn(train)
    print(f"{len(lexicon)} trigger stems of {len(lexicon.types)} types")
    for name, documents in (("train", train), ("test", test)):
        counts = interaction_coverage(map(split_sentences, documents), InteractionPolicy(lexicon))
        print(name, asdict(counts))
        assert 0.1 < counts.mapped_events / counts.events < 0.6
        assert counts.in_one_sentence / counts.interactions > 0.8
        assert counts.known_trigger / counts.in_one_sentence > 0.7


def test_pubmed45_subsets(data_root: Path) -> None:
    subsets = read_subsets(data_root / "pubmed45" / "subsets.json")
    assert len(subsets) == 11
    assert len({paper for subset in subsets for paper in subset}) == 47
