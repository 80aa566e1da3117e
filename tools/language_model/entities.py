"""Gold entities in the tokens of the shipped tokenizer, for training."""

from __future__ import annotations

from spacy.language import Language
from spacy.tokens import Doc, Span

from relhash.corpus.document import Document


def entity_document(nlp: Language, sentence: Document) -> Doc:
    """The sentence with its mentions as entities; a mention that cuts a token (0.2% of them) is widened to it."""
    doc = nlp.make_doc(sentence.text)
    spans: list[Span] = []
    for mention in sentence.mentions:
        span = doc.char_span(mention.start, mention.end, label=mention.type, alignment_mode="expand")
        if span is not None and not (spans and spans[-1].end > span.start):
            spans.append(span)
    doc.set_ents(spans)
    return doc
