"""Invented proteins: symbols that look like those of the literature but are put together from syllables by chance."""

from __future__ import annotations

import random
from dataclasses import dataclass

from demo_grammar.tree import Node

_ONSETS = tuple("b br c cr d dr f fl g gr h k kl l m n p pl qu r s sk sl st t tr v w y z".split())  # noqa: SIM905
_VOWELS = ["a", "e", "i", "o", "u", "a", "e", "i", "o", "ai", "ei", "ou"]
_CODAS = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "x", "rb", "lk", "rm", "nd", "sk"]
_ENDINGS = ["in", "in", "in", "ase", "an", "on", "or", "ex"]
_LETTERS = "ABCDEFGHKLMNPQRSTUVWXYZ"


@dataclass(frozen=True)
class Protein:
    """A protein: its name as words (``("IL", "-", "27")`` is one name of three words) and perhaps a database id."""

    words: tuple[str, ...]
    ids: tuple[str, ...] = ()

    def mention(self) -> Node:
        """A new mention of it, as a tree: the first word is the head, numbers hang on it."""
        if self.words[-1] in ("kinase", "receptor"):
            return self._headed_by_last()
        head = Node(self.words[0], "NN", name=self)
        for word in self.words[1:]:
            child = Node(word, "HYPH" if word == "-" else "CD", name=self)
            head.follow("punct" if word == "-" else "nummod", child)
        return head

    def _headed_by_last(self) -> Node:
        head = Node(self.words[-1], "NN", name=self)
        for word in self.words[:-1]:
            head.before.append(("compound", Node(word, "NN", name=self)))
        return head


class Registry:
    """Hands out proteins, each name only once."""

    def __init__(self, rng: random.Random, prefix: str) -> None:
        self._rng, self._prefix, self._used = rng, prefix, set[str]()

    def new(self) -> Protein:
        while True:
            words = self._invent()
            key = "".join(words).lower()
            if key not in self._used:
                self._used.add(key)
                number = len(self._used)
                ids = (f"{self._prefix}:{number:05d}",) if self._rng.random() < 0.6 else ()
                return Protein(words, ids)

    def _invent(self) -> tuple[str, ...]:
        rng = self._rng
        pattern = rng.choices(("symbol", "mixed", "word", "hyphen", "kinase"), (40, 25, 15, 14, 6))[0]
        digit = str(rng.randint(1, 9))
        if pattern == "symbol":  # TRKL4
            return ("".join(rng.choices(_LETTERS, k=rng.choice((2, 3, 3, 4)))) + digit,)
        if pattern == "mixed":  # Brok2
            return (self._syllable().capitalize() + rng.choice(("", "a", "b")) + digit,)
        if pattern == "word":  # plostrin
            return (self._syllable() + rng.choice(_ONSETS[:20]) + rng.choice(_ENDINGS),)
        if pattern == "hyphen":  # DVR-31
            return ("".join(rng.choices(_LETTERS, k=rng.choice((2, 3)))), "-", str(rng.randint(2, 48)))
        return (self._syllable().capitalize() + digit, rng.choice(("kinase", "receptor")))

    def _syllable(self) -> str:
        return self._rng.choice(_ONSETS) + self._rng.choice(_VOWELS) + self._rng.choice(_CODAS)
