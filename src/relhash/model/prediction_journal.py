"""Predictions that outlive their process: a journal by document, so that a run that was killed goes on where it ended.

A record holds what the model said of each pair of a portion, mostly of a document; the first of a document also holds the
document as the model read it. Pairs and evidence are made again from the document, which costs little beside parsing and
judging. The run after a kill reads its input from the beginning: as long as a document is the very one that the next record was
made from, the record stands for it; from the first other one on everything is done anew.
"""

from __future__ import annotations

import hashlib
import json
import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relhash.candidates.scene import scenes
from relhash.corpus import Document
from relhash.corpus.jsonl import decode_document, encode_document
from relhash.errors import RelHashError
from relhash.journal import Journal, installed_program
from relhash.model.identity import identity_of_fit
from relhash.model.prediction import Prediction
from relhash.model.streaming import Portion, candidates_of, portions, rest_of

if TYPE_CHECKING:
    from relhash.candidates import Candidate
    from relhash.model.fitted import FittedModel

SECONDS = 0.2
"""How long what is done may wait to be written: a disk takes a while for each time, however little it is."""
_LAST, _MORE = b".", b"+"
"""What a record begins with: whether its document ends with it."""


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
    n_found
        Documents that an earlier run has left, or this one has written.
    n_recalled
        Documents that :meth:`portions` has taken from an earlier run.
    """

    def __init__(self, path: Path, model: FittedModel, settings: Any) -> None:
        self.model = model
        self.journal = Journal(path, json.dumps([installed_program(), settings], sort_keys=True, default=str))
        marks = [record[:1] for record in self.journal]
        self.n_found, self._ends_within = marks.count(_LAST), marks[-1:] == [_MORE]
        self.n_recalled = 0

    @property
    def kept(self) -> str:
        """What it holds, in words; empty if it holds nothing."""
        parts = [f"{self.n_found:,} documents"] * bool(self.n_found) + ["a part of a document"] * self._ends_within
        return " and ".join(parts)

    def portions(self, documents: Iterable[Document]) -> Iterator[Portion]:
        """As :func:`relhash.model.streaming.portions`."""
        waiting = iter(documents)
        begun: _Begun | None = None
        n_records = 0
        for number in range(self.journal.n_found):
            given = next(waiting, None) if begun is None else None
            if begun is None and given is None:
                break
            recalled = self._recalled(number, given, begun)
            if recalled is None:
                waiting = waiting if given is None else chain([given], waiting)
                break
            portion, begun = recalled
            n_records += 1
            self.n_recalled += portion.is_last
            yield portion
        self.journal.cut(n_records)
        self.n_found, self._ends_within = self.n_recalled, begun is not None
        yield from self._made(waiting, begun)

    def _made(self, documents: Iterable[Document], begun: _Begun | None) -> Iterator[Portion]:
        keys: list[str] = []

        def noted() -> Iterator[Document]:
            for document in documents:
                keys.append(_key(document))
                yield document

        made = portions(self.model, noted())
        if begun is not None:
            keys.append(begun.key)
            found = islice(candidates_of(self.model, [begun.document]), begun.n_done, None)
            made = chain(rest_of(self.model, begun.document, found), made)
        unwritten: list[bytes] = []
        written_at = time.monotonic()
        begins = begun is None
        for portion in made:
            unwritten.append(_record(keys[0], portion, begins))
            begins = portion.is_last
            if begins:
                keys.pop(0)
            if time.monotonic() - written_at >= SECONDS:
                self._append(unwritten)
                unwritten, written_at = [], time.monotonic()
            yield portion
        self._append(unwritten)

    def _append(self, records: list[bytes]) -> None:
        self.journal.append(*records)
        if not self.journal.is_kept:
            self.n_found, self._ends_within = 0, False
        elif records:
            self.n_found += sum(record[:1] == _LAST for record in records)
            self._ends_within = records[-1][:1] == _MORE

    def _recalled(self, number: int, given: Document | None, begun: _Begun | None) -> tuple[Portion, _Begun | None] | None:
        """What the record says, if it was made from this document or goes on with the one that was begun; and what is begun
        after it."""
        try:
            packed = self.journal[number]
            record = json.loads(zlib.decompress(packed[1:]))
            if begun is None:
                if given is None or record["given"] != _key(given):
                    return None
                document = decode_document(record["document"])
                begun = _Begun(record["given"], document, candidates_of(self.model, [document]))
            elif record["given"] != begun.key or record["document"] is not None:
                return None
            rows, is_last = record["rows"], packed[:1] == _LAST
            made_by = self.model.identity or identity_of_fit(self.model.preset, self.model.card)
            predictions = [
                Prediction(scene, str(relation), float(probability), float(score), bool(accepted), bool(directed), made_by)
                for scene, (relation, probability, score, accepted, directed) in zip(
                    scenes(islice(begun.found, len(rows))), rows, strict=True
                )
            ]
            if is_last and next(begun.found, None) is not None:
                return None
            after = None if is_last else replace(begun, n_done=begun.n_done + len(rows))
            return Portion(begun.document, predictions, is_last), after
        except (RelHashError, OSError, zlib.error, ValueError, TypeError, KeyError):  # as if it were not there
            return None

    def close(self) -> None:
        self.journal.close()

    def remove(self) -> None:
        """The output is complete: the journal is needed no more."""
        self.journal.remove()


@dataclass(frozen=True, slots=True)
class _Begun:
    """A document as the model read it, of which the first ``n_done`` candidates are done; ``found`` are those after them."""

    key: str
    document: Document
    found: Iterator[Candidate]
    n_done: int = 0


def _record(key: str, portion: Portion, begins: bool) -> bytes:
    rows = [[one.relation, one.probability, one.score, one.is_relation, one.is_directed] for one in portion.predictions]
    record = {"given": key, "document": encode_document(portion.document) if begins else None, "rows": rows}
    packed = zlib.compress(json.dumps(record, separators=(",", ":")).encode("ascii"), 1)
    return (_LAST if portion.is_last else _MORE) + packed


def _key(document: Document) -> str:
    content = json.dumps(encode_document(document), separators=(",", ":"))
    return hashlib.sha256(content.encode("ascii")).hexdigest()
