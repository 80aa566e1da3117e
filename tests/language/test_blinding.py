"""Which runs of tokens become one placeholder."""

from __future__ import annotations

import pytest

from relhash.corpus.document import Mention
from relhash.language.words import blinded_groups, placeholder

SPANS = [(0, 3), (4, 8), (8, 9), (9, 15), (16, 21)]


def mention(*spans: tuple[int, int], type: str = "protein", trigger: bool = False) -> Mention:
    return Mention("T", type, spans, "", is_trigger=trigger)


CASES = {
    "one token": ([mention((4, 8))], [(1, 2, "PROT")]),
    "several tokens": ([mention((4, 15))], [(1, 4, "PROT")]),
    "two mentions": ([mention((9, 15)), mention((0, 3), type="chemical")], [(0, 1, "CHEM"), (3, 4, "PROT")]),
    "of nested ones the longest": ([mention((4, 8)), mention((4, 15), type="disease")], [(1, 4, "DISEASE")]),
    "of overlapping ones of one length the left one": ([mention((8, 15)), mention((4, 9))], [(1, 3, "PROT")]),
    "a mention that cuts a token": ([mention((4, 7))], []),
    "a trigger": ([mention((4, 8), trigger=True)], []),
    "a discontinuous one": ([mention((0, 3), (9, 15))], []),
    "none": ([], []),
}


@pytest.mark.parametrize(("mentions", "expected"), CASES.values(), ids=CASES.keys())
def test_runs(mentions: list[Mention], expected: list[tuple[int, int, str]]) -> None:
    assert blinded_groups(SPANS, mentions) == expected


def test_other_types_are_proteins_to_a_parser() -> None:
    assert [placeholder(kind) for kind in ("protein", "chemical", "cell")] == ["PROT", "CHEM", "PROT"]
