"""Words of text that no tokenizer has seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from relhash.corpus.document import Token

_WORD = re.compile(r"\w+|[^\w\s]")


def split_words(text: str, start: int, end: int) -> Iterator[Token]:
    """Words, numerals and single signs of ``text[start:end]``.

    >>> [token.text for token in split_words("Ras-dependent Raf", 0, 13)]
    ['Ras', '-', 'dependent']
    """
    return (Token(match.start(), match.end(), match.group()) for match in _WORD.finditer(text, start, end))
