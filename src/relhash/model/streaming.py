"""A stream of documents of any length through a model: read, paired and judged, some at a time.

A document with very many pairs is judged in portions, runs of its sentences, so that memory does not grow with it. A row
depends on nothing but its sentence and its document, so the portions change the memory, never the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import Candidate, candidates
from relhash.candidates.candidate import TRIGGER
from relhash.corpus import Document
from relhash.model.judging import CANDIDATES_AT_A_TIME, predictions, structures_of
from relhash.model.prediction import Prediction

if TYPE_CHECKING:
    from relhash.learn import Code
    from relhash.model.fitted import FittedModel

BATCH = 256
"""Documents that are predicted at a time; it changes the memory, never the result."""
BATCH_OF_PARSED = 32
"""The same where documents are parsed first: that takes longer, and people want to see something."""

Paired = Iterable[tuple[Document, Iterator[Candidate]]]
"""Documents as they are read, each with its candidates to be taken one by one."""
Taken = tuple[Document, list[Candidate], bool]
"""A document, candidates of whole sentences of it, and whether these are its last."""


@dataclass(frozen=True, slots=True)
class Portion:
    """A document as the model read it, and what the model says of the pairs in a run of its sentences: mostly of all.

    ``is_last`` tells that the document ends with it. Every document has a last portion, if only an empty one.
    """

    document: Document
    predictions: list[Prediction]
    is_last: bool = True


def candidates_of(model: FittedModel, documents: Iterable[Document]) -> Iterator[Candidate]:
    """The candidates of documents that are read already, in order."""
    wanted, grounded = model.wanted, model.grounded
    if wanted is None and not grounded:
        return candidates(documents, model.policy, allow=model.pair_types.allow)
    return candidates(
        documents,
        model.policy,
        allow=lambda one: (
            model.pair_types.allow(one) and (wanted is None or wanted.has(one)) and (not grounded or _has_ids(one))
        ),
    )


def _has_ids(candidate: Candidate) -> bool:
    """Whether all participants have an id; a trigger is none."""
    return all(m.ids or role == TRIGGER for m, role in zip(candidate.mentions, candidate.roles, strict=True))


def portions(model: FittedModel, documents: Iterable[Document]) -> Iterator[Portion]:
    """What the model says of all candidates of a stream: nothing of it need be held longer than a portion."""
    for batch in judged_batches(model, documents):
        yield from batch


def judged_batches(model: FittedModel, documents: Iterable[Document]) -> Iterator[list[Portion]]:
    """The same, as many portions together as were judged together."""
    return (_judged(model, batch) for batch in _batches(_paired(model, documents), _documents_at_a_time(model)))


def whole(read: Iterable[Portion], *, all_candidates: bool = False) -> Iterator[tuple[Document, list[Prediction]]]:
    """Portions put together to documents with their relations, or with all their candidates."""
    gathered: list[Prediction] = []
    for portion in read:
        gathered += [one for one in portion.predictions if one.is_relation or all_candidates]
        if portion.is_last:
            yield portion.document, gathered
            gathered = []


def hashed_stream(
    model: FittedModel, code: Code, documents: Iterable[Document], on_document: Callable[[Document], object] | None = None
) -> Iterator[tuple[list[Candidate], NDArray[np.uint64]]]:
    """See :meth:`FittedModel.hash_stream <relhash.model.fitted.FittedModel.hash_stream>`."""
    for batch in _batches(_paired(model, documents), _documents_at_a_time(model)):
        for document, _, is_last in batch:
            if on_document is not None and is_last:
                on_document(document)
        found = [candidate for _, own, _ in batch for candidate in own]
        if found:
            yield found, code.learner.codes(structures_of(model, found))


def _judged(model: FittedModel, batch: list[Taken]) -> list[Portion]:
    said = iter(predictions(model, [candidate for _, own, _ in batch for candidate in own]))
    return [Portion(document, list(islice(said, len(own))), is_last) for document, own, is_last in batch]


def _documents_at_a_time(model: FittedModel) -> int:
    return BATCH_OF_PARSED if model.parses.uses_pipeline else BATCH


def _paired(model: FittedModel, documents: Iterable[Document]) -> Paired:
    return ((document, candidates_of(model, [document])) for document in model.read(documents))


def _batches(read: Paired, n_documents: int) -> Iterator[list[Taken]]:
    """As many documents as are judged together; fewer, or a part of one, if they have very many candidates.

    The candidates of one sentence stay together: they are decided jointly.
    """
    batch: list[Taken] = []
    room = CANDIDATES_AT_A_TIME
    for document, found in read:
        waiting = next(found, None)
        is_last = False
        while not is_last:
            own: list[Candidate] = []
            while waiting is not None and (room > 0 or (own and waiting.sentence == own[-1].sentence)):
                own.append(waiting)
                room -= 1
                waiting = next(found, None)
            is_last = waiting is None
            batch.append((document, own, is_last))
            if room <= 0 or len(batch) == n_documents:
                yield batch
                batch, room = [], CANDIDATES_AT_A_TIME
    if batch:
        yield batch
