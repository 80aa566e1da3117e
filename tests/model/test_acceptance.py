"""Why a relation with a low probability is accepted."""

from __future__ import annotations

import pytest

from relhash.model.judging import accepted_text, why_below_half


@pytest.mark.parametrize("strategy", ["fraction", "share:0.2", "prior", "top-k:10", "precision:0.8", "score:0.5", "fixed:0.3"])
def test_every_rule_has_its_reason_and_the_remedy(strategy):
    said = why_below_half(3, strategy)
    assert said.startswith("3 of them have a probability below 0.5: the threshold ")
    assert strategy not in said  # said in words
    assert "--threshold 0.5" in said
    assert "\n" not in said


def test_nothing_is_said_without_need():
    assert why_below_half(0, "fraction") == ""
    assert accepted_text(0, 12, None) == "0 relations (0% of 12 candidates)"
