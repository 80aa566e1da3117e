"""The sentence of a meaning graph, and the places of the words that its alignments count."""

from __future__ import annotations

import re
from collections.abc import Mapping

from relhash.corpus.document import Span

_GLUED = re.compile(r"@(.+)@\Z")


def sentence_of(metadata: Mapping[str, str], text: str | None) -> tuple[str, tuple[Span, ...]]:
    """The sentence and the spans of the words that alignments count: those of ``::tok``, else those between blanks.

    Tokens are looked up in the sentence as it was written; where that fails, the sentence is put together from the tokens.
    """
    sentence = text if text is not None else metadata.get("snt", "")
    tokens = [_GLUED.sub(r"\1", token) for token in metadata.get("tok", "").split()]
    if sentence and not tokens:
        return sentence, tuple(match.span() for match in re.finditer(r"\S+", sentence))
    if sentence:
        spans: list[Span] = []
        position = 0
        for token in tokens:
            start = sentence.find(token, position)
            if start < 0:
                break
            position = start + len(token)
            spans.append((start, position))
        if len(spans) == len(tokens) or text is not None:
            return sentence, tuple(spans)
    return _joined_tokens(metadata.get("tok", "").split())


def _joined_tokens(tokens: list[str]) -> tuple[str, tuple[Span, ...]]:
    """``starvation @-@ induced`` as it was before tokenisation.

    >>> _joined_tokens(["starvation", "@-@", "induced"])
    ('starvation-induced', ((0, 10), (10, 11), (11, 18)))
    """
    text, spans, glue = "", [], True
    for token in tokens:
        match = _GLUED.match(token)
        word = match[1] if match else token
        if not glue and not match:
            text += " "
        spans.append((len(text), len(text) + len(word)))
        text += word
        glue = match is not None
    return text, tuple(spans)
