"""Simpler names of the same thing, and what must not be simplified away."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.biomed.names.senses import Only, variants


def names(name, kind="protein"):
    return [found for found, _ in variants(name, kind)]


@pytest.mark.parametrize(
    ("name", "simpler"),
    [
        ("recombinant human IL-2", "IL-2"),
        ("IL-2 gene", "IL-2"),
        ("phospho-STAT3", "STAT3"),
        ("hIL-10", "IL-10"),
        ("transcription factor CREB", "CREB"),
        ("death domain protein TRADD", "TRADD"),
        ("calmodulin (CaM)", "calmodulin"),
        ("tumor necrosis factor (TNF)-alpha", "tumor necrosis factor-alpha"),
        ("p59fyn", "fyn"),
        ("beta-casein", "casein beta"),
        ("p65 subunit of NF-kappaB", "p65"),
        ("MMPs", "MMP"),
        ("IL-2 receptor", "IL-2R"),
        ("IKKa", "IKK-alpha"),
        ("RXR alpha", "RXRa"),
    ],
)
def test_what_may_be_left_out(name, simpler):
    assert simpler in names(name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("anti-CD3", "CD3"),
        ("IL-2 receptor", "IL-2"),
        ("IL-2 promoter", "IL-2"),
        ("PKCalpha siRNA", "PKCalpha"),
        ("v-abl", "abl"),
    ],
)
def test_what_is_something_else(name, other):
    assert other not in names(name)


def test_conditions_stay_with_all_that_follows():
    found = dict(variants("NF-kappaB family proteins", "protein"))
    assert found["NF-kappaB"] is Only.GROUPS
    assert dict(variants("JAK2 kinase", "protein"))["JAK2"] is Only.KINASES


@given(st.text(max_size=40), st.sampled_from(["protein", "chemical", "disease"]))
def test_any_text_has_few_and_different_variants(name, kind):
    found = names(name, kind)
    assert len(found) == len(set(found)) <= 48
