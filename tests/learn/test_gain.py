"""What labels have gained, told on the labels themselves."""

from __future__ import annotations

import numpy as np
from scipy import special

from relhash.model.estimates import Gain

Y = np.arange(60) % 3 == 0
DOCUMENTS = np.arange(60) // 2


def test_a_gain_is_clear_where_it_is_and_not_where_it_is_not():
    rng = np.random.default_rng(0)
    before = np.where(Y, 0.3, -0.3) + rng.normal(size=60)
    better = Gain.of(Y, before, np.where(Y, 2.0, -2.0), DOCUMENTS)
    same = Gain.of(Y, before, before + 1e-9 * rng.normal(size=60), DOCUMENTS)
    assert better.right.is_clear
    assert better.auc.after == 1.0
    assert better.auc.low > 0
    assert not same.right.is_clear
    assert same.right.after == same.right.before


def test_no_labels_gain_nothing_for_certain():
    none = np.zeros(0)
    gained = Gain.of(Y[:0], none, none, DOCUMENTS[:0], with_half=none)
    assert not gained.right.is_clear


def test_it_is_said_in_words_and_whoever_needs_no_labels_is_told_so():
    before = np.where(Y, 2.0, -2.0)
    same = Gain.of(Y, before, before, DOCUMENTS, with_half=before)
    p, accepted = np.full(500, 0.5), np.zeros(500, bool)
    alike, others = ((p, accepted), (p, accepted)), ((p, accepted), (p, np.arange(500) < 100))
    lines = same.lines("ppi", alike)
    assert "your labels agree with ppi" in lines[-1]
    assert "40 labels more: +0 ± 0 points" in lines[1]
    assert "agree" not in " ".join(same.lines("ppi", others))
    better = Gain.of(Y, -before, before, DOCUMENTS, with_half=-before)
    assert "agree" not in " ".join(better.lines("ppi", alike))
    assert "0% right with ppi, 100% with the labels" in better.lines("ppi")[0]


def test_labels_of_one_kind_have_no_order():
    gain = Gain.of(np.ones(5, bool), np.zeros(5), np.ones(5), np.arange(5))
    assert gain.auc is None
    assert gain.right.after == 1.0


def test_each_model_is_right_or_wrong_at_its_own_cut() -> None:
    votes = special.logit(np.where(Y, 0.45, 0.2))
    gain = Gain.of(Y, votes, votes, DOCUMENTS, cuts=(0.5, 0.4))
    assert gain.right.before == np.mean(~Y)  # nothing reaches .5
    assert gain.right.after == 1.0
