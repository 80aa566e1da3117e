"""Which mentions are one entity."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.show.facts.merging import Entity, normalised


@pytest.mark.parametrize("names", [("NF-κB", "NF-kappaB", "nf kappa b"), ("IL-2", "il 2"), ("TNFα", "TNF-Α", "TNF-alpha")])
def test_spellings_of_one_name(names):
    assert len({normalised(name) for name in names}) == 1


def test_names_that_differ_stay_apart():
    assert len({normalised(name) for name in ("IL-2", "IL-12", "p50", "p55", "STAT", "STAT1", "+", "-")}) == 8


@given(st.text(min_size=1), st.text(min_size=1))
def test_an_entity_with_an_id_is_never_one_without(name, identifier):
    assert Entity.of(name, "protein", [identifier]).key != Entity.of(name, "protein", []).key
    assert Entity.of(identifier, "id", []).key != Entity.of(name, "protein", [identifier]).key


def test_ids_and_types_tell_names_apart():
    assert Entity.of("p40", "protein", ["HGNC:1"]).key != Entity.of("p40", "protein", ["HGNC:2"]).key
    assert Entity.of("p40", "protein", ["A", "B"]).key == Entity.of("p41", "gene", ["B", "A"]).key
    assert Entity.of("p40", "protein", ["A", "B"]).key != Entity.of("p40", "protein", ["A"]).key
    assert Entity.of("insulin", "chemical", []).key != Entity.of("insulin", "protein", []).key
