"""Pairs of mentions, the closest first, made one at a time: of a sentence with a thousand names nobody wants all pairs."""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from relhash.corpus.document import Mention, Sentence
from relhash.structures.word_split import split_words


def closest_pairs(
    mentions: Sequence[Mention], sentence: Sentence, text: str, *, with_itself: bool = False
) -> Iterator[tuple[int, int]]:
    """Numbers of two mentions by the tokens between them, the fewest first; of equals, those further to the left.

    ``mentions`` stand in surface order. The first pairs come at once, however many there are.

    >>> names = [Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"),
    ...          Mention("T3", "protein", ((14, 17),), "MEK")]
    >>> list(closest_pairs(names, Sentence("s", 0, 17), "Ras binds Raf MEK"))
    [(1, 2), (0, 1), (0, 2)]
    """
    tokens = sentence.tokens or tuple(split_words(text, sentence.start, sentence.end))
    starts, ends = [token.start for token in tokens], [token.end for token in tokens]
    first_token = [bisect_right(ends, mention.start) for mention in mentions]
    last_token = [bisect_left(starts, mention.end) - 1 for mention in mentions]

    def entry(one: int, other: int) -> tuple[int, int, int]:
        return max(0, first_token[other] - last_token[one]), one, other

    # of the pairs with one left mention each further right one is as far or farther: one of them at a time is enough
    step = 0 if with_itself else 1
    heap = [entry(one, one + step) for one in range(len(mentions) - step)]
    heapq.heapify(heap)
    while heap:
        _, one, other = heap[0]
        yield one, other
        if other + 1 < len(mentions):
            heapq.heapreplace(heap, entry(one, other + 1))
        else:
            heapq.heappop(heap)
