from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ModelFileError, ParameterError
from relhash.learn import CLASSIFIERS, LinearClassifier, TaughtClassifier
from relhash.learn.classifier import read_classifier
from relhash.learn.taught import FittedTaught


@pytest.fixture
def taught() -> tuple[FittedTaught, np.ndarray]:
    X = np.random.default_rng(0).normal(size=(60, 3))
    before, own = (LinearClassifier().fit(X, X[:, column] > 0) for column in (0, 1))
    return FittedTaught(before, "linear", 0.1, 1.5, own, "linear", 0.7, 0.25), X


def test_score_is_the_weighed_vote_of_both(taught):
    fitted, X = taught
    votes = 0.25 * (fitted.before.log_odds(X) - 0.1) / 1.5 + 0.75 * fitted.own.log_odds(X) / 0.7
    np.testing.assert_allclose(fitted.scores(X), 1 / (1 + np.exp(-votes)))


def test_comes_back_from_arrays(taught):
    fitted, X = taught
    again = read_classifier(TaughtClassifier.kind, fitted.to_arrays())
    np.testing.assert_array_equal(again.scores(X), fitted.scores(X))
    assert CLASSIFIERS["taught"] is TaughtClassifier


@pytest.mark.parametrize("numbers", [[0.1, 0.0, 1.0, 0.5], [np.nan, 1.0, 1.0, 0.5], [0.0, 1.0, 1.0, 1.5], [1.0, 2.0]])
def test_damaged_arrays_are_refused(taught, numbers):
    arrays = taught[0].to_arrays() | {"numbers": np.array(numbers)}
    with pytest.raises(ModelFileError):
        read_classifier(TaughtClassifier.kind, arrays)


def test_it_cannot_be_fitted_like_others():
    with pytest.raises(ParameterError, match="--answers"):
        TaughtClassifier().fit(np.eye(2), [0, 1])
