"""No text takes time out of proportion: four times the text may take ten times as long (it takes four), never sixteen."""

from __future__ import annotations

import pytest
from benchmarks.hostile_text import KINDS, seconds

from relhash.model import FittedModel

FLOOR = 0.2
"""Seconds of processor time that say nothing."""


@pytest.fixture(scope="module")
def model() -> FittedModel:
    loaded = FittedModel.load("ppi", cache=False, n_jobs=1)
    seconds(loaded, "RAF1 binds MEK1.")
    return loaded


@pytest.mark.parametrize("kind", KINDS)
def test_time_grows_with_the_length_not_with_its_square(model, kind):
    short, long = (seconds(model, KINDS[kind](size)) for size in (500, 2000))
    assert long < 10 * max(short, FLOOR / 4), f"{short:.2f} s, then {long:.2f} s"


def test_400_names_of_a_sentence_cost_at_most_ten_times_40(model):
    few, many = ("We found " + ", ".join(f"IL-{n}" for n in range(1, count + 1)) + " in cells." for count in (40, 400))
    assert seconds(model, many) < 10 * max(seconds(model, few), FLOOR / 4)
