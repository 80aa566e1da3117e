"""Which mentions are one entity."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.show.facts.merging import entity_key, normalised


@pytest.mark.parametrize("names", [("NF-κB", "NF-kappaB", "nf kappa b"), ("IL-2", "il 2"), ("TNFα", "TNF-Α", "TNF-alpha")])
def test_spellings_of_one_name(names):
    assert len({normalised(name) for name in names}) == 1


def test_names_that_differ_stay_apart():
    assert len({normalised(name) for name in ("IL-2", "IL-12", "p50", "p55", "STAT", "STAT1", "+", "-")}) == 8


@given(st.text(min_size=1), st.text(min_size=1))
def test_an_entity_with_an_id_is_never_one_without(name, identifier):
    assert entity_key(name, "protein", [identifier]) != entity_key(name, "protein", [])
    assert entity_key(identifier, "id", []) != entity_key(name, "protein", [identifier])


def test_ids_and_types_tell_names_apart():
    assert entity_key("p40", "protein", ["HGNC:1"]) != entity_key("p40", "protein", ["HGNC:2"])
    assert entity_key("p40", "protein", ["A", "B"]) == entity_key("p41", "gene", ["B", "A"])
    assert entity_key("p40", "protein", ["A", "B"]) != entity_key("p40", "protein", ["A"])
    assert entity_key("insulin", "chemical", []) != entity_key("insulin", "protein", [])
