"""A sentence prepared for its candidates."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.candidates.scene import Stage, _prepared
from relhash.corpus import CandidatePair, Dependency, Document, Mention, Sentence, Token
from relhash.errors import StructureError
from tests.candidates.shown_views import BINDS, show


def test_listed_pairs_may_lie_in_different_sentences():
    text = "Ras acts . It binds Raf ."
    first = Sentence("s0", 0, 10, (Token(0, 3, "Ras"), Token(4, 8, "acts"), Token(9, 10, ".")), (Dependency(1, 0, "nsubj"),))
    words = (Token(11, 13, "It"), Token(14, 19, "binds"), Token(20, 23, "Raf"), Token(24, 25, "."))
    second = Sentence("s1", 11, 25, words, (Dependency(1, 2, "dobj"),))
    mentions = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((20, 23),), "Raf"))
    document = Document("d", text, (first, second), mentions, candidates=(CandidatePair("p", "T1", "T2"),))
    assert show("between", document) == "<E1> acts . it binds <E2>"
    assert show("path", document) == "<E1> <DISCONNECTED> acts . it binds <E2>"


def test_text_without_tokens_or_parse():
    bare = replace(BINDS, sentences=(Sentence("s", 0, len(BINDS.text)),))
    assert show("window(1,1)", bare) == "<E1> binds to <E2> ."
    with pytest.raises(StructureError, match=r"'s' has no parse.*--parses embedded.*between"):
        show("path", bare)


def test_who_looks_at_a_sentence_at_once_looks_at_the_same():
    stage = Stage.of(BINDS, 0)
    assert Stage.of(BINDS, 0, 0) is stage
    assert Stage.of(replace(BINDS), 0) is not stage
    del stage
    assert not any(one.document is BINDS for one in _prepared.values())
