"""Logistic regression against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ModelFileError
from relhash.learn import LinearClassifier


def test_linear_equals_scikit_learn(data):
    from sklearn.linear_model import LogisticRegression

    X, y = data
    expected = LogisticRegression(C=0.2, class_weight="balanced", tol=1e-8).fit(X, y).predict_proba(X)[:, 1]
    np.testing.assert_allclose(LinearClassifier(0.2).fit(X, y).scores(X), expected, atol=1e-3)


def test_weights_that_are_no_numbers_are_refused(data):
    arrays = LinearClassifier().fit(*data).to_arrays()
    with pytest.raises(ModelFileError, match="not a number"):
        LinearClassifier.read({**arrays, "weights": arrays["weights"] * np.nan})


@pytest.mark.parametrize("balanced", [True, False])
def test_rows_without_any_feature_have_the_share_of_the_labels(balanced):
    """scikit-learn refuses a table without columns, with a traceback."""
    y = [1, 0, 0, 0]
    scores = LinearClassifier(balanced=balanced).fit(np.zeros((4, 3)), y).scores(np.zeros((4, 3)))
    np.testing.assert_allclose(scores, 0.5 if balanced else 0.25)
