"""Predictions that outlive their process: partitions of a run, whole or absent, so that a run that was killed goes on.

A partition is a run of documents of the input, each as the model read it with what the model said of its pairs. Pairs and
evidence are made again from the document, which costs little beside parsing and judging. The key of a partition is made of
everything that its rows depend on: the documents themselves, the model, the settings and the program.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from relhash.candidates.scene import scenes
from relhash.corpus import Document
from relhash.corpus.jsonl import decode_document, encode_document
from relhash.errors import RelHashError
from relhash.model.judging import BATCH_OF_PARSED, Portion, candidates_of, portions
from relhash.model.prediction import Prediction, identity_of_fit
from relhash.store import Store, installed_program

if TYPE_CHECKING:
    from relhash.model.fitted import FittedModel

DOCUMENTS = BATCH_OF_PARSED
"""Documents of a partition: what a kill may cost."""


def kept_beside(output: Path) -> Path:
    """Where the partitions of an output are until it is complete.

    >>> kept_beside(Path("results/rows.tsv")).as_posix()
    'results/rows.tsv.kept'
    """
    return output.parent / f"{output.name}.kept"


class _Partition(NamedTuple):
    key: str
    documents: list[Document]
    kept: list[Portion] | None


class KeptPredictions:
    """What a model said of the documents of a run.

    Parameters
    ----------
    folder
        Where to keep it; what other runs have left there is removed.
    model
        The model, with everything that was changed of it (threshold, types, …).
    settings
        What else the predictions depend on, as JSON takes it: the sha256 of the model's file, a lexicon, ….
    """

    def __init__(self, folder: Path, model: FittedModel, settings: Any) -> None:
        self.folder, self.model = folder, model
        run = hashlib.sha256(json.dumps([installed_program(), settings], sort_keys=True, default=str).encode()).hexdigest()
        self.store = Store(folder / run[:16], "predictions")
        for other in folder.glob("*"):
            if other != self.store.folder and other.is_dir():
                shutil.rmtree(other, ignore_errors=True)

    @property
    def n_found(self) -> int:
        """Partitions that an earlier run has left, or this one has written."""
        return sum(1 for _ in self.store.files())

    def portions(self, documents: Iterable[Document]) -> Iterator[Portion]:
        """As :func:`relhash.model.judging.portions`."""
        for is_kept, run in groupby(self._partitions(iter(documents)), lambda one: one.kept is not None):
            if is_kept:
                for partition in run:
                    yield from partition.kept or ()
            else:
                yield from self._made(run)

    def _partitions(self, documents: Iterator[Document]) -> Iterator[_Partition]:
        while own := list(islice(documents, DOCUMENTS)):
            content = json.dumps([encode_document(document) for document in own], separators=(",", ":"))
            key = hashlib.sha256(content.encode("ascii")).hexdigest()
            yield _Partition(key, own, self._recalled(key, len(own)))

    def _made(self, partitions: Iterable[_Partition]) -> Iterator[Portion]:
        """All of them as one stream, so that processes that parse read ahead; each is kept when its last document is done."""
        waiting: deque[_Partition] = deque()

        def flow() -> Iterator[Document]:
            for partition in partitions:
                waiting.append(partition)
                yield from partition.documents

        records: list[Any] = []
        n_done, begins = 0, True
        for portion in portions(self.model, flow()):
            records.append(_record(portion, begins))
            begins = portion.is_last
            n_done += begins
            if n_done == len(waiting[0].documents):
                content = json.dumps(records, separators=(",", ":"))
                self.store.put(waiting.popleft().key, content.encode("ascii"))
                records, n_done = [], 0
            yield portion

    def _recalled(self, key: str, n_documents: int) -> list[Portion] | None:
        """What is kept of these documents; None if it is not all of it."""
        content = self.store.get(key)
        if content is None:
            return None
        made_by = self.model.identity or identity_of_fit(self.model.preset, self.model.card)
        try:
            found: list[Portion] = []
            for record in json.loads(content):
                if not found or found[-1].is_last:
                    document = decode_document(record["document"])
                    candidates = candidates_of(self.model, [document])
                rows = record["rows"]
                predictions = [
                    Prediction(scene, str(relation), float(probability), float(score), bool(accepted), bool(directed), made_by)
                    for scene, (relation, probability, score, accepted, directed) in zip(
                        scenes(islice(candidates, len(rows))), rows, strict=True
                    )
                ]
                found.append(Portion(document, predictions, bool(record["last"])))
                if found[-1].is_last and next(candidates, None) is not None:
                    raise ValueError("a document has more candidates")
            if sum(portion.is_last for portion in found) != n_documents:
                raise ValueError("documents are missing")
        except (RelHashError, ValueError, TypeError, KeyError):  # as if it were not there
            self.store.drop(key)
            return None
        return found

    def remove(self) -> None:
        """The output is complete: the partitions are needed no more."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def close(self) -> None:
        """The run ends before its output is complete; a folder without partitions is removed."""
        if not self.n_found:
            self.remove()


def _record(portion: Portion, begins: bool) -> dict[str, Any]:
    """The first of a document also has the document."""
    rows = [[one.relation, one.probability, one.score, one.is_relation, one.is_directed] for one in portion.predictions]
    return {"document": encode_document(portion.document) if begins else None, "rows": rows, "last": portion.is_last}
