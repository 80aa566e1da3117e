"""Votes of classifiers on parts of the features."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.codec import pack_strings
from relhash.errors import ModelFileError, ParameterError
from relhash.learn import CommitteeClassifier, ForestClassifier, LinearClassifier, Member
from relhash.learn.classifier import Classifier, choose, document_folds, out_of_fold
from relhash.learn.metrics import auc

TWO = {"first": slice(0, 1), "second": slice(1, 2)}


def test_a_committee_is_not_drowned_by_its_loudest_member():
    """One member is sure and wrong (noise, hardly regularised), the other modest and right: both have an equal voice."""
    rng = np.random.default_rng(1)
    y = np.tile([0, 1], 100)
    signal = y[:, None] + rng.normal(0, 0.3, (200, 1))
    noise = rng.normal(size=(200, 60))
    X = np.hstack([signal, noise])
    train, test = slice(0, 120), slice(120, 200)
    loudest = LinearClassifier(C=1e4).fit(X[train, 1:], y[train])
    quiet = LinearClassifier(C=1e-2).fit(X[train, :1], y[train])
    plain_sum = loudest.log_odds(X[test, 1:]) + quiet.log_odds(X[test, :1])
    committee = CommitteeClassifier((Member(LinearClassifier(1e4), ["loud"]), Member(LinearClassifier(1e-2), ["modest"])))
    scores = committee.fit(X[train], y[train], columns={"modest": slice(0, 1), "loud": slice(1, 61)}).scores(X[test])
    assert auc(y[test], scores) > auc(y[test], plain_sum) + 0.1


def test_a_committee_says_which_part_it_misses(data):
    committee = CommitteeClassifier((Member(LinearClassifier(), ["bits"]), Member(LinearClassifier(), ["ngrams"])))
    with pytest.raises(ParameterError, match="feature parts ngrams"):
        committee.check(("bits",))
    with pytest.raises(ParameterError, match="feature parts ngrams"):
        committee.fit(*data, columns={"bits": slice(0, 12)})


def test_members_are_scaled_even_if_positives_come_late():
    """With few labels the first half of the rows may hold one class; the spread is then taken on every second row."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 2))
    y = np.arange(24) >= 18
    X[y] += 2
    committee = CommitteeClassifier((Member(LinearClassifier(1e-4), ["first"]), Member(LinearClassifier(10.0), ["second"])))
    first, second = committee.fit(X, y, columns=TWO).members
    assert first.scale < 0.1 < second.scale  # a timid member is heard all the same
    seen = np.sort(np.concatenate([np.flatnonzero(y)[::2], np.flatnonzero(~y)[::2]]))
    unseen = np.setdiff1d(np.arange(24), seen)
    votes = LinearClassifier(10.0).fit(X[seen, 1:], y[seen]).log_odds(X[unseen, 1:])
    assert second.scale == pytest.approx(votes.std())


def test_one_label_of_each_class_leaves_no_row_to_scale_on():
    """Seen on the page of questions: the scale was NaN, and with it every probability after the fifth answer."""
    committee = CommitteeClassifier((Member(LinearClassifier(1.0), ["first"]), Member(LinearClassifier(1.0), ["second"])))
    fitted = committee.fit(np.array([[0.0, 1.0], [1.0, 0.0]]), [0, 1], columns=TWO)
    assert [member.scale for member in fitted.members] == [1.0, 1.0]
    assert np.isfinite(fitted.scores(np.eye(2))).all()


def test_a_vote_counts_as_its_weight_says():
    X, y = np.array([[0.0, 1], [1, 0], [1, 1], [0, 0]] * 6), np.array([0, 1, 1, 0] * 6)

    def score(first, second):
        members = (Member(LinearClassifier(10.0), ["first"], first), Member(LinearClassifier(1e-3), ["second"], second))
        return CommitteeClassifier(members).fit(X, y, columns=TWO).scores(X)[1]

    assert score(5, 1) > score(1, 1) > score(1, 5)
    with pytest.raises(ParameterError, match="must be positive"):
        score(1, 0)
    with pytest.raises(ParameterError, match="at least one"):
        CommitteeClassifier(())


def test_a_scale_is_the_spread_on_rows_that_a_member_was_not_fitted_on():
    """A forest knows its own rows by heart, so its log-odds are far apart there and close together elsewhere."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 12)), np.arange(200) % 2
    forest = ForestClassifier(30)
    (member,) = CommitteeClassifier((Member(forest, ["all"]),)).fit(X, y, columns={"all": slice(0, 12)}).members
    own = float(np.std(forest.fit(X, y).log_odds(X)))
    unseen = float(np.std(forest.fit(X[:100], y[:100]).log_odds(X[100:])))
    assert member.scale == pytest.approx(unseen, rel=0.05)
    assert own > 1.5 * member.scale


def test_folds_tell_the_scales_of_all_members():
    """The spread of the votes out of fold, and no further fit: what the folds scored is what the members vote with."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    X = y[:, None] + rng.normal(size=(120, 4))
    columns = {"one": slice(0, 1), "three": slice(1, 4)}
    trees = ForestClassifier(15, random_cuts=True)
    committee = CommitteeClassifier((Member(trees, ("three",), 2), Member(LinearClassifier(1.0), ("one",))))
    documents = np.arange(120) // 4
    choice = choose([committee], X, y, documents, n_folds=3, columns=columns)
    folds = document_folds(y, documents, 3)
    own = [np.zeros(120), np.zeros(120)]
    for train, test in folds:
        own[0][test] = trees.fit(X[train, 1:], y[train]).log_odds(X[test, 1:])
        own[1][test] = LinearClassifier(1.0).fit(X[train, :1], y[train]).log_odds(X[test, :1])
    scales = [float(votes.std()) for votes in own]
    assert [member.scale for member in choice.classifier.members] == scales
    assert [member.scale for member in choice.classifier.fit(X, y, columns=columns).members] == scales
    votes = (2 * own[0] / scales[0] + own[1] / scales[1]) / 3
    assert choice.out_of_fold == pytest.approx(1 / (1 + np.exp(-votes)))
    assert choice.table[str(committee)]["auc"] == auc(y, choice.out_of_fold)  # scales do not change its name
    assert Classifier.from_dict(choice.classifier.to_dict()) == choice.classifier
    assert "scale" not in committee.to_dict()["members"][0]


def test_held_out_votes_have_not_seen_their_documents():
    """Labels at random: whoever has seen a row would know its label."""
    rng = np.random.default_rng(0)
    X, y = np.eye(200), rng.integers(0, 2, 200)
    committee = CommitteeClassifier((Member(LinearClassifier(10.0), ["a"]), Member(LinearClassifier(1.0), ["b"])))
    columns = {"a": slice(0, 200), "b": slice(100, 200)}
    _, scores = committee.held_out(X, y, document_folds(y, np.arange(200) // 2), columns=columns)
    assert auc(y, committee.fit(X, y, columns=columns).scores(X)) > 0.95
    assert 0.3 < auc(y, scores) < 0.7


def test_without_folds_there_is_nothing_to_learn_from_them(data):
    X, y = data
    committee = CommitteeClassifier((Member(LinearClassifier(), ["all"]),))
    same, scores = committee.held_out(X, y, [], columns={"all": slice(0, 12)})
    assert same is committee
    assert scores == pytest.approx(np.full(y.size, y.mean()))
    assert out_of_fold(committee, X, y, [], columns={"all": slice(0, 12)}) == pytest.approx(scores)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scales": np.array([0.0, 1.0])}, "not positive"),
        ({"weights": np.array([1.0])}, "do not fit together"),
        ({"weights": np.array([1.0, np.inf])}, "not positive"),
        ({"kinds": pack_strings([])}, "do not fit together"),
        ({"1.columns": np.array([[0, 3]])}, "not ranges of the features"),
        ({"1.columns": np.array([0, 1, 2])}, "do not fit together"),
    ],
)
def test_damaged_arrays_are_refused(change, message):
    X, y = np.array([[0.0, 1], [1, 0], [1, 1], [0, 0]] * 6), np.array([0, 1, 1, 0] * 6)
    committee = CommitteeClassifier((Member(LinearClassifier(), ["first"]), Member(LinearClassifier(), ["second"])))
    arrays = committee.fit(X, y, columns=TWO).to_arrays()
    assert len(CommitteeClassifier.read(arrays).members) == 2
    with pytest.raises(ModelFileError, match=message):
        CommitteeClassifier.read(arrays | change)
