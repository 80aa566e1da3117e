"""Candidates whose right label a person sees at once: *Ras binds Raf* interact, *Ras ignores Raf* do not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.candidate import Candidate
from relhash.candidates.statements import interaction_candidate, trigger_mention
from relhash.corpus import Dependency, Document, Mention, Sentence, Token
from relhash.kernels import WordVectors

JOINING = ("binds", "activates", "recruits", "phosphorylates")
PARTING = ("ignores", "resembles", "precedes", "outlives")
FILLING = ("here", "often", "thus", "in", "cells", "and", "vitro", "the")


def toy_vectors(dimensions: int = 8, words: tuple[str, ...] = JOINING + PARTING + FILLING) -> WordVectors:
    """Vectors in which the words that join lie on one side and those that part on the other."""
    rng = np.random.default_rng(0)
    vectors = rng.normal(scale=0.3, size=(len(words), dimensions))
    for row, word in enumerate(words):
        vectors[row, 0] += (word in JOINING) - (word in PARTING)
        vectors[row, 1 if word in FILLING else 2] += word not in JOINING + PARTING
    return WordVectors(words, vectors)


def pair(number: int, words: list[str]) -> Candidate:
    """A document of one parsed sentence with the participants Ras and Raf; the word between them governs both."""
    tokens, position = [], 0
    for word in words:
        tokens.append(Token(position, position + len(word), word, "NN" if word in ("Ras", "Raf") else "VB"))
        position += len(word) + 1
    text = " ".join(words)
    first, second = words.index("Ras"), words.index("Raf")
    verb = first + 1
    arcs = tuple(
        Dependency(verb, token, "nsubj" if token == first else "dobj" if token == second else "advmod")
        for token in range(len(words))
        if token != verb
    )
    mentions = tuple(
        Mention(f"T{role}", "protein", ((tokens[place].start, tokens[place].end),), words[place])
        for role, place in ((1, first), (2, second))
    )
    sentence = Sentence(f"s{number}", 0, len(text), tuple(tokens), arcs, "drawn by hand")
    return Candidate(Document(f"d{number}", text, (sentence,), mentions), 0, mentions, ("e1", "e2"))


def toy_pairs(
    n: int, seed: int = 0, *, filling: tuple[str, ...] = FILLING, joining: tuple[str, ...] = JOINING
) -> tuple[list[Candidate], NDArray[np.bool_]]:
    """Sentences of five to nine words; a third of them interact."""
    rng = np.random.default_rng(seed)
    candidates, labels = [], []
    for number in range(n):
        label = rng.random() < 1 / 3
        verb = str(rng.choice(joining if label else PARTING))
        before, inside, after = (list(map(str, rng.choice(filling, size))) for size in rng.integers(1, 3, 3))
        candidates.append(pair(number, [*before, "Ras", verb, *inside, "Raf", *after, "."]))
        labels.append(label)
    return candidates, np.array(labels)


def toy_interactions(n: int, seed: int = 0) -> tuple[list[Candidate], NDArray[np.bool_]]:
    """The same sentences as interactions of a trigger, a cause and a theme."""
    candidates, labels = toy_pairs(n, seed)
    interactions = []
    for candidate in candidates:
        first, second = candidate.mentions
        token = next(t for t in candidate.document.sentences[0].tokens if t.start == first.end + 1)
        trigger = trigger_mention("Regulation", token.start, token.end, token.text)
        interactions.append(interaction_candidate(candidate.document, 0, trigger, {"cause": first, "theme": second}))
    return interactions, labels
