"""Hashcodes of text of any size, as a dataset (:mod:`relhash.scale.dataset`): ``relhash hash --engine dask``."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from relhash.models.code_files import CODE_COLUMNS, code_rows
from relhash.scale.dataset import make_dataset, read_in_batches
from relhash.scale.job import HashJob
from relhash.scale.part_file import Counts, write_part
from relhash.scale.partitions import Partition

if TYPE_CHECKING:
    from distributed import Client

    from relhash.corpus import Document
    from relhash.models import FittedModel
    from relhash.structures import Candidate

    Batch = tuple[list[Document], list[Candidate], NDArray[np.uint64]]


def hash_to_dataset(job: HashJob, inputs: Sequence[Path], folder: Path, client: Client, **reading: Any) -> Counts:
    """Hash every candidate that is not in ``folder`` yet, and return the counts of all of it.

    ``reading`` is as of :func:`~relhash.scale.dataset.make_dataset`.
    """
    return make_dataset(hash_partition, job, inputs, folder, client, **reading)


def hash_partition(job: HashJob, partition: Partition, path: Path) -> Counts:
    """What a worker does: read the documents of a partition, and write the codes of their candidates to ``path``."""
    model, counts = job.loaded(), Counts()
    hashed = _hashed(model, partition, counts)
    write_part(path, code_rows(hashed, model.n_bits, bits=job.bits, made_by=model.identity), counts, CODE_COLUMNS)
    return counts


def _hashed(
    model: FittedModel, partition: Partition, counts: Counts
) -> Iterator[tuple[Sequence[Candidate], NDArray[np.uint64]]]:
    started, processor = time.perf_counter(), time.process_time()

    def make(batch: Sequence[Document]) -> Sequence[Batch]:
        read: list[Document] = []
        found = list(model.hash_stream(batch, on_document=read.append))
        candidates = [candidate for own, _ in found for candidate in own]
        return [(read, candidates, np.concatenate([codes for _, codes in found]) if found else np.empty((0, 0), np.uint64))]

    for read, found, codes in read_in_batches(partition, counts, make):
        counts.documents += len(read)
        counts.sentences += sum(len(document.sentences) for document in read)
        counts.entities += sum(len(document.entities) for document in read)
        counts.candidates += len(found)
        if found:
            yield found, codes
    counts.seconds = round(time.perf_counter() - started, 3)
    counts.cpu_seconds = round(time.process_time() - processor, 3)
