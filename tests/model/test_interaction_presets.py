"""Presets on interactions."""

from __future__ import annotations

import pytest

from relhash.candidates import PairPolicy
from relhash.candidates.statements import InteractionPolicy
from relhash.learn import NgramPart
from relhash.model.recipe import PRESETS, for_interactions, preset, to_recipe


def test_the_policy_decides_what_a_name_means():
    assert to_recipe("best", None) == to_recipe("best", PairPolicy()) == preset("best")
    assert to_recipe("best", InteractionPolicy()) == for_interactions(preset("best"))


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_a_form_for_interactions(name):
    changed = for_interactions(preset(name)).checked()
    assert changed.views[:2] == ("interaction", "path+edges")
    for part in changed.parts:
        if isinstance(part, NgramPart):
            assert "role(theme)" in part.views
