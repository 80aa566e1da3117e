"""What a reader left out of a document: counts in its metadata, so that they travel with it and add up over a corpus.

A reader that has to drop something that people annotated (a string that does not occur in its sentence) writes
``left_out(counts)`` into the metadata of the document; ``relhash inspect`` shows the sums.
"""

from __future__ import annotations

from collections.abc import Mapping

from relhash.corpus.document import Document

_PREFIX = "left out: "


def left_out(counts: Mapping[str, int]) -> dict[str, str]:
    """Metadata for these counts; what did not happen is not mentioned.

    >>> left_out({"strings not found": 2, "test rows": 0})
    {'left out: strings not found': '2'}
    """
    return {f"{_PREFIX}{what}": str(count) for what, count in counts.items() if count}


def counts_left_out(document: Document) -> dict[str, int]:
    """The counts of a document.

    >>> counts_left_out(Document("d", "", metadata={"pmid": "7", **left_out({"strings not found": 2})}))
    {'strings not found': 2}
    """
    return {
        name.removeprefix(_PREFIX): int(value)
        for name, value in document.metadata.items()
        if name.startswith(_PREFIX) and value.isdecimal()
    }
