"""A document that contradicts itself is refused, and the error names the element."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.corpus import Argument, Attribute, CandidatePair, Dependency, Document, Mention, Relation, Sentence, Token
from relhash.corpus.consistency import check_document
from relhash.errors import CorpusError

TEXT = "Ras binds Raf."
RAS, RAF = Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf")
PAIR = (Argument("e1", "T1"), Argument("e2", "T2"))
TOKENS = (Token(0, 3, "Ras"), Token(4, 9, "binds"), Token(10, 13, "Raf"))
SOUND = Document(
    "d",
    TEXT,
    (Sentence("s", 0, 14, TOKENS, (Dependency(1, 0, "nsubj"), Dependency(1, 2, "dobj"))),),
    (RAS, RAF),
    (Relation("R1", "binds", PAIR), Relation("R2", "causes", (Argument("Theme", "R1"),), trigger="T1")),
    (CandidatePair("P1", "T1", "T2"),),
    (Attribute("A1", "Negation", "R1"),),
    (("T1", "T2"),),
)


def test_a_sound_document_passes() -> None:
    check_document(SOUND)
    assert SOUND.check() is SOUND


BROKEN = {
    "a mention twice": ({"mentions": (RAS, RAF, RAS)}, "T1", "mention id 'T1' is used twice"),
    "a relation twice": ({"relations": SOUND.relations[:1] * 2}, "R1", "relation id 'R1' is used twice"),
    "a sentence twice": ({"sentences": (Sentence("s", 0, 3), Sentence("s", 4, 9))}, "s", "sentence id 's' is used twice"),
    "a mention without offsets": ({"mentions": (RAS, replace(RAF, spans=()))}, "T2", "without offsets"),
    "a mention beyond the text": ({"mentions": (RAS, replace(RAF, spans=((10, 15),)))}, "T2", "outside the text"),
    "an empty mention": ({"mentions": (RAS, replace(RAF, spans=((10, 10),)))}, "T2", "outside the text"),
    "spans out of order": ({"mentions": (RAS, replace(RAF, spans=((10, 13), (4, 9))))}, "T2", "in order"),
    "spans that overlap": ({"mentions": (RAS, replace(RAF, spans=((4, 9), (8, 13))))}, "T2", "in order"),
    "a sentence beyond the text": ({"sentences": (Sentence("s", 0, 15),)}, "s", "outside the text"),
    "a token outside its sentence": ({"sentences": (Sentence("s", 0, 9, TOKENS),)}, "s", "'Raf' lies outside its sentence"),
    "an arc to no token": (
        {"sentences": (Sentence("s", 0, 14, TOKENS, (Dependency(1, 3, "dobj"),)),)}, "s", "'dobj' refers to a token",
    ),
    "an argument of nothing": ({"relations": (Relation("R1", "x", (Argument("e1", "T9"),)),)}, "R1", "'T9', which does not"),
    "a trigger of nothing": ({"relations": (Relation("R1", "x", PAIR, trigger="T9"),)}, "R1", "trigger 'T9'"),
    "a relation as trigger": ({"relations": (Relation("R1", "x", PAIR, trigger="R1"),)}, "R1", "trigger 'R1'"),
    "a candidate of nothing": ({"candidates": (CandidatePair("P1", "T1", "T9"),)}, "P1", "'T9', which does not"),
    "an attribute of nothing": ({"attributes": (Attribute("A1", "Negation", "T9"),)}, "A1", "'T9', which does not"),
    "an equivalence of nothing": ({"equivalences": (("T1", "T9"),)}, "d", "'T9', which does not"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "where", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_contradictions_are_named(changes: dict[str, object], where: str, message: str) -> None:
    bare = replace(SOUND, relations=(), candidates=None, attributes=(), equivalences=())
    with pytest.raises(CorpusError, match=message) as caught:
        check_document(replace(bare, **changes), path="a.xml")
    assert (caught.value.where, caught.value.path) == (where, "a.xml")
