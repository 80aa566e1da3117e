"""Predictions that outlive their process: a journal by document, so that a run that was killed goes on where it ended.

A record holds a document as the model read it and what it said of each pair. Pairs and evidence are made again from the
document, which costs little beside parsing and judging. The run after a kill reads its input from the beginning: as long as a
document is the very one that the next record was made from, the record stands for it; from the first other one on everything is
done anew.
"""

from __future__ import annotations

import hashlib
import json
import time
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relhash.corpus import Document
from relhash.corpus.jsonl import encode_document
from relhash.corpus.jsonl_decoding import decode_document
from relhash.errors import RelHashError
from relhash.journal import Journal, installed_program
from relhash.models.identity import identity_of_fit
from relhash.models.prediction import Prediction
from relhash.models.streaming import candidates_of
from relhash.structures.scene import scenes

if TYPE_CHECKING:
    from relhash.models.fitted import FittedModel

SECONDS = 0.2
"""How long what is done may wait to be written: a disk takes a while for each time, however little it is."""

Annotated = tuple[Document, list[Prediction]]


def journal_beside(output: Path) -> Path:
    """Where the journal of an output is: beside it, under its name.

    >>> journal_beside(Path("results/rows.tsv")).as_posix()
    'results/rows.tsv.journal'
    """
    return output.parent / f"{output.name}.journal"


class PredictionJournal:
    """What a model said of the documents of a run.

    Parameters
    ----------
    path
        The file to keep it in.
    model
        The model, with everything that was changed of it (threshold, types, …).
    settings
        What else the predictions depend on, as JSON takes it: the sha256 of the model's file, a lexicon, ….

    Attributes
    ----------
    n_recalled
        Documents that :meth:`annotate` has taken from an earlier run.
    """

    def __init__(self, path: Path, model: FittedModel, settings: Any) -> None:
        self.model = model
        self.journal = Journal(path, json.dumps([installed_program(), settings], sort_keys=True, default=str))
        self.n_recalled = 0

    @property
    def n_found(self) -> int:
        """Documents that an earlier run has left."""
        return self.journal.n_found

    def annotate(self, documents: Iterable[Document]) -> Iterator[Annotated]:
        """As :meth:`FittedModel.annotate <relhash.models.fitted.FittedModel.annotate>`, with all candidates."""
        waiting = iter(documents)
        for number in range(self.n_found):
            given = next(waiting, None)
            if given is None:
                break
            recalled = self._recalled(number, given)
            if recalled is None:
                waiting = chain([given], waiting)
                break
            self.n_recalled += 1
            yield recalled
        self.journal.cut(self.n_recalled)
        yield from self._made(waiting)

    def _made(self, documents: Iterable[Document]) -> Iterator[Annotated]:
        keys: list[str] = []

        def noted() -> Iterator[Document]:
            for document in documents:
                keys.append(_key(document))
                yield document

        unwritten: list[bytes] = []
        written_at = time.monotonic()
        for document, predictions in self.model.annotate(noted(), all_candidates=True):
            unwritten.append(_record(keys.pop(0), document, predictions))
            if time.monotonic() - written_at >= SECONDS:
                self.journal.append(*unwritten)
                unwritten, written_at = [], time.monotonic()
            yield document, predictions
        self.journal.append(*unwritten)

    def _recalled(self, number: int, given: Document) -> Annotated | None:
        """What the record says, if it was made from this document."""
        try:
            record = json.loads(zlib.decompress(self.journal[number]))
            if record["given"] != _key(given):
                return None
            document = decode_document(record["document"])
            found = list(candidates_of(self.model, [document]))
            made_by = self.model.identity or identity_of_fit(self.model.preset, self.model.card)
            return document, [
                Prediction(
                    scene, str(relation), float(probability), float(score), bool(accepted), bool(directed), made_by
                )
                for scene, (relation, probability, score, accepted, directed) in zip(
                    scenes(found), record["rows"], strict=True
                )
            ]
        except (RelHashError, OSError, zlib.error, ValueError, TypeError, KeyError):  # as if it were not there
            return None

    def close(self) -> None:
        self.journal.close()

    def remove(self) -> None:
        """The output is complete: the journal is needed no more."""
        self.journal.remove()


def _record(key: str, document: Document, predictions: Iterable[Prediction]) -> bytes:
    rows = [[one.relation, one.probability, one.score, one.is_relation, one.is_directed] for one in predictions]
    record = {"given": key, "document": encode_document(document), "rows": rows}
    return zlib.compress(json.dumps(record, separators=(",", ":")).encode("ascii"), 1)


def _key(document: Document) -> str:
    content = json.dumps(encode_document(document), separators=(",", ":"))
    return hashlib.sha256(content.encode("ascii")).hexdigest()
