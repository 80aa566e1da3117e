"""What every baseline promises, whatever it computes with; a test class per kind inherits it and says how one is made."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest
from sklearn.base import clone

from relhash.bench.rivals.baseline import Baseline
from relhash.errors import ParameterError
from relhash.learn.metrics import auc
from tests.bench.rivals.toy_candidates import toy_interactions


class BaselineContract:
    """Mark the subclass with ``@pytest.mark.parametrize("name", …)``: the baselines that it is about."""

    tolerance: ClassVar[float] = 0.0
    """How far a score may depend on what it is computed together with."""
    quick: ClassVar[dict[str, Any]] = {}
    """Parameters for tests that need any fit, not a good one."""

    def made(self, name: str, seed: int = 0, **parameters: Any) -> Baseline:
        raise NotImplementedError

    def test_learns_a_separable_set_and_scores_rows_independently(self, name, toy):
        (train, y), (test, gold) = toy
        estimator = self.made(name).fit(train, y, target=test)
        scores = estimator.predict_proba(test)
        assert scores.shape == (60, 2)
        np.testing.assert_allclose(scores.sum(axis=1), 1.0)
        assert (scores >= 0).all()
        assert auc(gold, scores[:, 1]) > 0.95
        assert estimator.score(test, gold) > 0.9
        assert auc(estimator.held_out_labels_, estimator.held_out_scores_) > 0.9
        assert estimator.held_out_scores_.shape == estimator.held_out_labels_.shape
        assert estimator.classes_.tolist() == [False, True]
        # longest, shortest and a random few by themselves: no padding, no neighbour changes a score
        for few in ([3, 17, 30, 4], [0]):
            alone = estimator.predict_proba([test[row] for row in few])
            np.testing.assert_allclose(alone, scores[few], rtol=0, atol=self.tolerance)
        assert estimator.predict_proba([]).shape == (0, 2)

    def test_a_second_fit_and_more_threads_change_nothing(self, name, toy):
        (train, y), (test, _) = toy
        first = self.made(name, **self.quick).fit(train, y, target=test)
        again = clone(first).set_params(n_jobs=2).fit(train, y, target=test)
        np.testing.assert_array_equal(first.predict_proba(test), again.predict_proba(test))
        np.testing.assert_array_equal(first.held_out_scores_, again.held_out_scores_)

    def test_reads_interactions_with_trigger_and_roles(self, name):
        train, y = toy_interactions(45)
        test, gold = toy_interactions(20, seed=1)
        scores = self.made(name, **self.quick).fit(train, y, target=test).predict_proba(test)[:, 1]
        assert np.isfinite(scores).all()
        assert self.quick or auc(gold, scores) > 0.9

    def test_bad_labels_are_named(self, name, toy):
        (train, y), _ = toy
        with pytest.raises(ParameterError, match="both classes"):
            self.made(name).fit(train, np.ones(len(train)))
        with pytest.raises(ParameterError, match="89"):
            self.made(name).fit(train, y[:89])
