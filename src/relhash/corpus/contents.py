"""Which kinds of content a document has, by the names that :attr:`relhash.corpus.format.Format.leaves_out` uses."""

from __future__ import annotations

from relhash.corpus.document import Document


def contents(document: Document) -> frozenset[str]:
    """The parts beyond its text that ``document`` has.

    >>> from relhash.corpus.document import Sentence
    >>> contents(Document("d", "TNF binds p53.", sentences=(Sentence("s", 0, 14),)))
    frozenset({'sentences'})
    """
    related = {target for relation in document.relations for target in relation.targets}
    related |= {end for pair in document.candidates or () for end in (pair.first, pair.second)}
    present = {
        "sentences": bool(document.sentences),
        "parses": any(sentence.tokens for sentence in document.sentences),
        "unrelated mentions": any(mention.id not in related for mention in document.mentions),
        "candidate pairs": document.candidates is not None,
        "attributes": bool(document.attributes),
        "equivalences": bool(document.equivalences),
        "passages": bool(document.passages),
        "metadata": bool(document.metadata),
        "relations between ids": bool(document.concept_relations),
    }
    return frozenset(name for name, there in present.items() if there)
