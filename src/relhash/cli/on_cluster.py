"""``--engine dask``: a folder of Parquet files about text of any size, made on a cluster, and what is said of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from relhash.cli import options
from relhash.cli.console import note, print_json, warning

if TYPE_CHECKING:
    from relhash.scale.job import Job
    from relhash.scale.manifest import Counts


OneJob = TypeVar("OneJob", bound="Job")
_ERRORS_SHOWN = 3


def make_on_cluster(
    make: Callable[..., Counts],
    kind: type[OneJob],
    model: Path,
    inputs: Sequence[Path],
    output: Path,
    using: options.Using,
    texts: options.Texts,
    cluster: options.Cluster,
    said: options.Verbosity,
    found_text: Callable[[Counts], str],
    **settings: Any,
) -> tuple[OneJob, Counts, Counts, float]:
    """The job, the counts of the whole dataset, those of what was made now, and the seconds; on this machine, if it is not
    to be made elsewhere."""
    from relhash.model.model_file import check_sha256
    from relhash.scale.cluster import cluster as client_of
    from relhash.scale.manifest import Counts

    settings |= {name: getattr(using, name) for name in ("types", "max_pairs", "grounded", "ground", "parses")}
    job = kind.of_model(model, lexicon=None if using.lexicon is None else str(using.lexicon.absolute()), **settings)
    check_sha256(Path(job.model), using.require_sha256)
    job.loaded()  # here, before any worker starts: whatever is wrong with the model is said once
    reading = {"format": texts.format, "encoding": texts.encoding, "partition_size": cluster.partition_size}
    start, place = time.perf_counter(), cluster.place
    with nullcontext() if place is None else client_of(**place) as client, said.progress("partitions") as step:
        found = Counts()

        def tell(counts: Counts, missing: int) -> None:
            found.add(counts)
            step(1, f"of {missing}; {found_text(found)} in {found.documents:,} documents")

        total = make(job, inputs, output, client, on_partition=tell, n_jobs=using.n_jobs, **reading)
    return job, total, found, time.perf_counter() - start


def made_before(total: Counts, found: Counts) -> str:
    """What to say of documents that an earlier run has done."""
    return f" ({total.documents - found.documents:,} of them before)" if found.documents < total.documents else ""


def tell_errors(total: Counts, output: Path, *, lenient: bool, quiet: bool) -> None:
    """Say which documents could not be read, if any: an error as on one machine, unless the others are enough."""
    from relhash.errors import CorpusError
    from relhash.scale.manifest import ERRORS

    if not total.errors:
        return
    number = len(total.errors)
    said = f"{number:,} document{'s' * (number != 1)} could not be read"
    shown = [f"{problem['document'] or problem['file']}: {problem['error']}" for problem in total.errors[:_ERRORS_SHOWN]]
    if not total.documents or not lenient:
        remedy = "--lenient takes the others, which are there already" if total.documents else "there are no others"
        raise CorpusError(f"{said} ({output / ERRORS}); the first is {shown[0]}", remedy=remedy)
    warning(f"{said}, and the others went on: {output / ERRORS}")
    for problem in shown:
        note(f"  {problem}", quiet=quiet)


def predict_on_cluster(
    model: Path,
    inputs: Sequence[Path],
    output: Path,
    using: options.Accepting,
    texts: options.Texts,
    cluster: options.Cluster,
    said: options.Verbosity,
    **rows: bool,
) -> None:
    """Predict, and say how it went; ``rows`` are those of a :class:`~relhash.scale.job.PredictionJob`."""
    from relhash.errors import OutputError
    from relhash.model.judging import why_below_half
    from relhash.model.tables import TABLE_FORMATS, row_format
    from relhash.scale.dataset import predict_to_dataset
    from relhash.scale.job import PredictionJob

    kind = row_format(output)
    if str(output) == "-" or kind in {*TABLE_FORMATS, "npz"} or output.is_file():
        raise OutputError(f"{output}: --engine dask writes a folder of Parquet files; name one: -o relations/")
    TABLE_FORMATS["parquet"].check(output)
    job, total, found, seconds = make_on_cluster(
        predict_to_dataset, PredictionJob, model, inputs, output, using, texts, cluster, said,
        lambda counts: f"{counts.relations:,} found", threshold=using.threshold, keep=tuple(using.keep or ()), **rows,
    )  # fmt: skip
    if said.as_json:
        counts = {**vars(total), "errors": len(total.errors)}
        print_json({"dataset": output, "counts": counts, "made_now": found.documents, "wall_seconds": round(seconds, 3)})
    else:
        where = f"in {total.documents:,} documents{made_before(total, found)} written to {output}"
        said.note(f"{total.accepted_text} {where}, {seconds:.1f} s")
        if why := why_below_half(total.below_half, job.loaded().decision.threshold.strategy):
            said.note(why)
    tell_errors(total, output, lenient=texts.lenient, quiet=said.quiet)
