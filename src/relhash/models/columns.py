"""The columns of the table of predictions: where a candidate stands, what the model says of it, and columns of your own.

A column is a function from a prediction and its scene (the candidate in its prepared sentence) to a value. A script registers
one, a package offers one by an entry point of ``relhash.columns``; every table has it from then on, as the last::

    COLUMNS.register("surprise", Column(lambda prediction, scene: -log(prediction.probability), float))

>>> prediction_columns()[-4:]
('relation', 'probability', 'is_relation', 'evidence')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import tee
from typing import Any

from relhash.models.prediction import Prediction
from relhash.registry import Registry
from relhash.structures.candidates import Candidate
from relhash.structures.evidence import path_tokens
from relhash.structures.scene import Scene, scenes

__all__ = ["CANDIDATE_COLUMNS", "COLUMNS", "Column", "candidate_row", "prediction_columns", "prediction_rows"]

CANDIDATE_COLUMNS = (
    "document", "sentence", "entity1", "type1", "offsets1", "ids1", "entity2", "type2", "offsets2", "ids2",
)  # fmt: skip
"""What every table says of the candidate itself, in this order."""


@dataclass(frozen=True)
class Column:
    """What a table says of a prediction.

    Attributes
    ----------
    value
        ``value(prediction, scene)`` gives the cell.
    kind
        Type of the cells: ``str``, ``float``, ``int`` or ``bool`` (files with typed columns want to know).
    """

    value: Callable[[Prediction, Scene], Any]
    kind: type = str


COLUMNS: Registry[Column] = Registry(
    "column",
    "relhash.columns",
    {
        "relation": Column(lambda prediction, scene: prediction.relation),
        "probability": Column(lambda prediction, scene: round(prediction.probability, 6), float),
        "is_relation": Column(lambda prediction, scene: prediction.is_relation, bool),
        "evidence": Column(lambda prediction, scene: " ".join(path_tokens(scene))),
    },
)
"""Columns after those of the candidate, in the order of their registration."""


def prediction_columns() -> tuple[str, ...]:
    """All columns of the table of predictions, in order."""
    return (*CANDIDATE_COLUMNS, *COLUMNS)


def prediction_rows(predictions: Iterable[Prediction]) -> Iterator[dict[str, Any]]:
    """The rows of predictions, one after the other; a sentence is prepared once for all that stand in it."""
    columns = {name: COLUMNS[name] for name in COLUMNS}
    predictions, again = tee(predictions)
    for prediction, scene in zip(predictions, scenes(one.candidate for one in again), strict=True):
        row = candidate_row(prediction.candidate)
        for name, column in columns.items():
            row[name] = column.value(prediction, scene)
        yield row


def candidate_row(candidate: Candidate) -> dict[str, Any]:
    """What a row says of the candidate itself: where it stands, and its participants in the order of their roles.

    Offsets are ``start-end`` pairs in the document, joined by ``;``.
    """
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
