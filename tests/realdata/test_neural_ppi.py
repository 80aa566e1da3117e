"""A network on real protein-interaction sentences, inside one corpus."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates import candidates
from relhash.corpus import read
from relhash.learn.classifier import document_folds
from relhash.learn.metrics import auc

pytest.importorskip("torch", reason="needs the extra neural")

from relhash.bench.rivals import BASELINES

pytestmark = pytest.mark.realdata


def test_a_network_learns_aimed_by_documents(data_root):
    pairs = list(candidates(read(data_root / "ppi" / "AIMed.xml")))
    y = np.array([candidate.is_positive for candidate in pairs])
    documents = np.array([candidate.document.id for candidate in pairs])
    train, test = document_folds(y, documents, 5)[0]
    estimator = BASELINES["CNN-Garg2019"].made(0).set_params(max_epochs=5)
    estimator.fit([pairs[row] for row in train], y[train])
    assert auc(y[test], estimator.predict_proba([pairs[row] for row in test])[:, 1]) > 0.7
