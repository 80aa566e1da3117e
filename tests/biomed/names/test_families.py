"""Families and complexes, and what belongs to them."""

from __future__ import annotations

from relhash.biomed.names.spelling import is_part, shipped_members


def test_members_through_several_steps():
    assert "FPLX:NFkappaB_2" in shipped_members()["FPLX:NFkappaB"]
    assert is_part(["HGNC:9955"], ["FPLX:NFkappaB"])
    assert is_part(["MESH:1", "HGNC:9955"], ["FPLX:unknown", "FPLX:NFkappaB"])


def test_nothing_is_a_part_of_itself_or_of_something_unknown():
    assert not is_part(["FPLX:NFkappaB"], ["FPLX:NFkappaB"])
    assert not is_part(["HGNC:9955"], ["FPLX:unknown"])
    assert not is_part([], ["FPLX:NFkappaB"])
    assert not any(family in members for family, members in shipped_members().items())
