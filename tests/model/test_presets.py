"""Systems as data."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from relhash.errors import ParameterError
from relhash.learn import NgramPart, to_parts
from relhash.model import PRESETS, Recipe, preset


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_complete_and_comes_back_from_json(name):
    one = preset(name).checked()
    assert one.summary
    assert one.all_views
    again = Recipe.from_dict(json.loads(json.dumps(one.to_dict())))
    assert (again.parts, again.decision) == (tuple(one.parts), one.decision)


def test_names_that_do_not_exist():
    assert preset("KLSH-NU-RF").paper_f1 == {"A→B": 0.57, "B→A": 0.57}
    with pytest.raises(ParameterError, match="KLSH-NU-RF"):
        preset("KLSH")


def test_parts_are_named_once():
    with pytest.raises(ParameterError, match="at least one"):
        Recipe("", parts=())
    with pytest.raises(ParameterError, match="twice"):
        Recipe("", parts=to_parts("ngrams", NgramPart(["between"])))


def test_views_are_those_of_the_functions_and_of_the_parts_each_once():
    one = Recipe("", views=("between", "path"), parts=to_parts("bits", NgramPart(["path", "window(1,1)"]), "descriptors"))
    assert one.all_views == ("between", "path", "window(1,1)", "descriptors")
    assert replace(one, parts=to_parts("descriptors")).all_views == ("descriptors",)
