"""One contract that every classifier keeps, and what is particular to each."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist

from relhash.errors import ModelFileError, ParameterError
from relhash.learning.classifier import (
    CLASSIFIERS,
    ForestClassifier,
    HammingNeighbours,
    LinearClassifier,
    classifier_from_arrays,
)
from relhash.learning.committee import CommitteeClassifier
from relhash.learning.decision import Head, HeadSettings, committee
from relhash.learning.folds import choose, document_folds, out_of_fold
from relhash.learning.metrics import auc

MAKERS = {
    "forest": lambda: ForestClassifier(20, random_state=0),
    "linear": LinearClassifier,
    "neighbours": HammingNeighbours,
    "committee": lambda: CommitteeClassifier(
        [(LinearClassifier(), [slice(0, 4), slice(8, 12)]), (ForestClassifier(20, random_state=0), [slice(0, 2)])]
    ),
}


@pytest.fixture(scope="module")
def data():
    """Feature 0 and 1 agree with the label nine times of ten; the rest is noise."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    X = rng.integers(0, 2, (300, 12)).astype(np.uint8)
    X[:, :2] = np.where(rng.uniform(size=(300, 2)) < 0.9, y[:, None], 1 - y[:, None])
    return X, y


@pytest.mark.parametrize("kind", MAKERS)
class TestContract:
    def test_learns_and_scores_in_the_unit_interval(self, kind, data):
        X, y = data
        scores = MAKERS[kind]().fit(X[:200], y[:200]).scores(X[200:])
        assert auc(y[200:], scores) > 0.85
        assert ((scores >= 0) & (scores <= 1)).all()

    def test_stored_and_back_is_bit_identical(self, kind, data):
        X, y = data
        classifier = MAKERS[kind]().fit(X, y)
        again = classifier_from_arrays(classifier.kind, classifier.to_arrays())
        np.testing.assert_array_equal(again.scores(X), classifier.scores(X))

    def test_rows_do_not_depend_on_each_other(self, kind, data):
        X, y = data
        classifier = MAKERS[kind]().fit(X, y)
        np.testing.assert_array_equal(classifier.scores(X)[:5], classifier.scores(X[:5]))
        np.testing.assert_array_equal(classifier.scores(X)[::-1], classifier.scores(X[::-1]))

    def test_sparse_equals_dense(self, kind, data):
        X, y = data
        classifier = MAKERS[kind]().fit(X, y)
        np.testing.assert_array_equal(classifier.scores(sparse.csr_matrix(X)), classifier.scores(X))

    def test_weights_count(self, kind, data):
        """All weight on examples whose label is turned round turns the scores round."""
        X, y = data
        Xs, ys = np.concatenate([X, X]), np.concatenate([y, 1 - y])
        weights = np.repeat([1e-3, 1.0], y.size)
        assert auc(y, MAKERS[kind]().fit(Xs, ys, weights).scores(X)) < 0.3

    def test_one_class_is_refused(self, kind, data):
        with pytest.raises(ParameterError, match="both"):
            MAKERS[kind]().fit(data[0], np.ones(300))

    def test_wrong_number_of_features_is_refused(self, kind, data):
        classifier = MAKERS[kind]().fit(*data)
        with pytest.raises(ParameterError, match="12"):
            classifier.scores(data[0][:, :-1])

    def test_missing_arrays_are_refused(self, kind, data):
        arrays = MAKERS[kind]().fit(*data).to_arrays()
        for name in arrays:
            with pytest.raises(ModelFileError):
                classifier_from_arrays(kind, {key: array for key, array in arrays.items() if key != name})


def test_every_classifier_is_under_the_contract():
    assert set(MAKERS) == set(CLASSIFIERS)
    with pytest.raises(ModelFileError, match="unknown"):
        classifier_from_arrays("oracle", {})


def test_linear_equals_scikit_learn(data):
    from sklearn.linear_model import LogisticRegression

    X, y = data
    expected = LogisticRegression(C=0.2, class_weight="balanced", tol=1e-8).fit(X, y).predict_proba(X)[:, 1]
    np.testing.assert_allclose(LinearClassifier(0.2).fit(X, y).scores(X), expected, atol=1e-3)


def test_neighbours_equal_a_plain_search(data):
    X, y = data
    train, test = X[:200, :8], X[200:, :8]
    scores = HammingNeighbours(5).fit(train, y[:200]).scores(test)
    distances = cdist(test, train, "cityblock")
    for row, distance in enumerate(distances):
        near = distance <= np.sort(distance)[4]
        assert scores[row] == pytest.approx(y[:200][near].mean())


def test_neighbours_do_not_depend_on_the_order_of_training(data):
    X, y = data
    order = np.random.default_rng(3).permutation(300)
    np.testing.assert_allclose(
        HammingNeighbours(3).fit(X, y).scores(X), HammingNeighbours(3).fit(X[order], y[order]).scores(X), atol=1e-12
    )


def test_forest_is_the_same_for_any_number_of_jobs(data):
    one, two = (ForestClassifier(10, random_state=4, n_jobs=jobs).fit(*data).scores(data[0]) for jobs in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_folds_hold_out_whole_documents():
    rng = np.random.default_rng(0)
    documents = np.repeat(np.arange(40), 5)
    folds = document_folds(rng.integers(0, 2, 200), documents)
    assert len(folds) == 5
    for train, test in folds:
        assert not set(documents[train]) & set(documents[test])
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(200))


def test_folds_of_one_document_and_of_few_labels():
    assert len(document_folds([0, 1] * 10, ["same"] * 20)) == 5
    assert len(document_folds([0] * 20 + [1, 1], range(22))) == 2
    assert document_folds([0] * 20 + [1], range(21)) == []


def test_out_of_fold_scores_have_not_seen_the_document(data):
    """Labels at random: a model that has seen a candidate would score it well, out of fold it cannot."""
    rng = np.random.default_rng(0)
    X = np.eye(300)
    y = rng.integers(0, 2, 300)
    folds = document_folds(y, np.arange(300) // 3)
    assert auc(y, LinearClassifier(10.0).fit(X, y).scores(X)) > 0.95
    assert 0.3 < auc(y, out_of_fold(lambda: LinearClassifier(10.0), X, y, folds)) < 0.7


def test_choice_takes_the_better_classifier(data):
    X, y = data
    makers = {"noise": lambda: HammingNeighbours(300), "good": lambda: LinearClassifier(0.2)}
    choice = choose(makers, X, y, np.arange(300))
    assert choice.name == "good"
    assert choice.table["good"]["auc"] == pytest.approx(auc(y, choice.out_of_fold))


def test_a_committee_is_not_drowned_by_its_loudest_member():
    """One member is sure and wrong (noise, hardly regularised), the other modest and right: both have an equal voice."""
    rng = np.random.default_rng(1)
    y = np.tile([0, 1], 100)
    signal = y[:, None] + rng.normal(0, 0.3, (200, 1))
    noise = rng.normal(size=(200, 60))
    X = np.hstack([signal, noise])
    modest, loud = [slice(0, 1)], [slice(1, 61)]
    train, test = slice(0, 120), slice(120, 200)
    loudest = LinearClassifier(C=1e4).fit(X[train, 1:], y[train])
    quiet = LinearClassifier(C=1e-2).fit(X[train, :1], y[train])
    plain_sum = loudest.decision(X[test, 1:]) + quiet.decision(X[test, :1])
    members = [(LinearClassifier(C=1e4), loud), (LinearClassifier(C=1e-2), modest)]
    scores = CommitteeClassifier(members).fit(X[train], y[train]).scores(X[test])
    assert auc(y[test], scores) > auc(y[test], plain_sum) + 0.1


def test_a_committee_says_which_part_it_misses(data):
    spec = committee({"parts": ["nearest"], "kind": "linear"}, {"parts": ["ngrams"], "kind": "linear"})
    with pytest.raises(ParameterError, match="feature parts ngrams"):
        Head.fit(HeadSettings((spec,)), *data, np.arange(300) // 3, blocks={"nearest": slice(0, 12)})


def test_members_are_scaled_even_if_positives_come_late():
    """With few labels the first half of the rows may hold one class; the spread is then taken on every second row."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 2))
    y = np.arange(24) >= 18
    X[y] += 2
    members = [(LinearClassifier(C=1e-4), [slice(0, 1)]), (LinearClassifier(C=10.0), [slice(1, 2)])]
    fitted = CommitteeClassifier(members).fit(X, y)
    assert fitted.scales_[0] < 0.1 < fitted.scales_[1]  # a timid member is heard all the same


def test_a_vote_counts_as_its_weight_says():
    X, y = np.array([[0.0, 1], [1, 0], [1, 1], [0, 0]] * 6), np.array([0, 1, 1, 0] * 6)

    def score(weights):
        members = [(LinearClassifier(C=10.0), [slice(0, 1)]), (LinearClassifier(C=1e-3), [slice(1, 2)])]
        return CommitteeClassifier(members, weights).fit(X, y).scores(X)[1]

    assert score([5, 1]) > score([1, 1]) > score([1, 5])
    with pytest.raises(ParameterError, match="positive weight"):
        score([1, 0])
