"""Which kinds of content a document has, in the words of the formats."""

from __future__ import annotations

import pytest

from relhash.corpus import Argument, Attribute, CandidatePair, Document, Mention, Passage, Relation, Sentence, Token
from relhash.corpus.document import contents
from relhash.corpus.formats import all_formats

MENTIONS = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((4, 7),), "Raf"))
PARTS = {
    "sentences": {"sentences": (Sentence("s", 0, 7),)},
    "unrelated mentions": {"mentions": MENTIONS},
    "candidate pairs": {"candidates": ()},
    "attributes": {"attributes": (Attribute("A", "Negation", "T1"),)},
    "equivalences": {"equivalences": (("T1", "T2"),)},
    "passages": {"passages": (Passage("title", 0, 7),)},
    "metadata": {"metadata": {"year": "2019"}},
    "relations between ids": {"concept_relations": (Relation("R", "x", (Argument("e1", "1"), Argument("e2", "2"))),)},
}


@pytest.mark.parametrize(("part", "fields"), PARTS.items(), ids=PARTS.keys())
def test_each_part_by_itself(part: str, fields: dict[str, object]) -> None:
    assert contents(Document("d", "Ras Raf", **fields)) == {part}


def test_a_bare_text_has_none() -> None:
    assert contents(Document("d", "Ras Raf")) == frozenset()


def test_tokens_count_as_a_parse() -> None:
    sentence = Sentence("s", 0, 7, (Token(0, 3, "Ras"),))
    assert contents(Document("d", "Ras Raf", (sentence,))) == {"sentences", "parses"}


def test_mentions_in_relations_or_candidates_are_not_unrelated() -> None:
    relation = Relation("R", "binds", (Argument("e1", "T1"), Argument("e2", "T2")))
    assert contents(Document("d", "Ras Raf", mentions=MENTIONS, relations=(relation,))) == frozenset()
    pair = CandidatePair("P", "T1", "T2")
    assert contents(Document("d", "Ras Raf", mentions=MENTIONS, candidates=(pair,))) == {"candidate pairs"}


def test_formats_leave_out_only_what_has_a_name_here() -> None:
    known = {*PARTS, "parses"}
    for format in all_formats():
        assert set(format.leaves_out) <= known, format.name
