"""Offsets that miss their mention by a little: found again where the mention's text says, counted, and told once at the end.

Annotated files carry a copy of each mention's text. Where the offsets show something else, the copy is looked for around them.
If it stands there **exactly once** within :data:`NEAR` characters, and no other mention has that very place, the offsets are
moved there. Anything else stays an error: a name that occurs twice nearby may be either, and one farther away is likely another
mention of the same thing.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from relhash.corpus.document import Document, Mention, Span, spanned_text
from relhash.errors import CorpusError, RelHashWarning

NEAR = 30
"""Characters that offsets may be off. What shifts them in practice (an inclusive end, a lost blank, ``&amp;`` counted as five,
an umlaut counted as two bytes, ``\\r\\n`` for a line end) adds up to a few; a sentence, where the next mention of the same name
may stand, is longer than a hundred."""
_SHOWN = 3


@dataclass(slots=True)
class Repairs:
    """The offsets that were moved while one corpus was read."""

    places: list[str] = field(default_factory=list)

    def moved(
        self, text: str, spans: Sequence[Span], wanted: str, *, path: Path, where: int | str, taken: Collection[object] = ()
    ) -> tuple[Span, ...] | None:
        """Where ``wanted`` stands near ``spans`` (see above), or nothing; ``taken`` are the spans of other mentions."""
        if len(spans) > 1:
            found = _shifted(text, spans, wanted)
        else:
            found = [(place,) for place in _nearby(text, spans[0][0], wanted)] if spans else []
        if len(found) != 1 or found[0] in taken:
            return None
        place = f"{path}:{where}" if isinstance(where, int) else f"{path} [{where}]"
        self.places.append(f"{place} {wanted[:40]!r} {_written(spans)} → {_written(found[0])}")
        return found[0]

    def report(self) -> None:
        """Warn once, with the count and the first places."""
        if self.places:
            listed = "; ".join(self.places[:_SHOWN]) + ("; …" if len(self.places) > _SHOWN else "")
            count = f"{len(self.places):,} mention{'s' * (len(self.places) != 1)}"
            warnings.warn(
                f"the offsets of {count} did not fit and were moved to where the text stands, at most {NEAR} characters away: "
                f"{listed}",
                RelHashWarning,
                stacklevel=2,
            )


def agrees(wanted: str, text: str, spans: Sequence[Span]) -> bool:
    """Whether the copy of a mention's text is what its offsets show; blanks do not count, and a copy may fill the gaps.

    >>> agrees("T cells", "T and B cells", [(0, 1), (8, 13)]), agrees("TNF", "a TNF", [(1, 4)])
    (True, False)
    """
    if not wanted or not spans:
        return True
    if spans[-1][1] > len(text):
        return False
    plain = _squeezed(wanted)
    return plain == _squeezed("".join(text[start:end] for start, end in spans)) or (
        len(spans) > 1 and plain == _squeezed(text[spans[0][0] : spans[-1][1]])
    )


def occurrences(name: str, text: str) -> list[Span]:
    """Where ``name`` stands as words of its own; if nowhere, where it stands at all.

    >>> occurrences("TNF", "TNFR binds TNF"), occurrences("TNF", "TNFR")
    ([(11, 14)], [(0, 3)])
    """
    for pattern in (rf"(?<!\w){re.escape(name)}(?!\w)", re.escape(name)):
        places = [match.span() for match in re.finditer(pattern, text)]
        if places:
            return places
    return []


def wrong_offsets(
    wanted: str, text: str, spans: Sequence[Span], *, path: Path | str, where: int | str, counted: str = ""
) -> CorpusError:
    """The error for offsets that could not be repaired."""
    outside = next((span for span in spans if not 0 <= span[0] < span[1] <= len(text)), None)
    if outside is not None:
        problem = f"offsets {outside[0]}-{outside[1]} lie outside the text of {len(text)} characters"
    else:
        shown = spanned_text(text, spans)
        problem = f"the mention should be {wanted!r} but its offsets give {shown!r}"
    rule = counted or "offsets count characters from 0, the end is exclusive"
    return CorpusError(
        problem, path=path, where=where, remedy=f"{rule}; correct them, or leave out what is broken (--lenient)"
    )  # fmt: skip


def with_mentions_in_place(
    document: Document, repairs: Repairs | None, place: Callable[[Mention], tuple[Path, int | str]], *, counted: str = ""
) -> Document:
    """The document with all mentions where their text stands; an error for one that cannot be put there.

    ``place`` tells file and line (or id) of a mention, ``counted`` how this format counts. Without ``repairs`` nothing moves.
    """
    text = document.text
    mentions = list(document.mentions)
    wrong = [number for number, mention in enumerate(mentions) if not _fits(mention.text, text, mention.spans)]
    if not wrong:
        return document
    broken = set(wrong)
    taken: set[object] = {mention.spans for number, mention in enumerate(mentions) if number not in broken}
    for number in wrong:
        mention = mentions[number]
        path, where = place(mention)
        moved = None
        if repairs is not None:
            moved = repairs.moved(text, mention.spans, mention.text, path=path, where=where, taken=taken)
        if moved is None:
            raise wrong_offsets(mention.text, text, mention.spans, path=path, where=where, counted=counted)
        taken.add(moved)
        mentions[number] = replace(mention, spans=moved)
    return replace(document, mentions=tuple(mentions))


def _fits(wanted: str, text: str, spans: Sequence[Span]) -> bool:
    return all(0 <= start < end <= len(text) for start, end in spans) and agrees(wanted, text, spans)


def _nearby(text: str, start: int, wanted: str) -> list[Span]:
    """Occurrences that begin at most :data:`NEAR` characters from ``start``; blanks in ``wanted`` match any white space."""
    words = wanted.split()
    if not words or start > len(text) + NEAR:  # far beyond the text, perhaps farther than a position can be
        return []
    first, last = max(0, start - NEAR), max(0, start + NEAR)
    body = r"\s+".join(map(re.escape, words))
    for pattern in (rf"(?<!\w){body}(?!\w)", body):
        window = re.compile(pattern)
        places = []
        position = first
        while match := window.search(text, position, last + 2 * len(wanted) + 1):
            if match.start() > last:
                break
            places.append(match.span())
            position = match.start() + 1
        if places:
            return places
    return []


def _shifted(text: str, spans: Sequence[Span], wanted: str) -> list[tuple[Span, ...]]:
    """A mention in several pieces moves as a whole."""
    found = []
    for shift in range(-NEAR, NEAR + 1):
        moved = tuple((start + shift, end + shift) for start, end in spans)
        if moved[0][0] >= 0 and moved[-1][1] <= len(text) and agrees(wanted, text, moved):
            found.append(moved)
    return found


def _written(spans: Sequence[Span]) -> str:
    return ",".join(f"{start}-{end}" for start, end in spans)


def _squeezed(text: str) -> str:
    return "".join(text.split())
