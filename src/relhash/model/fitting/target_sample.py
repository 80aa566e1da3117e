"""Text to adapt to, of any size: it is read document by document, and of much text only a sample is held.

Documents are drawn whole, because the candidates of a sentence belong together. A hash of id and text gives each document its
lot. Documents with the lowest lots are held as long as their candidates stay within a bound, so the sample is the same for any
order of the files and any number of processes, and less text than that is held whole. A document whose lot is too high by now
is not even parsed.
"""

from __future__ import annotations

import heapq
import warnings
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b

from relhash.candidates.candidate import Candidate
from relhash.corpus import Document
from relhash.errors import RelHashNote

MOST_CANDIDATES = 200_000
"""Candidates that are held of the text to adapt to; some hundred are enough for a good code (docs/results.md)."""
_ALL_LOTS = 1 << 64


def sampled_candidates(
    documents: Iterable[Document],
    read: Callable[[Iterable[Document]], Iterable[Document]],
    find: Callable[[list[Document]], Iterable[Candidate]],
    most: int = MOST_CANDIDATES,
) -> list[Candidate]:
    """The candidates of all documents in their order, or of a sample of at most ``most`` candidates, with a note.

    Parameters
    ----------
    documents
        Text of any size.
    read, find
        What parses documents, one after the other, and what makes candidates of one.
    """
    held: list[tuple[int, int, list[Candidate]]] = []  # a heap: the highest lot is the first
    limit, n_held, n_met = _ALL_LOTS, 0, 0

    def drawn() -> Iterator[Document]:
        nonlocal n_met
        for document in documents:
            n_met += 1
            if _lot(document) < limit:
                yield document

    for number, document in enumerate(read(drawn())):
        lot, found = _lot(document), list(find([document]))
        if not found or lot >= limit:  # it may have become too high since the document was given to a process
            continue
        heapq.heappush(held, (-lot, number, found))
        n_held += len(found)
        while n_held > most and len(held) > 1:
            highest, _, dropped = heapq.heappop(held)
            limit, n_held = -highest, n_held - len(dropped)
    if limit < _ALL_LOTS:
        warnings.warn(
            f"of the text to adapt to {len(held):,} of {n_met:,} documents were drawn ({n_held:,} candidates; at most "
            f"{most:,} are held)",
            RelHashNote,
            stacklevel=3,
        )
    return [candidate for _, _, found in sorted(held, key=lambda one: one[1]) for candidate in found]


def _lot(document: Document) -> int:
    text = f"{document.id}\0{document.text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
