"""One contract that every classifier keeps."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from scipy import sparse

from relhash.errors import ModelFileError, ParameterError
from relhash.learn import (
    CLASSIFIERS,
    BoostedClassifier,
    CommitteeClassifier,
    ForestClassifier,
    LinearClassifier,
    Member,
    MixtureClassifier,
    NeighbourClassifier,
)
from relhash.learn.classifier import Classifier, both_classes, read_classifier, to_classifier
from relhash.learn.metrics import auc

COLUMNS = {"bits": slice(0, 4), "ngrams": slice(8, 12), "few": slice(0, 2)}
CASES = {
    "boosted": BoostedClassifier(60),
    "forest": ForestClassifier(20),
    "linear": LinearClassifier(),
    "neighbours": NeighbourClassifier(),
    "mixture": MixtureClassifier(LinearClassifier(), weights=[("nero", 0.5)]),
    "committee": CommitteeClassifier(
        (Member(LinearClassifier(), ("bits", "ngrams")), Member(ForestClassifier(20), ("few",), weight=2.0))
    ),
}


@pytest.mark.parametrize("kind", CASES)
class TestContract:
    @pytest.fixture
    def fitted(self, kind, data):
        return CASES[kind].fit(*data, columns=COLUMNS)

    def test_learns_and_scores_in_the_unit_interval(self, kind, data):
        X, y = data
        scores = CASES[kind].fit(X[:200], y[:200], columns=COLUMNS).scores(X[200:])
        assert auc(y[200:], scores) > 0.85
        assert ((scores >= 0) & (scores <= 1)).all()

    def test_log_odds_rank_as_scores_do(self, kind, fitted, data):
        scores, log_odds = fitted.scores(data[0]), fitted.log_odds(data[0])
        assert np.isfinite(log_odds).all()
        order = np.argsort(scores, kind="stable")
        assert (np.diff(log_odds[order]) >= -1e-9).all()

    def test_stored_and_back_is_bit_identical(self, kind, fitted, data):
        again = read_classifier(kind, fitted.to_arrays())
        np.testing.assert_array_equal(again.scores(data[0]), fitted.scores(data[0]))

    def test_settings_come_back_from_json(self, kind, data):
        assert Classifier.from_dict(json.loads(json.dumps(CASES[kind].to_dict()))) == CASES[kind]

    def test_rows_do_not_depend_on_each_other(self, kind, fitted, data):
        X, _ = data
        np.testing.assert_array_equal(fitted.scores(X)[:5], fitted.scores(X[:5]))
        np.testing.assert_array_equal(fitted.scores(X)[::-1], fitted.scores(X[::-1]))

    def test_sparse_equals_dense(self, kind, fitted, data):
        np.testing.assert_array_equal(fitted.scores(sparse.csr_matrix(data[0])), fitted.scores(data[0]))

    @pytest.mark.parametrize(("label", "name"), [(0, "negative"), (1, "positive")])
    def test_one_class_is_refused(self, kind, data, label, name):
        with pytest.raises(ParameterError, match=f"all 300 labelled candidates are {name}: .* both"):
            CASES[kind].fit(data[0], np.full(300, label), columns=COLUMNS)

    def test_wrong_number_of_features_is_refused(self, kind, fitted, data):
        with pytest.raises(ParameterError, match="12"):
            fitted.scores(data[0][:, :-1])

    def test_missing_arrays_are_refused(self, kind, fitted):
        arrays = fitted.to_arrays()
        for name in arrays:
            with pytest.raises(ModelFileError):
                read_classifier(kind, {key: array for key, array in arrays.items() if key != name})

    def test_it_can_be_fitted_on_its_parts(self, kind, data):
        CASES[kind].check(tuple(COLUMNS))


def test_every_classifier_is_under_the_contract():
    assert set(CASES) == set(CLASSIFIERS) - {"correction"}  # made from a prior and labels: tests/learn/test_correction.py
    with pytest.raises(ModelFileError, match="oracle"):
        read_classifier("oracle", {})


def test_one_example_of_each_class_is_enough_and_fewer_are_not():
    assert both_classes([True, False, False]).tolist() == [1, 0, 0]
    assert both_classes([True, True, False]).tolist() == [1, 1, 0]
    for label, kind in ((True, "positive"), (False, "negative")):
        with pytest.raises(ParameterError, match=f"all 3 labelled candidates are {kind}"):
            both_classes([label] * 3)


def test_a_name_stands_for_the_usual_settings():
    assert to_classifier("forest") == ForestClassifier()
    assert to_classifier(LinearClassifier(3.0)) == LinearClassifier(3.0)
    with pytest.raises(ParameterError, match="committee has no usual settings"):
        to_classifier("committee")
    with pytest.raises(ParameterError, match=r"there are .*forest, "):
        to_classifier("oracle")


def test_an_estimator_of_another_library_is_refused_with_a_way_out():
    from sklearn.svm import SVC

    with pytest.raises(ParameterError, match=r"SVC is not a classifier of RelHash.*register"):
        to_classifier(SVC())


def test_a_classifier_that_a_file_could_not_bring_back_is_refused():
    @dataclass(frozen=True)
    class Twin(LinearClassifier):
        kind: ClassVar[str] = "twin"

    with pytest.raises(ParameterError, match=r"CLASSIFIERS\.register\('twin', Twin\)"):
        Twin().check(("bits",))
    with pytest.raises(ParameterError, match="Twin"):
        CommitteeClassifier((Member(Twin(), ("bits",)),)).check(("bits",))


def test_unusual_settings_are_shown():
    assert str(ForestClassifier(100)) == "forest"
    assert str(replace(ForestClassifier(), n_trees=5, balanced=True)) == "forest n_trees=5 balanced=True"
