"""Votes of classifiers on parts of the features."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ParameterError
from relhash.learning import CommitteeClassifier, ForestClassifier, LinearClassifier, Member
from relhash.learning.metrics import auc

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
    committee = CommitteeClassifier((Member(LinearClassifier(), ["nearest"]), Member(LinearClassifier(), ["ngrams"])))
    with pytest.raises(ParameterError, match="feature parts ngrams"):
        committee.check(("nearest",))
    with pytest.raises(ParameterError, match="feature parts ngrams"):
        committee.fit(*data, columns={"nearest": slice(0, 12)})


def test_members_are_scaled_even_if_positives_come_late():
    """With few labels the first half of the rows may hold one class; the spread is then taken on every second row."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 2))
    y = np.arange(24) >= 18
    X[y] += 2
    committee = CommitteeClassifier((Member(LinearClassifier(1e-4), ["first"]), Member(LinearClassifier(10.0), ["second"])))
    first, second = committee.fit(X, y, columns=TWO).members
    assert first.scale < 0.1 < second.scale  # a timid member is heard all the same


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
