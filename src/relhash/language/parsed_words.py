"""What a parser says of each word it was given, and the same by token: sentences of a document."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from relhash.language.annotation import ParsedSentence
from relhash.language.words import Words

LONGEST_SENTENCE = 500
"""Words of a sentence that a parser may find; the longest one in the corpora that we know has 398."""
SIGNS = frozenset("-‐‑‒–—−/")


class ParsedWords(NamedTuple):
    """Of each word its tag, its lemma, its head (a root has itself) and its label; and the words that start a sentence."""

    tags: list[str]
    lemmas: list[str]
    heads: list[int]
    labels: list[str]
    starts: list[int]

    def sentences(self, words: Words, scheme: str) -> list[ParsedSentence]:
        """The sentences of ``words``, with one entry per token."""
        compound = "nn" if scheme == "stanford-basic" else "compound"
        return [self._sentence(words, compound, start, end) for start, end in self._bounds(words)]

    def _bounds(self, words: Words) -> Iterator[tuple[int, int]]:
        """(first word, word after the last) of each sentence."""
        if all(start is False for start in words.starts[1:]):
            yield 0, len(self.heads)  # one given sentence, whatever the parser would say
            return
        for first, after in pairwise([*self.starts, len(self.heads)]):
            # text without punctuation: what is longer than any sentence is cut
            for start in range(first, after, LONGEST_SENTENCE):
                yield start, min(start + LONGEST_SENTENCE, after)

    def _sentence(self, words: Words, compound: str, start: int, end: int) -> ParsedSentence:
        groups, spans, own_tokens = words.groups, words.spans, words.tokens
        offset = groups[start][0]
        tokens: list[tuple[int, int, str, str]] = []
        arcs: list[tuple[int, int, str]] = []
        for number in range(start, end):
            first, after = groups[number]
            anchor = after - 1  # the last token of a blinded mention stands where its placeholder stood
            text, tag = words.texts[number], self.tags[number]
            for index in range(first, after):
                own = own_tokens[index]
                lemma = self.lemmas[number] if text == own else own.lower()  # or it is a placeholder
                span = spans[index]
                tokens.append((span[0], span[1], tag, lemma))
                if index < anchor:
                    arcs.append((anchor - offset, index - offset, "punct" if own in SIGNS else compound))
            head = self.heads[number]
            if head != number and start <= head < end:
                arcs.append((groups[head][1] - 1 - offset, anchor - offset, self.labels[number]))
        return ParsedSentence(tokens[0][0], tokens[-1][1], tuple(tokens), tuple(arcs))
