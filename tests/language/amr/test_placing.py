"""Where the text mentions the named entities of a graph."""

from __future__ import annotations

import pytest

from relhash.language.amr.documents import place_entities
from relhash.language.amr.graphs import parse_graph


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Mek1/2", "levels of Mek 1/2 fell", "Mek 1/2"),
        ("B-Raf", "a BRAF mutant", "BRAF"),
        ("γH2A.X", "of <i>γ</i>H2A.X foci", "γ</i>H2A.X"),
        ("p19(INK4D)", "induced p19( INK4D ) expression", "p19( INK4D"),
        ("ERK1/2", "levels of pERK1/2", "ERK1/2"),
    ],
)
def test_names_are_matched_across_spellings(name: str, text: str, found: str) -> None:
    (spans,) = place_entities(parse_graph(f'(p / protein :name (n / name :op1 "{name}"))', text=text)).values()
    ((start, end),) = spans
    assert text[start:end] == found


def test_a_name_is_not_found_by_chance_inside_a_word() -> None:
    assert place_entities(parse_graph('(p / protein :name (n / name :op1 "Ras"))', text="a crash")) == {0: ()}


def test_two_entities_of_one_name_take_two_places() -> None:
    graph = parse_graph(
        '(b / bind-01 :ARG0 (p / protein :name (n / name :op1 "Ras")) :ARG1 (q / protein :name (m / name :op1 "Ras")))',
        text="Ras binds Ras",
    )
    assert list(place_entities(graph).values()) == [((0, 3),), ((10, 13),)]
