"""Names of the shipped list in a row of tokens: the longest that starts at each token, however it is written, compiled.

Keys of names (:func:`relhash.biomed.names.spelling.name_key`) have no spaces and hyphens, so the key of several tokens is
their keys in a row. The list is sorted, so that one search by bisection says both whether a key is a name and whether a longer
one starts with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from relhash.biomed.names.spelling import continued_key, name_key
from relhash.biomed.names.table import Class, NameKind, NameTable
from relhash.compilation import compiled

Bytes = NDArray[np.uint8]
Integers = NDArray[np.int64]
LONGEST_KEY = 64


@compiled
def _compared(keys: Bytes, start: int, end: int, wanted: Bytes, length: int) -> int:
    """-1, 0 or 1 as the key is below ``wanted``, starts with it, or is above it."""
    for place in range(length):
        if start + place >= end or keys[start + place] < wanted[place]:
            return -1
        if keys[start + place] > wanted[place]:
            return 1
    return 0


@compiled
def _first_with_prefix(keys: Bytes, ends: Integers, wanted: Bytes, length: int) -> int:
    """The number of the first key that starts with ``wanted``; -1 if there is none."""
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        start = ends[middle - 1] + 1 if middle else 0
        if _compared(keys, start, ends[middle], wanted, length) < 0:
            low = middle + 1
        else:
            high = middle
    if low == len(ends):
        return -1
    start = ends[low - 1] + 1 if low else 0
    return low if _compared(keys, start, ends[low], wanted, length) == 0 else -1


@compiled(seconds=lambda keys, ends, first, first_ends, *_: 3e-4 * len(first_ends))
def longest_names(
    keys: Bytes, ends: Integers, first: Bytes, first_ends: Integers, later: Bytes, later_ends: Integers, sentences: Integers
) -> Integers:
    """(first token, token after the last, number of the key) of each name, from the left, the longest, none overlapping.

    ``keys`` are lines of text that end at ``ends``; ``first`` holds the key of each token when a name begins with it,
    ``later`` when it goes on with it (then "II" is 2), the key of token ``i`` ending at ``first_ends[i]`` or ``later_ends[i]``.
    No name runs over the end of a sentence; they end before the tokens ``sentences``.
    """
    n_tokens = len(first_ends)
    found = np.empty((n_tokens, 3), np.int64)
    count = 0
    wanted = np.empty(LONGEST_KEY, np.uint8)
    index, sentence = 0, 0
    while index < n_tokens:
        if index == sentences[sentence]:
            sentence += 1
        length, best, best_after = 0, -1, index + 1
        for after in range(index, sentences[sentence]):
            pieces, piece_ends = (first, first_ends) if after == index else (later, later_ends)
            start = piece_ends[after - 1] if after else 0
            end = piece_ends[after]
            if end == start:  # a hyphen: it neither begins a name nor ends one
                if after == index:
                    break
                continue
            if length and 48 <= wanted[length - 1] <= 57 and 48 <= pieces[start] <= 57:
                if length == LONGEST_KEY:
                    break
                wanted[length] = 45
                length += 1
            if length + end - start > LONGEST_KEY:
                break
            for place in range(start, end):
                wanted[length] = pieces[place]
                length += 1
            number = _first_with_prefix(keys, ends, wanted, length)
            if number < 0:
                break
            if ends[number] - (ends[number - 1] + 1 if number else 0) == length:
                best, best_after = number, after + 1
        if best >= 0:
            found[count, 0], found[count, 1], found[count, 2] = index, best_after, best
            count += 1
        index = best_after
    return found[:count]


_ROLE_OF_GENE = {
    NameKind.CURATED: "symbol", NameKind.SYMBOL: "symbol", NameKind.NAME: "name", NameKind.ALIAS: "alias",
    NameKind.PREVIOUS: "alias", NameKind.ORTHOLOG: "other", NameKind.LINKED: "other", NameKind.SEEN: "other",
}  # fmt: skip
_ROLE_OF_CLASS = {
    Class.RNA: "locus", Class.LOCUS: "locus", Class.FAMILY: "family", Class.COMPLEX: "family", Class.CHEMICAL: "chemical",
    Class.DISEASE: "disease", Class.CELL: "cell", Class.SPECIES: "species",
}  # fmt: skip
PLACES = ("B", "I", "E", "S")
"""Of a token in a name of several, the first, one inside, the last; or the only one."""
ROLES = ("symbol", "name", "alias", "other", "locus", "family", "chemical", "disease", "cell", "species")


@compiled(seconds=lambda found, roles, n_tokens: 2e-6 * (n_tokens + 1))
def _covered(found: Integers, roles: NDArray[np.uint16], n_tokens: int) -> Integers:
    """Place (from 1) and roles of each token of the names that were found."""
    covered = np.zeros((n_tokens, 2), np.int64)
    for number in range(len(found)):
        first, after = found[number, 0], found[number, 1]
        for token in range(first, after):
            covered[token, 0] = 4 if after - first == 1 else 1 if token == first else 3 if token == after - 1 else 2
            covered[token, 1] = roles[found[number, 2]]
    return covered


class KnownNames:
    """The names of a table, and for each token of a sentence what a name that covers it may stand for.

    >>> from relhash.biomed.names.table import shipped_names
    >>> KnownNames(shipped_names()).classes(["the", "insulin", "receptor", "in", "breast", "cancer"])[-1]
    ('E disease',)
    """

    def __init__(self, table: NameTable) -> None:
        self._keys, self._ends = table.sorted_keys
        firsts, kinds, classes = table.meanings_by_key
        by_kind = np.array([1 << ROLES.index(_ROLE_OF_GENE[kind]) for kind in NameKind], np.uint16)
        by_class = np.array([0 if kind is Class.GENE else 1 << ROLES.index(_ROLE_OF_CLASS[kind]) for kind in Class], np.uint16)
        bits = np.where(classes == Class.GENE, by_kind[kinds], by_class[classes])
        bits[kinds == NameKind.SEEN] = 0  # names that corpora gave say nothing here: the tagger was fitted on these corpora
        self._roles = np.bitwise_or.reduceat(bits, firsts[:-1])
        self.numbered = lru_cache(maxsize=16)(self._numbered)  # several taggers ask for the same sentences

    def classes(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """For each token the roles of the name that covers it, each with the token's place in it (``B I E S``)."""
        return [
            _class_names(PLACES[place - 1], roles) if place else ()
            for place, roles in self.numbered(tuple(texts), (len(texts),)).tolist()
        ]

    def _numbered(self, texts: tuple[str, ...], ends: tuple[int, ...]) -> Integers:
        """The same of sentences in numbers: for each token its place in :data:`PLACES`, from 1 (0: no name), and its roles, a
        bit each."""
        keys = [_keys_of(text) for text in texts]
        pieces = *_row([first for first, _ in keys]), *_row([later for _, later in keys])
        found = longest_names(self._keys, self._ends, *pieces, np.array(ends, np.int64))
        return _covered(found, self._roles, len(texts))


@lru_cache(maxsize=65536)
def _keys_of(text: str) -> tuple[bytes, bytes]:
    key = name_key(text)
    return key.encode(), continued_key(key).encode()


def _row(keys: Sequence[bytes]) -> tuple[Bytes, Integers]:
    """The keys as one text, and where each ends."""
    return np.frombuffer(b"".join(keys), np.uint8), np.array(list(map(len, keys)), np.int64).cumsum()


@lru_cache(maxsize=1024)
def _class_names(place: str, roles: int) -> tuple[str, ...]:
    return tuple(f"{place} {role}" for number, role in enumerate(ROLES) if roles >> number & 1)
