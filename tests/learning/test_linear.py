"""Logistic regression against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ModelFileError
from relhash.learning import LinearClassifier


def test_linear_equals_scikit_learn(data):
    from sklearn.linear_model import LogisticRegression

    X, y = data
    expected = LogisticRegression(C=0.2, class_weight="balanced", tol=1e-8).fit(X, y).predict_proba(X)[:, 1]
    np.testing.assert_allclose(LinearClassifier(0.2).fit(X, y).scores(X), expected, atol=1e-3)


def test_weights_that_are_no_numbers_are_refused(data):
    arrays = LinearClassifier().fit(*data).to_arrays()
    with pytest.raises(ModelFileError, match="not a number"):
        LinearClassifier.read({**arrays, "weights": arrays["weights"] * np.nan})
