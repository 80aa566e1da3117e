"""Entities replaced by one noun before parsing, because protein names break parsers, and the parse mapped back.

A mention of several tokens ("PAK1 - binding protein 2") becomes one word that the parser knows as a noun. Afterwards its last
token stands where the placeholder stood, and the others hang on it as ``compound`` (hyphens and slashes as ``punct``).
"""

from __future__ import annotations

from collections.abc import Sequence

from relhash.corpus.document import Mention, Span
from relhash.language.entities import entity_type

PLACEHOLDERS = {"protein": "PROT", "chemical": "CHEM", "disease": "DISEASE"}
"""Type of a mention → word that stands for it; other types use ``PROT``."""


def placeholder(mention_type: str) -> str:
    return PLACEHOLDERS.get(mention_type, "PROT")


def blinded_groups(spans: Sequence[Span], mentions: Sequence[Mention]) -> list[tuple[int, int, str]]:
    """Which runs of tokens become one word: (first token, token after the last, placeholder), in order, not overlapping.

    Discontinuous mentions, triggers of interactions, and mentions whose ends cut a token are left as they are; of nested
    mentions the longest is taken.

    >>> from relhash.corpus.document import Mention
    >>> pak1 = Mention("T1", "protein", ((4, 15),), "PAK1 kinase")
    >>> blinded_groups([(0, 3), (4, 8), (9, 15), (16, 21)], [pak1])
    [(1, 3, 'PROT')]
    """
    first_at = {start: index for index, (start, _) in enumerate(spans)}
    last_at = {end: index for index, (_, end) in enumerate(spans)}
    runs = [
        (first_at[mention.start], last_at[mention.end] + 1, placeholder(entity_type(mention.type)))
        for mention in mentions
        if not mention.is_trigger and not mention.is_discontinuous and mention.start in first_at and mention.end in last_at
    ]
    runs.sort(key=lambda run: (run[0] - run[1], run[0]))  # longest first, then leftmost
    taken = bytearray(len(spans))
    chosen = []
    for first, after, word in runs:
        if first < after and not any(taken[first:after]):
            taken[first:after] = b"\x01" * (after - first)
            chosen.append((first, after, word))
    return sorted(chosen)
