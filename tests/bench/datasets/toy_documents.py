"""Documents of one sentence, *MEK activates ERK here*, stated as an interaction or not, and a parser for them."""

from __future__ import annotations

from dataclasses import replace

from relhash.corpus import Dependency, Document, Mention, Relation, Sentence, Token
from relhash.corpus.document import Argument

NAMES = ["MEK", "ERK", "AKT", "SOS", "RAF"]


def toy_document(identifier: str, first: str, second: str, verb: str, filler: str) -> Document:
    text = f"{first} {verb} {second} {filler}"
    ends = len(first), len(first) + 1 + len(verb)
    mentions = (
        Mention("T1", "Protein", ((0, ends[0]),), first),
        Mention("T2", "Protein", ((ends[1] + 1, ends[1] + 1 + len(second)),), second),
        Mention("T3", "Positive_regulation", ((ends[0] + 1, ends[1]),), verb, is_trigger=True),
    )
    event = Relation("E1", "Positive_regulation", (Argument("Theme", "T2"), Argument("Cause", "T1")), "T3")
    stated = verb == "activates"
    return Document(identifier, text, (), mentions if stated else mentions[:2], relations=(event,) if stated else ())


def toy_parse(documents):
    """One sentence, words at blanks, each the dependent of the one before."""
    for document in documents:
        tokens, start = [], 0
        for word in document.text.split(" "):
            tokens.append(Token(start, start + len(word), word))
            start += len(word) + 1
        arcs = tuple(Dependency(n, n + 1, "dep") for n in range(len(tokens) - 1))
        yield replace(document, sentences=(Sentence("s", 0, len(document.text), tuple(tokens), arcs, "toy"),))
