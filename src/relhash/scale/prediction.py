"""Relations in text of any size, as a dataset (:mod:`relhash.scale.dataset`): ``relhash predict --engine dask``."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relhash.models.tables.columns import table_columns
from relhash.scale.dataset import make_dataset, read_in_batches
from relhash.scale.job import PredictionJob
from relhash.scale.part_file import Counts, write_part
from relhash.scale.partitions import Partition

if TYPE_CHECKING:
    from distributed import Client

    from relhash.models import FittedModel


def predict_to_dataset(job: PredictionJob, inputs: Sequence[Path], folder: Path, client: Client, **reading: Any) -> Counts:
    """Predict everything that is not in ``folder`` yet, and return the counts of all of it.

    ``reading`` is as of :func:`~relhash.scale.dataset.make_dataset`.
    """
    return make_dataset(predict_partition, job, inputs, folder, client, **reading)


def predict_partition(job: PredictionJob, partition: Partition, path: Path) -> Counts:
    """What a worker does: read the documents of a partition, and write its rows to ``path``."""
    model, counts = job.loaded(), Counts()
    rows = _rows(model, partition, counts, all_candidates=job.all_candidates)
    write_part(path, rows, counts, table_columns())
    return counts


def _rows(model: FittedModel, partition: Partition, counts: Counts, *, all_candidates: bool) -> Iterator[dict[str, Any]]:
    started, processor = time.perf_counter(), time.process_time()
    for document, judged in read_in_batches(partition, counts, lambda batch: list(model.annotate(batch, all_candidates=True))):
        found = [prediction for prediction in judged if prediction.is_relation]
        counts.documents += 1
        counts.sentences += len(document.sentences)
        counts.entities += len(document.entities)
        counts.candidates += len(judged)
        counts.relations += len(found)
        counts.below_half += sum(prediction.probability < 0.5 for prediction in found)
        counts.lowest = min(
            (*(one.probability for one in found), *([] if counts.lowest is None else [counts.lowest])), default=None
        )
        for prediction in judged if all_candidates else found:
            yield prediction.as_row()
    counts.seconds = round(time.perf_counter() - started, 3)
    counts.cpu_seconds = round(time.process_time() - processor, 3)
