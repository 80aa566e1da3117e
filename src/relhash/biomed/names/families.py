"""Which genes belong to a family or complex, by database ids: RELA to NF-kappaB, MAPK1 to ERK (FamPlex)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from relhash.resources import resource_path


def is_part(ids: Iterable[str], of: Iterable[str]) -> bool:
    """Whether one of ``ids`` belongs to one of the families or complexes ``of``.

    >>> is_part(["HGNC:9955"], ["FPLX:NFkappaB"]), is_part(["FPLX:NFkappaB"], ["HGNC:9955"])     # RELA
    (True, False)
    """
    members, given = shipped_members(), set(ids)
    return any(not given.isdisjoint(members.get(family, ())) for family in of)


@cache
def shipped_members() -> Mapping[str, frozenset[str]]:
    """Id of each family or complex → ids of what belongs to it, through any number of steps."""
    lines = (resource_path("lexicon") / "members.tsv").read_text(encoding="utf-8").splitlines()
    return {family: frozenset(members) for family, *members in (line.split("\t") for line in lines)}
