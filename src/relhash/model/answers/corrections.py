"""Names that people corrected while they answered: where a name begins and ends, and its id.

A correction is written as one would say it: the words as they stand in the sentence, ids in brackets behind them, or ids alone.
The words share a character with the name that they correct, which tells where they stand, so a sheet can hold a correction too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, repeat

from relhash.candidates.candidate import Candidate, overlap
from relhash.corpus.document import Document, Mention
from relhash.errors import ParameterError

LONGEST = 300
"""Characters of a correction, and how far from the name its words are looked for."""

Corrections = Mapping[str, Document]
"""Document id → the document with its names as they should be."""


def corrected_mention(mention: Mention, said: str, text: str) -> Mention:
    """The mention as somebody says it should be, in its ``text``; the ids of other words are not its ids.

    >>> text = "The IL-2\\nreceptor binds JAK1."
    >>> found = corrected_mention(Mention("T1", "protein", ((4, 8),), "IL-2", ("HGNC:6001",)), "IL-2 receptor", text)
    >>> found.spans, found.text, found.ids
    (((4, 17),), 'IL-2\\nreceptor', ())
    >>> corrected_mention(found, "[HGNC:6008]", text).ids
    ('HGNC:6008',)
    """
    words, bracket, ids = said.strip().removesuffix("]").rpartition("[") if said.strip().endswith("]") else (said, "", "")
    named = tuple(one.strip() for one in ids.split(";") if one.strip())
    if not words.strip():
        return replace(mention, ids=named, certainty=1.0)
    span = _place(mention, words, text)
    if span is None:
        raise ParameterError(
            f"{words.strip()!r} is no other cut of {mention.text!r}; give words of the sentence that overlap it, or [an id]"
        )
    if (span,) == mention.spans:
        return replace(mention, ids=named if bracket else mention.ids, certainty=1.0)
    return replace(mention, spans=(span,), text=text[slice(*span)], ids=named, certainty=1.0, name="")


def _place(mention: Mention, words: str, text: str) -> tuple[int, int] | None:
    """Where the words stand, whatever blanks are between them: of several places the one that shares most with the mention."""
    around = range(max(0, mention.start - LONGEST), min(len(text), mention.end + LONGEST))
    solid = [place for place in around if not text[place].isspace()]
    looked_at, wanted = "".join(text[place] for place in solid), "".join(words.split())
    best, span, begin = 0, None, looked_at.find(wanted) if len(wanted) <= LONGEST else -1
    while begin >= 0:
        start, end = solid[begin], solid[begin + len(wanted) - 1] + 1
        shared = min(end, mention.end) - max(start, mention.start)
        if shared > best:
            best, span = shared, (start, end)
        begin = looked_at.find(wanted, begin + 1)
    return span


def corrections(said: Iterable[tuple[Candidate, Sequence[str]]]) -> Corrections:
    """The documents as they should be, by what was said of each candidate's participants; of a name the last counts."""
    found: dict[str, tuple[Document, dict[str, Mention]]] = {}
    for candidate, names in said:
        for mention, name in zip(candidate.participants, names, strict=False):
            if name:
                _, own = found.setdefault(candidate.document.id, (candidate.document, {}))
                with suppress(ParameterError):  # what was said before of a name that is cut in another way now
                    own[mention.id] = corrected_mention(mention, name, candidate.document.text)
    return {
        name: replace(document, mentions=tuple(own.get(one.id, one) for one in document.mentions))
        for name, (document, own) in found.items()
    }


def corrected(candidate: Candidate, found: Corrections) -> Candidate:
    """The same candidate in the corrected document."""
    document = found.get(candidate.document.id, candidate.document)
    mentions = tuple(document.mention_by_id.get(one.id, one) for one in candidate.mentions)
    return candidate if document is candidate.document else replace(candidate, document=document, mentions=mentions)


def check_names(candidate: Candidate, names: Sequence[str]) -> None:
    """Raise if a correction cannot be understood, or makes both names one."""
    text = candidate.document.text
    said = zip(candidate.participants, chain(names, repeat("")), strict=False)
    first, *others = [corrected_mention(mention, name, text) if name else mention for mention, name in said]
    if any(names) and any(overlap(first, other) for other in others):
        raise ParameterError("the names would overlap: a pair has two")
