"""From raw text to relations, as the results page reports it."""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.bench.benchmarks.raw_text import raw_text_figures

pytestmark = pytest.mark.realdata


def test_the_shipped_model_finds_enough_and_most_of_what_can_be_judged_is_right(data_root: Path) -> None:
    (figure,) = raw_text_figures(relhash.load("ppi"), data_root, ["HPRD50"])
    assert figure.related == 163
    assert figure.recall is not None
    assert figure.recall >= 0.55
    assert figure.accepted.precision is not None
    assert figure.accepted.precision >= 0.80
    assert sum(figure.lost.values()) == 163 - round(163 * figure.recall)
