"""Two names of one thing: "tumor necrosis factor (TNF)", "the p65 RelA", RELA here and p65 there.

A pair of such names is no candidate where a corpus does not list its pairs. Each rule was kept because it removes more than
twenty negative pairs for each positive one of AIMed and of the training folders of BioNLP 2009 and 2013, by gold entities
(``benchmarks/grounding.py``; a pair counts for the first rule that holds):

====================================================  ========  ========
rule                                                  negative  positive
====================================================  ========  ========
one abbreviates the other                             569       1
the second in parentheses after the first             169       1
nothing between them                                  30        1
the text says so ("also known as")                    8         0
same id or name, elsewhere in the sentence            2883      85
a family or complex and its part, by id (FamPlex)     67        2
====================================================  ========  ========

Nearly all positive pairs of the last but one are events of one gene that regulate each other ("IL-2 mRNA stability … IL-2
secretion"), in BioNLP; in AIMed it removes one. A protein may bind itself, so the rule rests where the sentence speaks of that
(*homodimer*, *itself*), and for one name joined with itself ("c-Jun/c-Jun": eight positive pairs among 35). Two names joined by
hyphen or slash ("Fas-FADD") are often a complex (72 positive, 396 negative) and stay a pair, unless their id is the same.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import StrEnum
from functools import cached_property

from relhash.biomed.names.abbreviations import Abbreviation, abbreviations
from relhash.biomed.names.spelling import is_part, name_key
from relhash.candidates.symbols import entity_class
from relhash.corpus.document import Document, Mention, Sentence, Span


class Reason(StrEnum):
    """Why two mentions are taken for one thing."""

    ABBREVIATION = "abbreviation"
    PARENTHESES = "parentheses"
    NEIGHBOURS = "neighbours"
    CALLED = "called"
    """The text says so: "also known as"."""
    JOINED = "same id, joined"
    SAME = "same id or name"
    PART = "family or complex and its part"


_OPENING = re.compile(r"\s*[(\[]\s*")
_CLOSING = re.compile(r"\s*[)\],;]")
_ALSO_CALLED = r",?\s*(?:\(?also (?:known|called|termed|named|designated)(?: as)?|termed|designated|i\.e\.,?|namely)\s+"
_CALLED = re.compile(_ALSO_CALLED)
_LATER_THERE = re.compile(rf"(?:\s*[(\[]|{_ALSO_CALLED})[^()\[\]]{{1,60}}(?:[,;/]\s*(?:and |or )?|\s(?:and|or)\s)")
"""From a name to a later one that the text says there: "TPL-2 (COT, MAP3K8)", "Fas antigen, also termed APO-1 or CD95"."""
_JOINED = re.compile(r"\s?[-/:]\s?")
_SELF = re.compile(
    r"\bhomo-?(?:di|tri|tetra|oligo|multi|poly)mer|homotypic|homophilic|\bself-?(?:associat|interact|bind|assembl)|\bitself\b|"
    r"auto-?phosph|(?<!hetero)(?:\b|homo)(?:di|multi|oligo)meri[sz]",
    re.IGNORECASE,
)


class SameThing:
    """Asks of one document's mentions whether two of them name one thing.

    >>> text = "Tumor necrosis factor (TNF) binds TNFR1, and TNF is cleaved."
    >>> spans = [(0, 21), (23, 26), (34, 39), (45, 48)]
    >>> names = [Mention(str(n), "protein", (span,), text[slice(*span)]) for n, span in enumerate(spans)]
    >>> same = SameThing(Document("d", text, mentions=tuple(names)))
    >>> same(names[0], names[1]), same(names[0], names[2]), same(names[1], names[3])
    (<Reason.ABBREVIATION: 'abbreviation'>, None, <Reason.SAME: 'same id or name'>)
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._searched, self._found = (-1, -1), False

    def __call__(self, first: Mention, second: Mention) -> Reason | None:
        """Why the two, in surface order, are one thing; ``None`` if they are not, as two of different types never are."""
        if entity_class(first.type) != entity_class(second.type):
            return None
        text = self.document.text
        # of two that stand in each other's gaps neither comes first
        between = text[first.end : second.start] if first.end <= second.start else "…"
        nearby = (found for end in (second.end - 1, second.end, second.end + 1) for found in self._abbreviations.get(end, ()))
        if any(_explains(found, first, second) for found in nearby):
            return Reason.ABBREVIATION
        if _OPENING.fullmatch(between) and _CLOSING.match(text, second.end):
            return Reason.PARENTHESES
        is_same_name = name_key(first.called) == name_key(second.called)
        if not between.strip() and not is_same_name:
            return Reason.NEIGHBOURS
        if _CALLED.fullmatch(between):
            return Reason.CALLED
        is_same = is_same_name or not set(first.ids).isdisjoint(second.ids)
        if is_same and _LATER_THERE.fullmatch(between):
            return Reason.PARENTHESES
        is_joined = _JOINED.fullmatch(between) is not None
        if is_same and not (is_joined and is_same_name) and not self._speaks_of_itself(first, second):
            return Reason.JOINED if is_joined else Reason.SAME
        if is_part(first.ids, second.ids) or is_part(second.ids, first.ids):
            return Reason.PART
        return None

    @cached_property
    def _abbreviations(self) -> dict[int, list[Abbreviation]]:
        """By where each of their two sides ends."""
        found: dict[int, list[Abbreviation]] = {}
        for one in abbreviations(self.document.text):
            for _, end in {one.long_span, one.short_span}:
                found.setdefault(end, []).append(one)
        return found

    @cached_property
    def _sentences(self) -> list[Sentence]:
        return sorted(self.document.sentences, key=lambda sentence: sentence.start)

    def _speaks_of_itself(self, first: Mention, second: Mention) -> bool:
        sentences = self._sentences
        number = bisect_right(sentences, first.start, key=lambda sentence: sentence.start) - 1
        if number >= 0 and first.start < sentences[number].end:
            return self._says_itself(sentences[number].start, sentences[number].end)
        return self._says_itself(max(0, first.start - 100), second.end + 100)

    def _says_itself(self, start: int, end: int) -> bool:
        if self._searched != (start, end):  # mostly asked again of the same sentence
            self._searched = (start, end)
            self._found = _SELF.search(self.document.text, start, end) is not None
        return self._found


def _explains(found: Abbreviation, first: Mention, second: Mention) -> bool:
    """Whether the two mentions are the two sides of an abbreviation."""
    sides = ((found.long_span, found.short_span), (found.short_span, found.long_span))
    return any(_is_at_end(one, first) and _is_at_end(other, second) for one, other in sides)


def _is_at_end(span: Span, mention: Mention) -> bool:
    return mention.start < span[1] and span[0] < mention.end and abs(mention.end - span[1]) <= 1
