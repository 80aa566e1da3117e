"""Headings of entities in many spellings."""

from __future__ import annotations

import pytest

from relhash.corpus.tables.columns import EntityHeading, entity_heading, plain_heading


@pytest.mark.parametrize(
    ("heading", "number", "part", "type"),
    [
        ("entity_1", 1, "", ""), ("e1", 1, "", ""), ("E2_START", 2, "start", ""), ("gene1", 1, "", "gene"),
        ("gene 2", 2, "", "gene"), ("protein A", 1, "", "protein"), ("proteinB", 2, "", "protein"),
        ("Proteína 2", 2, "", "protein"), ("First protein", 1, "", "protein"), ("Gen B", 2, "", "gene"),
        ("gene id 1", 1, "ids", "gene"), ("type2", 2, "type", ""), ("ids1", 1, "ids", ""), ("mention1", 1, "", ""),
        ("e1_mention", 1, "mention", ""), ("Interactor B", 2, "", ""), ("drug", 0, "", "drug"), ("Krankheit", 0, "", "disease"),
        ("target", 0, "", ""),
    ],
)  # fmt: skip
def test_entities(heading: str, number: int, part: str, type: str) -> None:
    found = entity_heading(heading)
    assert isinstance(found, EntityHeading)
    assert (found.number, found.part, found.type) == (number, part, type)


@pytest.mark.parametrize("heading", ["", "gene expression", "entity", "comment", "e3", "text 1", "start", "a", "1"])
def test_what_is_no_entity(heading: str) -> None:
    assert entity_heading(heading) is None


def test_plain() -> None:
    assert [plain_heading(heading) for heading in ("Interaction?", "is_relation", "RELACIÓN:")] == [
        "interaction", "isrelation", "relacion",
    ]  # fmt: skip
