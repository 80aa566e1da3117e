"""What is given with a text, and what is to be found in it: predicting looks at the first only."""

from __future__ import annotations

from dataclasses import replace

from relhash.corpus.document import Document

NO_ANSWERS = "no_answers"
"""Key of ``Document.metadata``: the document has no file of answers, so that nothing is known of its relations."""


def without_answers(document: Document) -> Document:
    """The document without all that an answer says: relations, triggers, sites, equivalences, and attributes of them.

    Text, sentences, entities, attributes of entities, and listed candidate pairs stay: they are what somebody who has no gold
    annotation would have.

    >>> from relhash.corpus import Mention, Relation
    >>> names = (Mention("T1", "Protein", ((0, 3),), "Ras"), Mention("T2", "Binding", ((4, 9),), "binds", is_trigger=True))
    >>> gold = Document("d", "Ras binds", mentions=names, relations=(Relation("E1", "Binding", (), "T2"),))
    >>> without_answers(gold) == Document("d", "Ras binds", mentions=names[:1])
    True
    """
    given = {mention.id for mention in document.entities}
    return replace(
        document,
        mentions=document.entities,
        relations=(),
        concept_relations=(),
        attributes=tuple(attribute for attribute in document.attributes if attribute.target in given),
        equivalences=(),
        metadata={key: value for key, value in document.metadata.items() if key != NO_ANSWERS},
    )
