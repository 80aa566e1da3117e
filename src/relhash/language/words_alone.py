"""What spaCy's network makes of a word by itself, without spaCy: hashed features and a vector, mixed by one layer.

A word shows its form in lower case, its first sign, its last three and its shape. Each is hashed to four rows of a table, whose
sum stands for it; so no table of words is needed. The numbers are spaCy's own, bit by bit: weights were learned for its hashes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from relhash.resources import resource_path

Floats = NDArray[np.float32]
Numbers = NDArray[np.uint64]

_ALL = (1 << 64) - 1
_LONGEST_SHAPE = 100


def number_of_bytes(content: bytes, seed: int = 1) -> int:
    """MurmurHash64A, by which spaCy numbers strings.

    >>> number_of_bytes(b"kinase")
    11566777173882435277
    """
    mix, whole = 0xC6A4A7935BD1E995, len(content) & ~7
    number = seed ^ (len(content) * mix & _ALL)
    for start in range(0, whole, 8):
        part = int.from_bytes(content[start : start + 8], "little") * mix & _ALL
        number = (number ^ ((part ^ part >> 47) * mix & _ALL)) * mix & _ALL
    if whole < len(content):
        number = (number ^ int.from_bytes(content[whole:], "little")) * mix & _ALL
    number = (number ^ number >> 47) * mix & _ALL
    return number ^ number >> 47


def hashed(numbers: Numbers, seed: int) -> NDArray[np.uint32]:
    """Four hashes of each number, those of MurmurHash3 (128 bits, one block of eight bytes)."""
    first = numbers * np.uint64(0x87C37B91114253D5)
    first = (first << np.uint64(31) | first >> np.uint64(33)) * np.uint64(0x4CF5AD432745937F)
    second = np.full_like(first, seed ^ 8)
    first = (first ^ np.uint64(seed ^ 8)) + second
    second = second + first
    first, second = _mixed(first), _mixed(second)
    first = first + second
    second = second + first
    return np.stack([first, second], axis=1).view(np.uint32)


def _mixed(numbers: Numbers) -> Numbers:
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        numbers = (numbers ^ numbers >> np.uint64(33)) * np.uint64(factor)
    return numbers ^ numbers >> np.uint64(33)


@lru_cache(maxsize=4096)
def shape(word: str) -> str:
    """The word with letters as x and X and digits as d, of equal ones in a row at most four.

    >>> shape("CDC42-like"), shape("phosphorylation")
    ('XXXdd-xxxx', 'xxxx')
    """
    if len(word) >= _LONGEST_SHAPE:
        return "LONG"
    signs = ["X" if one.isupper() else "x" if one.isalpha() else "d" if one.isdigit() else one for one in word]
    return "".join(sign for place, sign in enumerate(signs) if place < 4 or signs[place - 4 : place] != [sign] * 4)


class Strings:
    """Numbers of strings: a few have one of their own, others their hash; and the forms under which words are looked up."""

    def __init__(self, numbered: Sequence[str], norms: Mapping[str, str]) -> None:
        self._own, self._norms = {name: number for number, name in enumerate(numbered)}, norms
        self._of_part = lru_cache(maxsize=4096)(self.number)

    @classmethod
    def shipped(cls) -> Strings:
        given = json.loads(resource_path("biomed_en", "words.json").read_text("utf-8"))
        return cls(given["numbered"], given["norms"])

    def number(self, string: str) -> int:
        own = self._own.get(string)
        return number_of_bytes(string.encode()) if own is None else own

    def of_parts(self, words: Iterable[str]) -> Numbers:
        """The numbers of the norm, the beginning, the end and the shape of each word."""
        part = self._of_part
        return np.array(
            [
                (self.number(self._norms.get(word) or word.lower()), part(word[0]), part(word[-3:]), part(shape(word)))
                for word in words
            ],
            np.uint64,
        ).reshape(-1, 4)


class WordVectors(NamedTuple):
    """Vectors of known words: rows of bytes, each with a scale, and the row of each word's number, numbers in order."""

    numbers: Numbers
    places: NDArray[np.int32]
    rows: NDArray[np.int8]
    scales: Floats

    def of(self, numbers: Numbers) -> Floats:
        """A vector for each number, zeros for an unknown one."""
        at = np.minimum(np.searchsorted(self.numbers, numbers), len(self.numbers) - 1)
        known = self.numbers[at] == numbers
        rows = self.places[at]
        found: Floats = self.rows[rows].astype(np.float32) * self.scales[rows, None]
        found[~known] = 0
        return found


class WordsAlone:
    """The layers of the network that look at one word at a time; each word goes through by itself.

    The digits of a row of a larger product may depend on its place, so that every word has a product of its own.
    """

    def __init__(
        self,
        strings: Strings,
        vectors: WordVectors,
        tables: Sequence[tuple[Floats, int]],
        projection: Floats,
        weights: Floats,
        bias: Floats,
        scale: Floats,
        shift: Floats,
    ) -> None:
        self._strings, self._vectors, self._tables, self._projection = strings, vectors, tables, projection
        self._weights, self._bias, self._scale, self._shift = weights.reshape(-1, weights.shape[2]), bias, scale, shift

    def __call__(self, words: Sequence[str]) -> Floats:
        numbers = self._strings.of_parts(words)
        columns = [
            _sum_of_rows(table, hashed(numbers[:, column], seed) % np.uint32(len(table)))
            for column, (table, seed) in enumerate(self._tables)
        ]
        own = np.array([self._strings.number(word) for word in words], np.uint64)
        columns.append(_each_by_itself(self._projection, self._vectors.of(own)))
        pieces = _each_by_itself(self._weights, np.concatenate(columns, axis=1)) + self._bias.ravel()
        largest = pieces.reshape(len(words), *self._bias.shape).max(axis=2)
        mean, spread = largest.mean(axis=1, keepdims=True), largest.var(axis=1, keepdims=True) + 1e-08
        normalised: Floats = (largest - mean) * spread ** (-1.0 / 2.0) * self._scale + self._shift
        return normalised


def _sum_of_rows(table: Floats, rows: NDArray[np.uint32]) -> Floats:
    total = table[rows[:, 0]]
    for column in range(1, rows.shape[1]):
        total = total + table[rows[:, column]]
    return total


def _each_by_itself(weights: Floats, vectors: Floats) -> Floats:
    products: Floats = np.matmul(weights, vectors[:, :, None])[:, :, 0]
    return products
