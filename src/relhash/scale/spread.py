"""Structures of candidates that were built on the workers of a cluster, in parts, and are here as well.

Documents that a worker has read are there already: candidates travel to it without them.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import relhash
from relhash.corpus import Document
from relhash.processes import Said, say_again, with_warnings
from relhash.scale.cluster import check_version, losses_in_words
from relhash.structures import Candidate, StructureSet, build_structures

if TYPE_CHECKING:
    from distributed import Client, Future

Place = tuple["Future[Any]", int]
"""The batch of documents that a worker has read, and the number of a document in it."""


class SpreadStructures(StructureSet):
    """The structures of all candidates, and futures of the same in parts, one after the other."""

    parts: Sequence[Future[Any]]

    @classmethod
    def build(
        cls,
        client: Client,
        candidates: Sequence[Candidate],
        views: Sequence[str],
        size: int,
        places: Mapping[int, Place],
        on_part: Callable[[], object] | None = None,
    ) -> SpreadStructures:
        """Build parts of ``size`` documents on the workers; ``places`` says which documents are there already, by identity."""
        from distributed import as_completed

        parts = []
        for part in _parts(candidates, size):
            pieces = [
                client.submit(_built, _without_documents(own, places), batch, tuple(views), relhash.__version__, pure=False)
                for batch, own in _by_batch(part, places)
            ]
            parts.append(client.submit(_joined, pieces, pure=False))
        found = []
        with losses_in_words():
            for _ in as_completed(parts):
                if on_part is not None:
                    on_part()
            for structures, said in client.gather(parts):
                say_again(said)
                found.append(structures)
        together = StructureSet.concatenate(found) if found else build_structures([], views)
        spread = cls(together.views, columns=together.columns)
        spread.parts = parts
        return spread


def _parts(candidates: Iterable[Candidate], size: int) -> Iterator[list[Candidate]]:
    """Runs of candidates of so many documents."""
    part: list[Candidate] = []
    n_documents = 0
    for _, own in groupby(candidates, key=lambda candidate: id(candidate.document)):
        if n_documents == size:
            yield part
            part, n_documents = [], 0
        part += own
        n_documents += 1
    if part:
        yield part


def _by_batch(part: Iterable[Candidate], places: Mapping[int, Place]) -> Iterator[tuple[Future[Any] | None, list[Candidate]]]:
    """Runs of candidates whose documents one worker has; without a batch where no worker has them."""

    def batch_of(candidate: Candidate) -> str:
        place = places.get(id(candidate.document))
        return "" if place is None else str(place[0].key)

    for key, run in groupby(part, key=batch_of):
        own = list(run)
        yield places[id(own[0].document)][0] if key else None, own


class _Packing(pickle.Pickler):
    def __init__(self, handle: io.BytesIO, places: Mapping[int, Place]) -> None:
        super().__init__(handle, protocol=pickle.HIGHEST_PROTOCOL)
        self._places = places

    def persistent_id(self, thing: Any) -> int | None:
        place = self._places.get(id(thing)) if isinstance(thing, Document) else None
        return None if place is None else place[1]


class _Unpacking(pickle.Unpickler):
    def __init__(self, handle: io.BytesIO, documents: Sequence[Document]) -> None:
        super().__init__(handle)
        self._documents = documents

    def persistent_load(self, number: Any) -> Document:
        return self._documents[number]


def _without_documents(candidates: Sequence[Candidate], places: Mapping[int, Place]) -> bytes:
    """The candidates as bytes; a document that a worker has is a number there."""
    handle = io.BytesIO()
    _Packing(handle, places).dump(candidates)
    return handle.getvalue()


def _built(content: bytes, batch: Any, views: Sequence[str], version: str) -> tuple[StructureSet, list[Said]]:
    check_version(version)
    documents = [] if batch is None else [document for document, _ in batch[0]]  # as Reader.read_batch gives them
    return with_warnings(lambda given: build_structures(given, views), _Unpacking(io.BytesIO(content), documents).load())


def _joined(pieces: Sequence[tuple[StructureSet, list[Said]]]) -> tuple[StructureSet, list[Said]]:
    said = [one for _, own in pieces for one in own]
    return pieces[0][0] if len(pieces) == 1 else StructureSet.concatenate([one for one, _ in pieces]), said
