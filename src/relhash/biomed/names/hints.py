"""What words say of a name ("the IL-2 promoter", "anti-CD3", "Stat1-deficient") or of two ("BCR-ABL", "c-Rel/p65").

The patterns are rows of a table (``resources/lexicon/patterns.tsv``): a hint, a place, a regular expression. Places of a name
are ``before``, ``after`` and ``name`` (all of it), and ``chemical``, after one; places of two are ``pair`` (from the first name
on, the two being ① and ②), ``around`` (anywhere near them) and ``names`` (the two names). Every look is bounded: no text costs
more than its length. A hint decides nothing: it is shown to the reader (the column ``modifier``), it tells where a name
ends inside a phrase (:mod:`relhash.biomed.names.phrases`), and it is a feature of the model that says whether a row is right
(:mod:`relhash.learn.end_to_end`).
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from relhash.biomed.names.spelling import name_key
from relhash.corpus.document import Span
from relhash.resources import resource_path

FAR = 48
"""Characters before a name that are looked at; twice as many before two."""
FARTHEST = 400
"""Characters between two names: farther ones have no hints."""
AT_MOST = 3
"""Words on either side: "recombinant human *IL-2* promoter activity"."""
HIDDEN = frozenset({"protein", "verb", "species", "form", "bacterial"})
"""Hints that a reader need not see."""
_GAP = r"[-‐‑–\s]"
_WORD = re.compile(r"(?<![\w-])\w")
_parsed = import_module("re._parser").parse


class Place(NamedTuple):
    """The patterns of one place as one, and the hint of each of its groups."""

    pattern: re.Pattern[str]
    inside: re.Pattern[str]
    """The same at the border of a phrase that a tagger has found."""
    hints: tuple[str, ...]

    def hint(self, found: re.Match[str]) -> str:
        return self.hints[(found.lastindex or 1) - 1]


@cache
def _rows() -> tuple[tuple[str, str, str], ...]:
    """(hint, place, pattern) of each row of the table."""
    lines = resource_path("lexicon", "patterns.tsv").read_text(encoding="utf-8").splitlines()
    split = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return tuple((hint, place, pattern) for hint, place, pattern, *_ in split)


@cache
def hints_of_names() -> tuple[str, ...]:
    """All hints that a name can have."""
    return tuple(dict.fromkeys(hint for hint, place, _ in _rows() if place in places() and hint != "verb"))


@cache
def hints_of_pairs() -> tuple[str, ...]:
    """All hints that two names can have."""
    return tuple(dict.fromkeys(hint for hint, place, _ in _rows() if place in ("pair", "around", "names")))


@cache
def places() -> dict[str, Place]:
    """The patterns of one name, by place."""
    frames = {
        "after": (rf"{_GAP}{{0,2}}(?:[(\[][^()\[\]]{{1,25}}[)\]]{_GAP}?)?(?:%s)(?!\w)", rf"{_GAP}{{1,2}}(?:%s)$"),
        "before": (r"(?:%s)", r"(?:%s)(?=\w)"),
        "name": (r"(?:%s)", r"(?:%s)"),
        "chemical": (rf"{_GAP}(?:%s)(?!\w)", r"(?:%s)"),
    }
    found = {}
    for place, (frame, inside) in frames.items():
        own = [(hint, pattern) for hint, at, pattern in _rows() if at == place]
        either = "|".join(f"({pattern})" for _, pattern in own)
        flags = re.IGNORECASE if place != "name" else 0
        hints = tuple(hint for hint, _ in own)
        found[place] = Place(re.compile(frame % either, flags), re.compile(inside % either, flags), hints)
    return found


def hints_at(text: str, start: int, end: int) -> tuple[str, ...]:
    """The hints of the name at ``text[start:end]``, in the order of the text, each once.

    >>> text = "siRNA against mutant p53 blocks the human IL-2 promoter"
    >>> hints_at(text, 21, 24), hints_at(text, 42, 46)
    (('absent', 'mutant'), ('species', 'promoter'))
    """
    given = places()
    before: list[str] = []
    at = start
    for _ in range(AT_MOST):
        starts = [max(0, at - FAR) + word.start() for word in _WORD.finditer(text[max(0, at - FAR) : at])][-AT_MOST - 2 :]
        found = next(filter(None, (given["before"].pattern.fullmatch(text, start, at) for start in starts)), None)
        if found is None:
            break
        before.append(given["before"].hint(found))
        at = found.start()
    own = given["name"].pattern.fullmatch(text, start, end)
    after: list[str] = []
    at = end
    for _ in range(AT_MOST):
        found = given["after"].pattern.match(text, at)
        if found is None or given["after"].hint(found) == "verb":
            break
        after.append(given["after"].hint(found))
        at = found.end()
    return tuple(dict.fromkeys([*reversed(before), *([given["name"].hint(own)] if own else []), *after]))


def chemical_hint(text: str, end: int) -> str:
    """What the words after a chemical that ends there say, if anything.

    >>> chemical_hint("the calcium ATPase", 11)
    'inside phrase'
    """
    found = places()["chemical"].pattern.match(text, end)
    return places()["chemical"].hint(found) if found else ""


def modifier(text: str, start: int, end: int) -> str:
    """What a reader sees beside the name at ``text[start:end]``: "promoter", "absent mutant"; mostly nothing."""
    return " ".join(hint for hint in hints_at(text, start, end) if hint not in HIDDEN)


@cache
def _of_pairs(place: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((hint, re.compile(pattern)) for hint, at, pattern in _rows() if at == place)


@cache
def _around() -> tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...]:
    """Those that may stand anywhere near two names, each with pieces of text of which every match has at least one: to look
    for them is quicker than to match."""
    return tuple((hint, pattern, _one_of(_parsed(pattern.pattern, pattern.flags))) for hint, pattern in _of_pairs("around"))


def _one_of(parsed: Any) -> tuple[str, ...]:
    """Pieces of which every match of a parsed pattern (in which case counts) has one: those of the part with the longest."""
    found: list[tuple[str, ...]] = [("",)]
    literal = ""
    for operator, value in (*parsed, ("end", None)):
        name = str(operator)
        if name == "LITERAL":
            literal += chr(value)
            continue
        found.append((literal,))
        literal = ""
        if name == "BRANCH":
            found.append(tuple(piece for branch in value[1] for piece in _one_of(branch)))
        elif name == "SUBPATTERN":
            found.append(_one_of(value[-1]))
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and value[0]:
            found.append(_one_of(value[2]))
    return max(found, key=lambda pieces: min(map(len, pieces)))


def pair_hints(text: str, first: Span, second: Span) -> frozenset[str]:
    """The hints of two names at these places of a text, the first before the second.

    >>> sorted(pair_hints("the Jak-STAT pathway", (4, 7), (8, 12)))
    ['joined', 'pathway']
    """
    if not 0 <= second[0] - first[1] <= FARTHEST:
        return frozenset()
    before = text[max(0, first[0] - 2 * FAR) : first[0]]
    marked = f"{before}①{text[first[1] : second[0]]}②{text[second[1] : second[1] + FAR]}"
    names = f"{_plain(text[first[0] : first[1]])}-{_plain(text[second[0] : second[1]])}"
    found = [hint for hint, pattern in _of_pairs("pair") if pattern.match(marked, len(before))]
    found += [hint for hint, pattern, pieces in _around() if any(map(marked.__contains__, pieces)) and pattern.search(marked)]
    if "joined" in found or "either" in found:
        found += [hint for hint, pattern in _of_pairs("names") if pattern.fullmatch(names)]
    return frozenset(found)


def _plain(name: str) -> str:
    return name_key(name).replace("-", "")


def marks_cells(text: str, end: int) -> bool:
    """Whether what follows a protein that ends there says that it only names a kind of cell: "CD4+ T cells".

    By gold entities of AIMed and of the training folders of BioNLP 2009 and 2013 no such pair is related, of 682; and of 312
    such mentions in BioNLP none takes part in an interaction. Nineteen are the one theme of an
    expression (*IRF-4-positive cells*), so events about one participant keep them.

    >>> [marks_cells(text, 3) for text in ("CD4+ T cells", "CD4-treated cells")]
    [True, False]
    """
    return any(pattern.match(text, end) for _, pattern in _of_pairs("cells"))
