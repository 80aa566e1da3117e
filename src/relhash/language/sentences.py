"""Sentences of a plain text by rules alone, for readers that need sentences before anything is parsed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from threading import Lock
from typing import Any

from relhash.corpus.document import Document, Sentence
from relhash.language.words import spans_of, token_spans, words_of_text

_lock = Lock()
"""The tokenizer remembers words, and all threads share it."""


@cache
def _rules() -> Any:
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return nlp


def split_sentences(document: Document) -> Document:
    """The document with sentences from spaCy's rules; one that has sentences already is returned as it is.

    >>> document = split_sentences(Document("d1", "Ras binds Raf. It phosphorylates MEK."))
    >>> [document.text[sentence.start:sentence.end] for sentence in document.sentences]
    ['Ras binds Raf.', 'It phosphorylates MEK.']
    """
    if document.sentences:
        return document
    from spacy.tokens import Doc

    with _lock:
        nlp = _rules()
        words = words_of_text(document, lambda text: token_spans(lambda run: spans_of(nlp.tokenizer(run)), text))
        if not words.texts:
            return document
        parsed = nlp.get_pipe("sentencizer")(Doc(nlp.vocab, words=list(words.texts), spaces=list(words.spaces)))
        firsts = [
            index for index, (token, start) in enumerate(zip(parsed, words.starts, strict=True)) if token.is_sent_start or start
        ]
    bounds = zip(firsts, [*firsts[1:], len(words.spans)], strict=True)
    return replace(
        document,
        sentences=tuple(
            Sentence(f"{document.id}.s{number}", words.spans[first][0], words.spans[after - 1][1])
            for number, (first, after) in enumerate(bounds)
        ),
    )
