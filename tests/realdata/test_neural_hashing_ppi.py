"""A hundred networks as hash functions on AIMed and BioInfer: in minutes, and bits that are worth something."""

from __future__ import annotations

import time

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score

from relhash.bench.datasets.dataset import Dataset, read_benchmark_corpus
from relhash.bench.protocols import AIMED, BIOINFER
from relhash.hashing import HashcodeLearner
from relhash.learn.classifier import document_folds
from relhash.model.recipe import preset

pytestmark = pytest.mark.realdata


def test_the_preset_learns_in_minutes(data_root):
    pytest.importorskip("torch", reason="needs the extra neural")
    dataset = Dataset([read_benchmark_corpus(data_root, name) for name in (AIMED, BIOINFER)])
    paths, is_train = dataset.structures(["path+edges"])["path+edges"], dataset.corpus == 0
    learner = HashcodeLearner(random_state=0, **preset("NLSH-NU-RF").learner)
    started = time.process_time()
    learner.fit(paths[is_train], target=paths[~is_train])
    assert len(learner.functions_) == 100
    assert time.process_time() - started < 120  # seconds of one core; 20 to 40 on a machine with nothing else to do
    bits = learner.transform(paths[is_train])
    y, scores = dataset.y[is_train], np.zeros(is_train.sum())
    for train, test in document_folds(y, dataset.documents[is_train], 3):  # labels of the training corpus alone
        forest = RandomForestClassifier(40, class_weight="balanced_subsample", min_samples_leaf=4, random_state=0)
        scores[test] = forest.fit(bits[train], y[train]).predict_proba(bits[test])[:, 1]
    assert roc_auc_score(y, scores) > 0.70
