"""What the spelling of a token and its neighbourhood say of it, as named features, and what those of a place weigh.

The names are the contract with training. At run time the name of a feature of a place is only a number, a polynomial over its
bytes modulo 2⁶⁴, put together from the numbers of its parts: a dozen look-ups per token are then a compiled loop. Two names
with the same number would be noticed when the model is read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from relhash.biomed.genes.known import PLACES, ROLES
from relhash.compilation import compiled
from relhash.errors import LanguageError

GREEK = frozenset((*"αβγδεζηθικλμνξοπρστυφχψωµ", "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota",
                   "kappa", "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi",
                   "omega"))  # fmt: skip
AMINO_ACIDS = frozenset((
    "ala", "arg", "asn", "asp", "cys", "gln", "glu", "gly", "his", "ile", "leu", "lys", "met", "phe", "pro", "ser", "thr",
    "trp", "tyr", "val", "alanine", "arginine", "asparagine", "aspartate", "cysteine", "glutamine", "glutamate", "glycine",
    "histidine", "isoleucine", "leucine", "lysine", "methionine", "phenylalanine", "proline", "serine", "threonine",
    "tryptophan", "tyrosine", "valine",
))  # fmt: skip
_ROMAN = re.compile(r"(?:X{0,3})(?:IX|IV|V?I{0,3})")
_RESIDUE = re.compile(r"(?:[ACDEFGHIKLMNPQRSTVWY]|[A-Z][a-z]{2})[0-9]{1,4}[A-Z]?|p[STY][0-9]{2,4}")
_PATTERNS = {
    name: re.compile(pattern)
    for name, pattern in {
        "capital": r"[A-Z]",
        "capitals": r"[A-Z]+",
        "Capitalised": r"[A-Z][a-z]+",
        "lower": r"[a-z]+",
        "miXed": r"[a-z]+[A-Z].*",
        "MixEd": r"[A-Z]+[a-z]+[A-Z].*",
        "digits": r"[0-9]+",
        "number": r"[0-9]+[.,][0-9.,]+",
        "p53": r"p[0-9]{2,3}.*",
        "ABC1": r"[A-Z]{2,}[0-9]+[A-Za-z]?",
        "Abc1": r"[A-Z][a-z]+[0-9]+[A-Za-z]?",
        "abc1": r"[a-z]{2,}[0-9]+[A-Za-z]?",
        "A1": r"[A-Z][0-9]+",
        "1A": r"[0-9]+[A-Za-z]+",
        "ABCs": r"[A-Z]{2,}s",
        "sign": r"\W+",
        "letters and digits": r"(?=.*[A-Za-z])(?=.*[0-9]).*",
    }.items()
}


@lru_cache(maxsize=65536)
def shape(form: str) -> str:
    """Capitals, small letters, digits and Greek letters as ``A a 0 α``; runs as one.

    >>> shape("IL2Rα"), shape("kinase"), shape("(")
    ('A0Aα', 'a', '(')
    """
    kinds: list[str] = []
    for character in form:
        if character.isascii():
            kind = "A" if character.isupper() else "a" if character.islower() else "0" if character.isdigit() else character
        elif "α" <= character <= "ω" or character == "µ":
            kind = "α"
        else:
            kind = "A" if character.isupper() else "a" if character.islower() else unicodedata.category(character)[0]
        if not kinds or kinds[-1] != kind:
            kinds.append(kind)
    return "".join(kinds[:8])


def form_features(form: str) -> list[str]:
    """Names of the features of a token spelled ``form``."""
    lower = form.lower()
    short = shape(form)
    names = [f"w={form[:40]}", f"l={lower[:40]}", f"s={short}", f"n={min(len(form), 9)}"]
    if any(character.isdigit() for character in form):
        names.append("d=" + re.sub(r"[0-9]+", "0", form)[:40])
    letters = re.sub(r"[^a-z]", "", lower)
    if letters != lower and letters:
        names.append(f"a={letters[:30]}")
    for length in (2, 3, 4, 5):
        if len(form) > length:
            names.append(f"p{length}={lower[:length]}")
            names.append(f"x{length}={lower[-length:]}")
    if 3 <= len(form) <= 14:
        padded = f"^{lower}$"
        # each once, in one order: what is added up in another one differs in the last digit
        names.extend(dict.fromkeys([f"g={padded[start : start + 3]}" for start in range(len(padded) - 2)]))
    is_word = form.isascii() and form.isalpha()
    if is_word and form.islower():  # what most tokens are: no other pattern fits
        names.append("is lower")
    elif is_word and form[1:].islower():
        names.append("is Capitalised")
    else:
        names.extend(f"is {name}" for name, pattern in _PATTERNS.items() if pattern.fullmatch(form))
    if lower in GREEK:
        names.append("is greek")
    if lower in AMINO_ACIDS:
        names.append("is amino acid")
    if _ROMAN.fullmatch(form):
        names.append("is roman")
    if _RESIDUE.fullmatch(form):
        names.append("is residue")
    return names


OPENING, CLOSING = frozenset("([{"), frozenset(")]}")


def place_features(
    texts: Sequence[str], spaces: Sequence[bool], classes: Sequence[Sequence[str]], groups: Sequence[str]
) -> list[list[str]]:
    """For each token of a sentence the names of the features of its place.

    ``spaces[i]``: whether a space follows; ``classes[i]``: what the list of names says of it; ``groups[i]``: the group of
    similar words that it is in.
    """
    lower = ["^", *(text.lower() for text in texts), "$"]
    shapes = ["^", *map(shape, texts), "$"]
    group = ["^", *groups, "$"]
    gaps = ["_", *("_" if space else "" for space in spaces)]
    gaps[-1] = "_"
    found: list[list[str]] = []
    depth = 0
    for index, text in enumerate(texts):
        i, j = index + 1, index + 2
        before, after = gaps[index], gaps[i]
        form, this, near = shapes[i], lower[i], group[i]
        names = [
            "b",
            f"g={before}{after}",
            f"gs={before}{form}{after}",
            f"lb={lower[index]}{before}{this}",
            f"la={this}{after}{lower[j]}",
            f"sb={shapes[index]}{before}{form}",
            f"sa={form}{after}{shapes[j]}",
            f"sba={shapes[index]}{before}{form}{after}{shapes[j]}",
            f"cb={group[index]}{before}{near}",
            f"ca={near}{after}{group[j]}",
            f"lba={lower[index]}{before}*{after}{lower[j]}",
            f"scb={group[index]}{before}{form}",
            f"sca={form}{after}{group[j]}",
        ]
        if text in OPENING:
            depth += 1
        elif text in CLOSING:
            depth = max(depth - 1, 0)
        if depth:
            names.append("in brackets")
        for known in classes[index]:
            names.append(f"x={known}")
            names.append(f"xs={known} {form}")
        if index:
            names.extend([f"x-={known}" for known in classes[index - 1]])
        if i < len(texts):
            for known in classes[i]:
                names.append(f"x+={known}")
                if known[0] != "I":
                    names.append(f"x+l={known} {this}")
        found.append(names)
    return found


BASE = np.uint64(0x9E3779B97F4A7C15)
_MASK = (1 << 64) - 1
_NAMES = ("b", "in brackets", "g=__", "g=_", "g=")
_BEGINNINGS = ("gs=", "lb=", "la=", "sb=", "sa=", "sba=", "cb=", "ca=", "lba=", "scb=", "sca=")
(_GS, _LB, _LA, _SB, _SA, _SBA, _CB, _CA, _LBA, _SCB, _SCA) = range(len(_BEGINNINGS))
_OF_CLASS = ("x=", "xs=", "x-=", "x+=", "x+l=")
_X, _XS, _BEFORE, _AFTER, _AFTER_WORD = range(len(_OF_CLASS))
_N_ROLES = len(ROLES)
_SPACE, _STAR = np.uint64(ord("_") + 1), np.uint64(ord("*") + 1)

Numbers = NDArray[np.uint64]


class Spelling(NamedTuple):
    """The parts of names that a token gives: small letters, shape, group, each (number, power); and whether it is a bracket."""

    parts: Numbers
    bracket: int

    @classmethod
    def of(cls, text: str, shape: str, group: str) -> Spelling:
        bracket = 1 if text in OPENING else -1 if text in CLOSING else 0
        return cls(np.concatenate([numbered(part) for part in (text.lower(), shape, group)]), bracket)


class PlaceTable(NamedTuple):
    """Rows of weights by the number of a feature: places of an open table, and what names begin with."""

    keys: Numbers
    rows: NDArray[np.int32]
    names: NDArray[np.int32]
    beginnings: Numbers
    of_class: Numbers
    """For each place in a name and role, what names of that class begin with: (places, roles, kinds)."""
    rows_of_class: NDArray[np.int32]

    @classmethod
    def of(cls, rows: Mapping[str, int]) -> PlaceTable:
        """From the rows of the features by their names."""
        numbers = _numbers_of(rows)
        if np.unique(numbers).size < numbers.size or (numbers == 0).any():
            raise LanguageError("genes: two features have the same number; the model cannot be used")
        keys, places = _filled(numbers, np.fromiter(rows.values(), np.int32, len(rows)))
        classes = [[[f"{kind}{place} {role}" for kind in _OF_CLASS] for role in ROLES] for place in PLACES]
        return cls(
            keys,
            places,
            np.array([rows.get(name, -1) for name in _NAMES], np.int32),
            np.array([numbered(name)[0] for name in _BEGINNINGS], np.uint64),
            np.array([[[numbered(f"{name} ")[0] for name in own] for own in line] for line in classes], np.uint64),
            np.array([[[rows.get(name, -1) for name in own] for own in line] for line in classes], np.int32),
        )


@lru_cache(maxsize=8192)
def numbered(part: str) -> Numbers:
    """The number of a part of a name, and the power of the base that its length takes.

    >>> number, power = numbered("IL-")
    >>> later, further = numbered("2")
    >>> with np.errstate(over="ignore"):
    ...     bool(number * further + later == numbered("IL-2")[0])
    True
    """
    number, power, base = 0, 1, int(BASE)
    for letter in part.encode("utf-8", "surrogatepass"):
        number = (number * base + letter + 1) & _MASK
        power = power * base & _MASK
    return np.array([number, power], np.uint64)


def _numbers_of(names: Iterable[str]) -> Numbers:
    """The numbers of many names, letter by letter of all of them at once."""
    encoded = [name.encode() for name in names]
    lengths = np.array(list(map(len, encoded)), np.int64)
    starts = np.cumsum(lengths) - lengths
    letters = np.frombuffer(b"".join(encoded), np.uint8).astype(np.uint64) + np.uint64(1)
    numbers = np.zeros(len(encoded), np.uint64)
    left = np.arange(len(encoded))
    for place in range(int(lengths.max(initial=0))):
        left = left[lengths[left] > place]
        numbers[left] = numbers[left] * BASE + letters[starts[left] + place]
    return numbers


def _filled(numbers: Numbers, values: NDArray[np.int32]) -> tuple[Numbers, NDArray[np.int32]]:
    """An open table: each number at its place, or at the next that is free."""
    size = 1 << max(4, (2 * len(numbers)).bit_length())
    keys, rows = np.zeros(size, np.uint64), np.zeros(size, np.int32)
    left, at = np.arange(len(numbers)), ((numbers ^ (numbers >> np.uint64(29))) & np.uint64(size - 1)).astype(np.int64)
    while left.size:
        free = left[keys[at[left]] == 0]
        keys[at[free]] = numbers[free]  # of several, the last one
        placed = left[keys[at[left]] == numbers[left]]
        rows[at[placed]] = values[placed]
        left = left[keys[at[left]] != numbers[left]]
        at[left] = (at[left] + 1) & (size - 1)
    return keys, rows


@compiled
def _row(keys: Numbers, rows: NDArray[np.int32], number: np.uint64) -> int:
    mask = np.uint64(keys.size - 1)
    at = (number ^ (number >> np.uint64(29))) & mask
    while keys[at] != 0:
        if keys[at] == number:
            return int(rows[at])
        at = (at + np.uint64(1)) & mask
    return -1


def _sums(weights: NDArray[np.float32], rows: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.float32]:
    return np.array([weights[own].sum(axis=0) for own in np.split(rows, ends[:-1])], np.float32).reshape(-1, weights.shape[1])


@compiled(seconds=lambda weights, rows, ends: 1e-5 * len(ends), plain=_sums)
def summed(weights: NDArray[np.float32], rows: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.float32]:
    """The sums of rows of ``weights``, one after the other; ``rows[ends[i - 1]:ends[i]]`` are those of sum ``i``."""
    sums = np.zeros((len(ends), weights.shape[1]), np.float32)
    first = 0
    for number in range(len(ends)):
        for row in rows[first : ends[number]]:
            for place in range(weights.shape[1]):
                sums[number, place] += weights[row, place]
        first = ends[number]
    return sums


@compiled(seconds=lambda scores, *_: 3e-4 * len(scores))
def add_weights(scores, ends, spelled, parts, brackets, rows, weights, table, spaces, known):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Add to ``scores[t]`` what the spellings around token ``t`` weigh, then the features of its place in their order.

    Sentences end before the tokens ``ends``: what is in another one is not around.

    ``spelled[r]`` (by offset), ``parts[r]`` and ``brackets[r]`` are those of the spelling in row ``r`` (0 and 1: before the
    first token and after the last, which weigh the same); ``rows[t]`` is the spelling of a token; ``known[t]`` its place in a
    name (0: in none) and the name's roles.
    """
    keys, places, names, beginnings, of_class, rows_of_class = table
    n_labels = scores.shape[1]
    reach = spelled.shape[1] // 2
    found = np.empty(13 + 5 * _N_ROLES + 1, np.int64)
    sentence, first, depth = 0, 0, 0
    for t in range(len(scores)):
        if t == ends[sentence]:
            sentence, first, depth = sentence + 1, t, 0
        n = ends[sentence]
        for k in range(spelled.shape[1]):
            near = t + k - reach
            row = rows[near] if first <= near < n else 0
            for y in range(n_labels):
                scores[t, y] += spelled[row, k, y]
        this = parts[rows[t]]
        previous = parts[rows[t - 1]] if t > first else parts[0]
        following = parts[rows[t + 1]] if t + 1 < n else parts[1]
        before, after = t == first or spaces[t - 1], t == n - 1 or spaces[t]
        lower, form, group = this[0:2], this[2:4], this[4:6]
        found[0] = names[0]
        found[1] = names[2] if before and after else (names[3] if before or after else names[4])
        found[2] = _row(keys, places, _gap(_join(_gap(beginnings[_GS], before), form), after))
        found[3] = _row(keys, places, _join(_gap(_join(beginnings[_LB], previous[0:2]), before), lower))
        found[4] = _row(keys, places, _join(_gap(_join(beginnings[_LA], lower), after), following[0:2]))
        found[5] = _row(keys, places, _join(_gap(_join(beginnings[_SB], previous[2:4]), before), form))
        found[6] = _row(keys, places, _join(_gap(_join(beginnings[_SA], form), after), following[2:4]))
        start = _join(_gap(_join(beginnings[_SBA], previous[2:4]), before), form)
        found[7] = _row(keys, places, _join(_gap(start, after), following[2:4]))
        found[8] = _row(keys, places, _join(_gap(_join(beginnings[_CB], previous[4:6]), before), group))
        found[9] = _row(keys, places, _join(_gap(_join(beginnings[_CA], group), after), following[4:6]))
        start = _gap(_join(beginnings[_LBA], previous[0:2]), before) * BASE + _STAR
        found[10] = _row(keys, places, _join(_gap(start, after), following[0:2]))
        found[11] = _row(keys, places, _join(_gap(_join(beginnings[_SCB], previous[4:6]), before), form))
        found[12] = _row(keys, places, _join(_gap(_join(beginnings[_SCA], form), after), following[4:6]))
        count = 13
        depth = max(depth + brackets[rows[t]], 0)
        if depth:
            found[count] = names[1]
            count += 1
        for role in range(_N_ROLES):
            if known[t, 0] and known[t, 1] >> role & 1:
                found[count] = rows_of_class[known[t, 0] - 1, role, _X]
                found[count + 1] = _row(keys, places, _join(of_class[known[t, 0] - 1, role, _XS], form))
                count += 2
        for role in range(_N_ROLES):
            if t > first and known[t - 1, 0] and known[t - 1, 1] >> role & 1:
                found[count] = rows_of_class[known[t - 1, 0] - 1, role, _BEFORE]
                count += 1
        for role in range(_N_ROLES):
            if t + 1 < n and known[t + 1, 0] and known[t + 1, 1] >> role & 1:
                place = known[t + 1, 0] - 1
                found[count] = rows_of_class[place, role, _AFTER]
                count += 1
                if place != 1:  # inside a name
                    found[count] = _row(keys, places, _join(of_class[place, role, _AFTER_WORD], lower))
                    count += 1
        for k in range(count):
            if found[k] >= 0:
                for y in range(n_labels):
                    scores[t, y] += weights[found[k], y]


@compiled
def _join(number, part):  # type: ignore[no-untyped-def]  # pragma: no cover
    return number * part[1] + part[0]


@compiled
def _gap(number, is_space):  # type: ignore[no-untyped-def]  # pragma: no cover
    return number * BASE + _SPACE if is_space else number
