"""No text takes time out of proportion: four times the text may take ten times as long (it takes four), never sixteen."""

from __future__ import annotations

import json

import pytest
from benchmarks.hostile_text import KINDS, row, seconds

from relhash.model import FittedModel
from tests.test_docs import ROOT, text_of

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


def test_the_page_has_the_measured_times():
    results = ROOT / "benchmarks" / "results"
    measured, page = json.loads(text_of(results / "hostile_text.json"))["kinds"], text_of(results / "attacks.md").splitlines()
    assert list(measured) == list(KINDS)
    assert [kind for kind, own in measured.items() if row(kind, own, (10**3, 10**4, 10**5, 10**6, 10**7)) not in page] == []
