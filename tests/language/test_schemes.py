"""Trees drawn by hand in three schemes, and the graph that the Stanford converter would make of them."""

from __future__ import annotations

import pytest

from relhash.corpus import Dependency, Document, Sentence, Token
from relhash.corpus.conllu import COLLAPSED, detect_scheme
from relhash.errors import LanguageError
from relhash.language.schemes import collapse, collapse_document
from tests.language.drawn_trees import CRAFT, UD, sentence


def test_collapsed_and_unparsed_sentences_stay_as_they_are():
    collapsed = collapse(sentence(CRAFT, "craft"))
    assert collapse(collapsed) is collapsed
    bare = Sentence("s", 0, 3)
    assert collapse(bare) is bare
    assert collapse_document(Document("d", "abc", (bare,))).sentences == (bare,)


def labels(parsed: Sentence) -> list[str]:
    return [arc.label for arc in parsed.dependencies]


def test_detection():
    assert detect_scheme(labels(collapse(sentence(CRAFT, "craft")))) == COLLAPSED
    assert detect_scheme(labels(sentence(UD, "ud"))) == "ud"
    assert detect_scheme(labels(sentence(CRAFT + "big/JJ MEK compound", "craft"))) == "craft"
    assert detect_scheme(labels(sentence(CRAFT + "big/JJ MEK nn", "craft"))) == "stanford-basic"
    assert detect_scheme(labels(sentence(CRAFT, "craft"))) is None, "prep and pobj alone fit two schemes"
    assert detect_scheme([]) is None


def test_what_is_no_tree_is_refused():
    tokens = (Token(0, 1, "a"), Token(2, 3, "b"), Token(4, 5, "c"))
    two_heads = (Dependency(0, 1, "dep", "craft"), Dependency(2, 1, "dep", "craft"))
    circle = (Dependency(0, 1, "dep", "craft"), Dependency(1, 0, "dep", "craft"))
    for dependencies, message in ((two_heads, "two heads"), (circle, "circle")):
        with pytest.raises(LanguageError, match=message):
            collapse(Sentence("s", 0, 5, tokens, dependencies))
    with pytest.raises(LanguageError, match="mixes"):
        collapse(Sentence("s", 0, 5, tokens, (Dependency(0, 1, "dep", "craft"), Dependency(1, 2, "dep", "ud"))))
