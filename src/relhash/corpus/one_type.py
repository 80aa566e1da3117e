"""All relations of a corpus under one name, for corpora whose names are verbs (NERO has thousands) or that are to be mixed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from relhash.corpus.document import Document, Relation


def with_one_type(documents: Iterable[Document], name: str) -> Iterator[Document]:
    """The documents with every relation of the type ``name``; relations that then say the same are one.

    >>> from relhash.corpus.document import Argument
    >>> ends = (Argument("e1", "T1"), Argument("e2", "T2"))
    >>> document = Document("d", "", relations=(Relation("R1", "binds", ends), Relation("R2", "inhibits", ends)))
    >>> [(relation.id, relation.type) for relation in next(with_one_type([document], "interaction")).relations]
    [('R1', 'interaction')]
    """
    for document in documents:
        kept: dict[object, Relation] = {}
        used = {target for relation in document.relations for target in relation.targets}
        used |= {attribute.target for attribute in document.attributes}
        for relation in document.relations:
            # what others refer to by its id must stay
            key = relation.id if relation.id in used or relation.trigger else relation.arguments
            kept.setdefault(key, replace(relation, type=name))
        of_concepts = tuple(replace(relation, type=name) for relation in document.concept_relations)
        yield replace(document, relations=tuple(kept.values()), concept_relations=of_concepts)
