"""Agreement of two parses of the same text."""

from __future__ import annotations

import pytest

from relhash.bench.benchmarks.language import path_agreement
from relhash.corpus.document import Dependency, Document, Mention, Sentence, Token


def test_agreement_of_two_parses():
    text = "Ras binds Raf"
    tokens = (Token(0, 3, "Ras"), Token(4, 9, "binds"), Token(10, 13, "Raf"))
    names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))

    def document(label):
        arcs = (Dependency(1, 0, label), Dependency(1, 2, "dobj"))
        return Document("d", text, (Sentence("s", 0, 13, tokens, arcs, "p"),), names)

    same = path_agreement([document("nsubj")], [document("nsubj")])
    assert (same.same_words, same.same_path, same.n_candidates) == (1, 1, 1)
    other = path_agreement([document("nsubj")], [document("csubj")])
    assert (other.same_words, other.same_path) == (1, 0)
    with pytest.raises(ValueError, match="not two parses"):
        path_agreement([document("nsubj")], [])
