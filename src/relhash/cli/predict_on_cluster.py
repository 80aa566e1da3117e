"""``relhash predict --engine dask``: a folder of Parquet files, made on a cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from relhash.cli.console import note, print_json, progress, warning

_ERRORS_SHOWN = 3


def predict_on_cluster(
    model: Path,
    inputs: Sequence[Path],
    output: Path,
    sha256: str | None,
    settings: Mapping[str, Any],
    reading: Mapping[str, Any],
    place: Mapping[str, Any],
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Predict, and say how it went.

    Parameters
    ----------
    sha256
        What the model file must be, if that was said.
    settings, reading, place
        Of :class:`~relhash.scale.job.Job`, :func:`~relhash.scale.prediction.predict_to_dataset` and
        :func:`~relhash.scale.cluster.cluster`.
    """
    import time

    from relhash.errors import OutputError, ParameterError
    from relhash.models.acceptance import accepted_text, why_below_half
    from relhash.models.tables import TABLE_FORMATS, row_format
    from relhash.scale.cluster import cluster
    from relhash.scale.job import Job
    from relhash.scale.manifest import ERRORS
    from relhash.scale.part_file import Counts
    from relhash.scale.prediction import predict_to_dataset

    if str(output) == "-" or row_format(output) in TABLE_FORMATS or output.is_file():
        raise OutputError(f"{output}: --engine dask writes a folder of Parquet files; name one: -o relations/")
    TABLE_FORMATS["parquet"].check(output)
    lexicon = settings["lexicon"]
    job = Job.of_model(model, **{**settings, "lexicon": None if lexicon is None else str(lexicon.absolute())})
    if sha256 is not None and sha256.lower() != job.sha256:
        raise ParameterError(f"{model}: its SHA-256 is {job.sha256}, not the one that is required")
    fitted = job.loaded()  # here, before any worker starts: whatever is wrong with the model is said once
    start = time.perf_counter()
    with cluster(**place) as client, progress("partitions", quiet=quiet or as_json) as step:
        found = Counts()

        def tell(counts: Counts, missing: int) -> None:
            found.add(counts)
            step(1, f"of {missing}; {found.relations:,} found in {found.documents:,} documents")

        total = predict_to_dataset(job, inputs, output, client, on_partition=tell, **reading)
    seconds = time.perf_counter() - start
    if as_json:
        counts = {**vars(total), "errors": len(total.errors)}
        print_json({"dataset": output, "counts": counts, "made_now": found.documents, "wall_seconds": round(seconds, 3)})
    else:
        accepted = accepted_text(total.relations, total.candidates, total.lowest)
        earlier = f" ({total.documents - found.documents:,} of them before)" if found.documents < total.documents else ""
        note(f"{accepted} in {total.documents:,} documents{earlier} written to {output}, {seconds:.1f} s", quiet=quiet)
        if why := why_below_half(total.below_half, fitted.decision.threshold.strategy):
            note(why, quiet=quiet)
    if total.errors:
        number = len(total.errors)
        warning(f"{number:,} document{'s' * (number != 1)} could not be read, and the others went on: {output / ERRORS}")
        for problem in total.errors[:_ERRORS_SHOWN]:
            note(f"  {problem['document'] or problem['file']}: {problem['error']}", quiet=quiet)
