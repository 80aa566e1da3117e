"""Text of any size in partitions, read here or on a Dask cluster, each written whole or not at all.

``relhash predict --engine dask`` makes relations of them (:func:`predict_to_dataset`), ``relhash hash MODEL TEXT -o index/`` an
index (:func:`make_index`), whose hash functions are learned first, from documents all over the text. A row depends on nothing
but its document, so the files are the same however the text is cut and whichever process reads it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from relhash.errors import DataMissingError, ModelFileError, RelHashError
from relhash.files import check_place
from relhash.model.index import CODES, Index, pairs_of
from relhash.model.tables.columns import table_columns
from relhash.processes import in_order, n_processes
from relhash.scale.cluster import LOST
from relhash.scale.job import HashJob, Job, PredictionJob
from relhash.scale.manifest import Counts, Manifest, read_counts, write_part
from relhash.scale.partitions import InputChangedError, Partition, count_documents, cut, find_files

if TYPE_CHECKING:
    from distributed import Client

    from relhash.candidates import Candidate
    from relhash.corpus import Document
    from relhash.model import FittedModel


PARTITION_SIZE = 1000
"""Documents of a partition: abstracts for about a minute of a worker."""
DOCUMENTS_AT_A_TIME = 32
_OURS = (ModelFileError, DataMissingError, InputChangedError, OSError, MemoryError)
"""Errors that are no document's fault."""

Made = TypeVar("Made")
OneJob = TypeVar("OneJob", bound=Job)
MakePart = Callable[[OneJob, Partition, Path], Counts]
"""What a worker does: reads the documents of a partition, and writes their rows to a file."""


def make_dataset(
    make_part: MakePart[OneJob],
    job: OneJob,
    inputs: Sequence[Path],
    folder: Path,
    client: Client | None,
    *,
    format: str | None = None,
    encoding: str | None = None,
    partition_size: int = PARTITION_SIZE,
    n_jobs: int | None = None,
    prepare: Callable[[Sequence[Partition]], object] | None = None,
    on_partition: Callable[[Counts, int], object] | None = None,
) -> Counts:
    """Make everything that is not in ``folder`` yet, and return the counts of all of it.

    ``inputs`` are files, folders or patterns. Without a cluster (``client``) this machine does it, on ``n_jobs`` processes.
    ``prepare`` is called once, with all partitions, before the first is made, ``on_partition`` with the counts of each that
    was made and the number of all that there were to make. A folder with the dataset of another job is an error.
    """
    check_place(folder, is_folder=True)
    folder = folder.absolute()  # workers may stand elsewhere
    files = find_files(inputs, format, encoding)
    plan = Manifest.found(folder, job, files, partition_size) or Manifest(folder, job, (), partition_size, ())
    if new := [file for file in files if file not in plan.files]:
        cuts = cut(new, count_documents(new, client), partition_size, first=len(plan.partitions))
        plan = replace(plan, files=(*plan.files, *new), partitions=(*plan.partitions, *cuts))
        if prepare is not None:
            prepare(plan.partitions)
        plan.write()
    with plan.alone():
        missing = plan.missing

        def report(counts: Counts) -> None:
            if on_partition is not None:
                on_partition(counts, len(missing))

        if client is not None:
            _make_on_cluster(plan, make_part, missing, client, report)
        else:
            processes, work = n_processes(n_jobs), partial(_one_part, make_part, plan)
            for counts in map(work, missing) if processes == 1 else in_order(work, missing, processes):
                report(counts)
        for leftover in folder.glob(".part-*.tmp"):  # of workers that were killed
            with suppress(OSError):
                leftover.unlink()
        total = Counts()
        for partition in plan.partitions:
            total.add(read_counts(plan.part(partition)))
        plan.write(total)
    return total


def _one_part(make_part: MakePart[OneJob], plan: Manifest, partition: Partition) -> Counts:
    return make_part(plan.job, partition, plan.part(partition))  # type: ignore[arg-type]


def _make_on_cluster(
    plan: Manifest, make: MakePart[OneJob], missing: Sequence[Partition], client: Client, report: Callable[[Counts], object]
) -> None:
    from distributed import CancelledError, KilledWorker, as_completed
    from distributed.comm.core import CommClosedError

    # a cluster answers a key that it knows from memory: the keys of another run, or of another person's, must never be ours
    run = uuid4().hex
    futures = [
        client.submit(make, plan.job, partition, plan.part(partition), key=f"partition-{run}-{partition.number}")
        for partition in missing
    ]
    by_future = dict(zip(futures, missing, strict=True))
    try:
        for future in as_completed(futures):
            try:
                report(future.result())
            except KilledWorker as error:
                where = by_future[future]
                first, last = where.slices[0], where.slices[-1]
                raise RelHashError(
                    f"partition {where.number} ({first.file.path}, document {first.first}, to {last.file.path}, document "
                    f"{last.stop}) ended its worker {error.allowed_failures + 1} times; give workers more memory, or look at "
                    "these documents; what is done is kept"
                ) from error
            except (CancelledError, CommClosedError) as error:  # before or after the client has noticed
                raise RelHashError(LOST) from error
            future.release()
    except BaseException:
        client.cancel(futures, force=True)
        raise


def read_in_batches(
    partition: Partition, counts: Counts, make: Callable[[Sequence[Document]], Sequence[Made]]
) -> Iterator[Made]:
    """What ``make`` makes of the documents; one that cannot be read is reported, and the others go on."""
    documents = partition.documents(counts.errors)
    while batch := list(islice(documents, DOCUMENTS_AT_A_TIME)):
        try:
            made = make(batch)
        except _OURS:
            raise
        except Exception:
            made = [one for document in batch for one in _alone(make, document, partition, counts)]
        yield from made


def _alone(
    make: Callable[[Sequence[Document]], Sequence[Made]], document: Document, partition: Partition, counts: Counts
) -> Sequence[Made]:
    try:
        return make([document])
    except _OURS:
        raise
    except Exception as error:
        kind = "" if isinstance(error, RelHashError) else f"{type(error).__name__}: "
        files = {one.file.path for one in partition.slices}
        file = next(iter(files)) if len(files) == 1 else None
        counts.errors.append({"file": file, "document": document.id, "error": f"{kind}{error}"})
        return []


def predict_to_dataset(job: PredictionJob, inputs: Sequence[Path], folder: Path, client: Client, **reading: Any) -> Counts:
    """Predict everything that is not in ``folder`` yet, and return the counts of all of it.

    ``reading`` is as of :func:`~relhash.scale.dataset.make_dataset`.
    """
    return make_dataset(predict_partition, job, inputs, folder, client, **reading)


def predict_partition(job: PredictionJob, partition: Partition, path: Path) -> Counts:
    """What a worker does: read the documents of a partition, and write its rows to ``path``."""
    model, counts = job.loaded(), Counts()
    rows = _rows(model, partition, counts, job)
    write_part(path, rows, counts, table_columns())
    return counts


def _rows(model: FittedModel, partition: Partition, counts: Counts, job: PredictionJob) -> Iterator[dict[str, Any]]:
    started, processor = time.perf_counter(), time.process_time()
    for document, judged in read_in_batches(partition, counts, lambda batch: list(model.annotate(batch, all_candidates=True))):
        counts.read(document)
        found = counts.judged(judged)
        for prediction in judged if job.all_candidates else found:
            if job.with_single or not prediction.candidate.is_single:
                yield prediction.as_row()
    counts.seconds = round(time.perf_counter() - started, 3)
    counts.cpu_seconds = round(time.process_time() - processor, 3)


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
        for document in read:
            counts.read(document)
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
