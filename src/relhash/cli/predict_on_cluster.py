"""``relhash predict --engine dask``: a folder of Parquet files, made on a cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from relhash.cli.console import note, print_json
from relhash.cli.dataset_output import check_dataset, check_model, made_before, make_on_cluster, tell_errors


def predict_on_cluster(
    model: Path,
    inputs: Sequence[Path],
    output: Path,
    sha256: str | None,
    settings: Mapping[str, Any],
    reading: Mapping[str, Any],
    place: Mapping[str, Any],
    *,
    lenient: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Predict, and say how it went.

    Parameters
    ----------
    sha256
        What the model file must be, if that was said.
    settings, reading, place
        Of :class:`~relhash.scale.job.PredictionJob`, :func:`~relhash.scale.dataset.make_dataset` and
        :func:`~relhash.scale.cluster.cluster`.
    """
    from relhash.models.acceptance import accepted_text, why_below_half
    from relhash.scale.job import PredictionJob
    from relhash.scale.prediction import predict_to_dataset

    check_dataset(output, "relations/")
    lexicon = settings["lexicon"]
    job = PredictionJob.of_model(model, **{**settings, "lexicon": None if lexicon is None else str(lexicon.absolute())})
    check_model(job, sha256)
    fitted = job.loaded()  # here, before any worker starts: whatever is wrong with the model is said once
    total, found, seconds = make_on_cluster(
        predict_to_dataset, job, inputs, output, reading, place,
        found_text=lambda counts: f"{counts.relations:,} found", quiet=quiet or as_json,
    )  # fmt: skip
    if as_json:
        counts = {**vars(total), "errors": len(total.errors)}
        print_json({"dataset": output, "counts": counts, "made_now": found.documents, "wall_seconds": round(seconds, 3)})
    else:
        accepted = accepted_text(total.relations, total.candidates, total.lowest)
        where = f"in {total.documents:,} documents{made_before(total, found)} written to {output}"
        note(f"{accepted} {where}, {seconds:.1f} s", quiet=quiet)
        if why := why_below_half(total.below_half, fitted.decision.threshold.strategy):
            note(why, quiet=quiet)
    tell_errors(total, output, lenient=lenient, quiet=quiet)
