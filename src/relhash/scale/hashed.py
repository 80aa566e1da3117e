"""An index of text of any size (:mod:`relhash.models.index`), part by part: ``relhash hash MODEL TEXT -o index/``.

The hash functions are learned here, from documents all over the text; then any process makes any part. So the files are the
same on one machine and on a Dask cluster.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relhash.models.index import CODES, Index, pairs_of
from relhash.scale.dataset import make_dataset, read_in_batches
from relhash.scale.job import HashJob
from relhash.scale.part_file import Counts
from relhash.scale.partitions import Partition

if TYPE_CHECKING:
    from distributed import Client

    from relhash.corpus import Document
    from relhash.models import FittedModel
    from relhash.structures import Candidate

SAMPLED_PARTITIONS, SAMPLED_DOCUMENTS = 16, 256
"""From how many places of the text, and from how many documents in all, the hash functions are learned."""


def make_index(job: HashJob, inputs: Sequence[Path], folder: Path, client: Client | None = None, **reading: Any) -> Counts:
    """Put every pair that is not in the index yet into it, and return the counts of all of it.

    ``reading`` is as of :func:`~relhash.scale.dataset.make_dataset`.
    """

    def learn(partitions: Sequence[Partition]) -> None:
        if not (folder / CODES).exists():
            model = job.loaded()
            Index.learned(model, model.read(_sample(partitions)), folder, n_bits=job.n_bits, random_state=job.seed)

    return make_dataset(index_partition, job, inputs, folder, client, prepare=learn, **reading)


def index_partition(job: HashJob, partition: Partition, path: Path) -> Counts:
    """What a worker does: read the documents of a partition, and write their pairs to ``path``."""
    counts = Counts()

    def counted() -> dict[str, Any]:
        counts.rows = counts.candidates
        return {**asdict(counts), "seconds": 0.0, "cpu_seconds": 0.0}  # the same text gives the same bytes

    index = _opened(path.parent, (path.parent / CODES).stat().st_mtime_ns, job.parses)
    index.write_part(path, _pairs(job.loaded(), partition, counts), counted)
    return counts


@lru_cache(maxsize=2)
def _opened(folder: Path, modified: int, parses: str | None) -> Index:
    return Index.open(folder, parses=parses)


def _pairs(model: FittedModel, partition: Partition, counts: Counts) -> Iterator[list[Candidate]]:
    started, processor = time.perf_counter(), time.process_time()

    def make(batch: Sequence[Document]) -> Sequence[tuple[list[Document], list[Candidate]]]:
        read = list(model.read(batch))
        return [(read, list(pairs_of(model, read)))]

    for read, found in read_in_batches(partition, counts, make):
        counts.documents += len(read)
        counts.sentences += sum(len(document.sentences) for document in read)
        counts.entities += sum(len(document.entities) for document in read)
        counts.candidates += len(found)
        yield found
    counts.seconds = round(time.perf_counter() - started, 3)
    counts.cpu_seconds = round(time.process_time() - processor, 3)


def _sample(partitions: Sequence[Partition]) -> Iterator[Document]:
    """Documents from all over the text, the same however many workers there are."""
    chosen = _spread(partitions, SAMPLED_PARTITIONS)
    for partition in chosen:
        yield from _spread(list(partition.documents([])), SAMPLED_DOCUMENTS // len(chosen))


def _spread(items: Sequence[Any], n: int) -> list[Any]:
    """At most ``n`` of the items, at equal distances."""
    step = max(1, -(-len(items) // n))
    return list(items[::step])
