"""Dependency trees as a person draws them."""

from __future__ import annotations

from relhash.corpus import Dependency, Sentence, Token
from relhash.corpus.conllu import COLLAPSED


def sentence(lines: str, scheme: str) -> Sentence:
    """A sentence from lines ``word/TAG head label``; heads are words (``word#1`` the second occurrence) or ``-``."""
    rows = [line.split() for line in lines.strip().splitlines()]
    names: list[str] = []
    for row in rows:
        word = row[0].rsplit("/", 1)[0]
        seen = sum(name.partition("#")[0] == word for name in names)
        names.append(f"{word}#{seen}" if seen else word)
    tokens, position = [], 0
    for row in rows:
        word, tag = row[0].rsplit("/", 1)
        tokens.append(Token(position, position + len(word), word, tag))
        position += len(word) + 1
    arcs = tuple(Dependency(names.index(row[1]), i, row[2], scheme) for i, row in enumerate(rows) if row[1] != "-")
    return Sentence("s", 0, position, tuple(tokens), arcs, "drawn by hand")


def arcs(collapsed: Sentence) -> set[str]:
    words = [token.text for token in collapsed.tokens]
    assert {arc.scheme for arc in collapsed.dependencies} <= {COLLAPSED}
    return {f"{words[arc.head]} {arc.label} {words[arc.dependent]}" for arc in collapsed.dependencies}


CRAFT = """
Ras/NN interacts nsubj
interacts/VBZ - root
with/IN interacts prep
Raf/NN with pobj
and/CC Raf cc
MEK/NN Raf conj
./. interacts punct
"""


UD = """
Ras/NN interacts nsubj
interacts/VBZ - root
with/IN Raf case
Raf/NN interacts nmod
and/CC Raf cc
MEK/NN Raf conj
./. interacts punct
"""
