"""What a model says about a candidate, as a record, as a row of a table, and as annotations of documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import tee
from typing import Any

from relhash.corpus.document import Argument, Attribute, Document, Relation
from relhash.structures.candidates import Candidate
from relhash.structures.evidence import path_tokens
from relhash.structures.scene import scenes

__all__ = ["PREDICTION_COLUMNS", "Prediction", "annotated", "candidate_row", "prediction_rows", "with_predictions"]

PREDICTION_COLUMNS = (
    "document", "sentence", "entity1", "type1", "offsets1", "ids1", "entity2", "type2", "offsets2", "ids2", "relation",
    "probability", "is_relation", "evidence",
)  # fmt: skip
"""Columns of the table of predictions, in this order."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """A candidate with its relation type, calibrated probability, raw score, and whether it is above the model's threshold."""

    candidate: Candidate
    relation: str
    probability: float
    score: float
    is_relation: bool

    @property
    def evidence(self) -> str:
        """The dependency path between the entities as text, or the words between them where there is no parse."""
        (scene,) = scenes([self.candidate])
        return " ".join(path_tokens(scene))

    def as_row(self) -> dict[str, Any]:
        """One row of the table; offsets are ``start-end`` pairs in the document, joined by ``;``."""
        (row,) = prediction_rows([self])
        return row


def prediction_rows(predictions: Iterable[Prediction]) -> Iterator[dict[str, Any]]:
    """The rows of predictions, one after the other; a sentence is prepared once for all that stand in it."""
    predictions, again = tee(predictions)
    for prediction, scene in zip(predictions, scenes(one.candidate for one in again), strict=True):
        row = candidate_row(prediction.candidate)
        row["relation"] = prediction.relation
        row["probability"] = round(prediction.probability, 6)
        row["is_relation"] = prediction.is_relation
        row["evidence"] = " ".join(path_tokens(scene))
        yield row


def candidate_row(candidate: Candidate) -> dict[str, Any]:
    """What a row says of the candidate itself: where it stands, and its participants in the order of their roles."""
    document = candidate.document
    sentence = document.sentences[candidate.sentence].id if document.sentences else ""
    row: dict[str, Any] = {"document": document.id, "sentence": sentence}
    by_role = sorted(zip(candidate.roles, candidate.mentions, strict=True), key=lambda pair: pair[0])
    for number, (_, mention) in enumerate(by_role, 1):
        row[f"entity{number}"] = mention.text
        row[f"type{number}"] = mention.type
        row[f"offsets{number}"] = ";".join(f"{start}-{end}" for start, end in mention.spans)
        row[f"ids{number}"] = ";".join(mention.ids)
    return row


def with_predictions(document: Document, predictions: Iterable[Prediction]) -> Document:
    """The document with the predicted relations in the place of its own; the probability is an attribute of each.

    Interactions with a trigger become events, without the probability.
    """
    found = [prediction for prediction in predictions if prediction.is_relation]
    if any(prediction.candidate.trigger is not None for prediction in found):
        from relhash.structures.interactions import with_interactions  # a wing that pairs do without

        return with_interactions(document, [prediction.candidate for prediction in found])
    return _with_relations(document, found, {mention.id: mention for mention in document.mentions})


def annotated(documents: Iterable[Document], predictions: Iterable[Prediction]) -> Iterator[Document]:
    """Several documents with their relations: :func:`with_predictions` for each."""
    by_document: dict[str, list[Prediction]] = {}
    for prediction in predictions:
        by_document.setdefault(prediction.candidate.document.id, []).append(prediction)
    for document in documents:
        yield with_predictions(document, by_document.get(document.id, []))


def _with_relations(document: Document, predictions: list[Prediction], mentions: Mapping[str, object]) -> Document:
    taken = set(mentions)
    relations, attributes = [], [a for a in document.attributes if a.target in taken]
    for number, prediction in enumerate(predictions, 1):
        candidate = prediction.candidate
        own_id = _free(f"R{number}", taken)
        arguments = tuple(
            Argument(role, mention.id)
            for role, mention in sorted(zip(candidate.roles, candidate.mentions, strict=True), key=lambda pair: pair[0])
        )
        relations.append(Relation(own_id, prediction.relation, arguments))
        attributes.append(Attribute(_free(f"A{number}", taken), "Probability", own_id, f"{prediction.probability:.4f}"))
    return replace(document, relations=tuple(relations), attributes=tuple(attributes))


def _free(wanted: str, taken: set[str]) -> str:
    while wanted in taken:
        wanted += "p"
    taken.add(wanted)
    return wanted
