"""One classifier per source of labels."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.codec import pack_strings
from relhash.errors import ModelFileError, ParameterError
from relhash.learn import LinearClassifier, MixtureClassifier
from relhash.learn.decision import Decision, DecisionSettings
from relhash.learn.metrics import auc


def two_sources(n=400, seed=0):
    """Both agree on the first column; the second means a relation in the large source, and the opposite in the small one."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    sources = np.where(np.arange(n) < 0.9 * n, "large", "small")
    sign = np.where(sources == "large", 1.0, -1.0)
    y = X[:, 0] + 1.5 * sign * X[:, 1] + rng.normal(0, 0.5, n) > 0
    return X, y, sources


def test_what_sources_have_in_common_is_kept():
    X, y, sources = two_sources()
    new = np.random.default_rng(9).normal(size=(500, 2))
    gold = new[:, 0] > 0  # what both mean
    pooled = LinearClassifier(1.0).fit(X, y)
    mixed = MixtureClassifier(LinearClassifier(1.0)).fit(X, y, sources=sources)
    assert auc(gold, mixed.scores(new)) > auc(gold, pooled.scores(new)) + 0.1


def test_a_weight_makes_a_source_louder():
    X, y, sources = two_sources()
    quiet = MixtureClassifier(LinearClassifier(1.0), [("small", 0.1)]).fit(X, y, sources=sources)
    large = sources == "large"
    even = MixtureClassifier(LinearClassifier(1.0)).fit(X, y, sources=sources)
    assert auc(y[large], quiet.scores(X[large])) > auc(y[large], even.scores(X[large]))
    with pytest.raises(ParameterError, match="positive"):
        MixtureClassifier(LinearClassifier(), [("small", 0.0)])


def test_folds_keep_rows_and_sources_together():
    X, y, sources = two_sources()
    settings = DecisionSettings((MixtureClassifier(LinearClassifier(1.0)),), n_folds=3)
    decision = Decision.fit(settings, X, y, np.arange(y.size), sources=sources)
    assert {one.name for one in decision.classifier.members} == {"large", "small"}
    assert decision.out_of_fold.shape == y.shape


def test_a_source_of_one_class_is_left_out():
    X, y, sources = two_sources()
    y = y & (sources == "large")
    fitted = MixtureClassifier(LinearClassifier(1.0)).fit(X, y, sources=sources)
    assert [one.name for one in fitted.members] == ["large"]


NOBODY = {"names": pack_strings([]), "kinds": pack_strings([]), "scales": np.empty(0), "weights": np.empty(0)}


@pytest.mark.parametrize(
    "change",
    [{"scales": np.array([0.0, 1.0])}, {"weights": np.ones(1)}, {"names": None}, {"kinds": pack_strings(["linear"])}, NOBODY],
)
def test_damaged_arrays_are_refused(change):
    X, y, sources = two_sources()
    arrays = {**MixtureClassifier(LinearClassifier()).fit(X, y, sources=sources).to_arrays(), **change}
    with pytest.raises(ModelFileError):
        MixtureClassifier.read({name: array for name, array in arrays.items() if array is not None})
