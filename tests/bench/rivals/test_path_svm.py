"""Support vector machines on paths: equal paths merged, large training sets thinned."""

from __future__ import annotations

import numpy as np

from relhash.bench.rivals import BASELINES
from relhash.learn.metrics import auc


def test_equal_points_with_weights_are_the_same_machine_as_copies():
    """Merging candidates with the same path must not change the machine: compare with the plain one on all copies."""
    from sklearn.svm import SVC

    from relhash.bench.rivals.path_svm import _Machine

    rng = np.random.default_rng(0)
    points = rng.normal(size=(12, 3))
    shape_of = rng.integers(0, 12, 80)
    y = (points[shape_of, 0] + 0.7 * rng.normal(size=80)) > 0
    gram = (points @ points.T).astype(np.float32)
    merged = _Machine(0.5).fit(gram, shape_of, y)
    plain = SVC(C=0.5, kernel="precomputed", class_weight="balanced", tol=1e-6).fit(gram[np.ix_(shape_of, shape_of)], y)
    expected = 1 / (1 + np.exp(-2 * plain.decision_function(gram[:, shape_of])))
    np.testing.assert_allclose(merged.scores(gram[:, merged.support]), expected, atol=2e-3)


def test_a_large_training_set_is_thinned_for_the_machine_only(toy, monkeypatch):
    (train, y), (test, gold) = toy
    estimator = BASELINES["SVM-Tikk2010"].made()
    monkeypatch.setattr(type(estimator), "max_points", 40)
    estimator.fit(train, y)
    assert estimator.held_out_scores_.shape == y.shape
    assert auc(y, estimator.held_out_scores_) > 0.9
    assert auc(gold, estimator.predict_proba(test)[:, 1]) > 0.95
    assert len(estimator.points_) <= 40
