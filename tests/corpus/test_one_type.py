"""All relations under one name."""

from __future__ import annotations

from relhash.corpus import Argument, Attribute, Document, Relation
from relhash.corpus.document import with_one_type

ENDS = (Argument("e1", "T1"), Argument("e2", "T2"))


def test_relations_that_others_refer_to_stay() -> None:
    document = Document(
        "d",
        "",
        relations=(Relation("R1", "binds", ENDS), Relation("R2", "inhibits", ENDS), Relation("R3", "cuts", ENDS)),
        attributes=(Attribute("A1", "Negation", "R2"),),
    )
    (one,) = with_one_type([document], "interaction")
    assert [(relation.id, relation.type) for relation in one.relations] == [("R1", "interaction"), ("R2", "interaction")]
    assert one.attributes == document.attributes
