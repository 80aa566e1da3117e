"""A stream of documents of any length through a model: read, paired and judged, some documents at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from relhash.corpus import Document
from relhash.models.judging import predictions, structures_of
from relhash.models.prediction import Prediction
from relhash.structures import Candidate, candidates

if TYPE_CHECKING:
    from relhash.features import Code
    from relhash.models.fitted import FittedModel

BATCH = 256
"""Documents that are predicted at a time; it changes the memory, never the result."""
BATCH_OF_PARSED = 32
"""The same where documents are parsed first: that takes longer, and people want to see something."""


def candidates_of(model: FittedModel, documents: Iterable[Document]) -> Iterator[Candidate]:
    """The candidates of documents that are read already, in order."""
    wanted = model.wanted
    if wanted is None:
        return candidates(documents, model.policy, allow=model.pair_types.allow)
    return candidates(documents, model.policy, allow=lambda one: model.pair_types.allow(one) and wanted.has(one))


def annotated_stream(
    model: FittedModel, documents: Iterable[Document], *, all_candidates: bool = False
) -> Iterator[tuple[Document, list[Prediction]]]:
    """See :meth:`FittedModel.annotate <relhash.models.fitted.FittedModel.annotate>`."""
    for batch in _batches(model, documents):
        said = iter(predictions(model, [candidate for _, own in batch for candidate in own]))
        for document, own in batch:
            judged = list(islice(said, len(own)))
            yield document, [prediction for prediction in judged if prediction.is_relation or all_candidates]


def hashed_stream(
    model: FittedModel, code: Code, documents: Iterable[Document]
) -> Iterator[tuple[list[Candidate], NDArray[np.uint64]]]:
    """See :meth:`FittedModel.hash_stream <relhash.models.fitted.FittedModel.hash_stream>`."""
    for batch in _batches(model, documents):
        found = [candidate for _, own in batch for candidate in own]
        if found:
            yield found, code.learner.codes(structures_of(model, found))


def _batches(model: FittedModel, documents: Iterable[Document]) -> Iterator[list[tuple[Document, list[Candidate]]]]:
    """Documents as they are read, each with its candidates, some at a time."""
    readable = model.read(documents)
    while batch := list(islice(readable, BATCH_OF_PARSED if model.parses.uses_pipeline else BATCH)):
        yield [(document, list(candidates_of(model, [document]))) for document in batch]
