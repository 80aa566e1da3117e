"""Figures by relation type, next to scikit-learn's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from relhash.errors import ParameterError
from relhash.learn.metrics import NONE, Score, typed_metrics

TYPES = ("bind", "inhibit", "express")
ONE = st.sampled_from([*TYPES, None])
PAIRS = st.lists(st.tuples(ONE, ONE), min_size=1, max_size=40)


@given(PAIRS)
def test_figures_are_those_of_scikit_learn(pairs):
    gold, predicted = zip(*pairs, strict=True)
    found = typed_metrics([[] if one is None else [one] for one in gold], predicted)
    known = [name for name in TYPES if name in found.by_type]
    as_text = [[str(one) for one in side] for side in (gold, predicted)]
    if known:
        expected = precision_recall_fscore_support(*as_text, labels=known, zero_division=0)
        for place, name in enumerate(known):
            score = found.by_type[name]
            assert (score.precision, score.recall, score.f1) == pytest.approx([figures[place] for figures in expected[:3]])
        micro = precision_recall_fscore_support(*as_text, labels=known, average="micro", zero_division=0)
        assert (found.micro.precision, found.micro.recall, found.micro.f1) == pytest.approx(micro[:3])
    there = [name for name in TYPES if name in gold]
    if there:
        macro = precision_recall_fscore_support(*as_text, labels=there, average="macro", zero_division=0)
        assert (found.macro.precision, found.macro.recall, found.macro.f1) == pytest.approx(macro[:3])
    assert sum(sum(row.values()) for row in found.confusion.values()) == len(pairs)


def test_confusion_and_several_gold_types():
    found = typed_metrics([["bind", "inhibit"], ["bind"], []], ["bind", "inhibit", None])
    assert found.confusion == {"bind": {"bind": 1, "inhibit": 1}, "inhibit": {NONE: 1}, NONE: {NONE: 1}}
    assert (found.by_type["inhibit"].gold, found.by_type["inhibit"].found, found.by_type["inhibit"].right) == (1, 1, 0)


def test_lists_of_different_length_are_refused():
    with pytest.raises(ParameterError, match="1 gold labels but 0"):
        typed_metrics([[]], [])


@pytest.mark.parametrize(
    ("counts", "figures"),
    [((0, 0, 0), (0.0, 0.0, 0.0)), ((4, 0, 0), (0.0, 0.0, 0.0)), ((0, 4, 0), (0.0, 0.0, 0.0)), ((4, 2, 1), (0.5, 0.25, 1 / 3))],
)
def test_where_there_is_nothing_the_figures_are_0(counts: tuple[int, int, int], figures: tuple[float, float, float]) -> None:
    score = Score.of(*counts)
    assert (score.precision, score.recall, score.f1) == pytest.approx(figures)
