"""``relhash hash --engine dask``: a folder of Parquet files with the codes of all candidates, made on a cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from relhash.cli.console import note, print_json
from relhash.cli.dataset_output import check_dataset, check_model, made_before, make_on_cluster, tell_errors


def hash_on_cluster(
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
    """Hash, and say how it went; parameters as of :func:`relhash.cli.predict_on_cluster.predict_on_cluster`."""
    from relhash.scale.hashed import hash_to_dataset
    from relhash.scale.job import HashJob

    check_dataset(output, "codes/", allowed=["parquet"])  # people name such folders codes.parquet
    lexicon = settings["lexicon"]
    job = HashJob.of_model(model, **{**settings, "lexicon": None if lexicon is None else str(lexicon.absolute())})
    check_model(job, sha256)
    n_bits = job.loaded().n_bits  # here, before any worker starts: whatever is wrong with the model is said once
    total, found, seconds = make_on_cluster(
        hash_to_dataset, job, inputs, output, reading, place,
        found_text=lambda counts: f"{counts.candidates:,} codes", quiet=quiet or as_json,
    )  # fmt: skip
    if as_json:
        names = ("documents", "sentences", "entities", "candidates", "rows", "seconds", "cpu_seconds")
        counts = {name: getattr(total, name) for name in names} | {"errors": len(total.errors)}
        made = {"made_now": found.documents, "wall_seconds": round(seconds, 3)}
        print_json({"dataset": output, "bits": n_bits, "counts": counts, **made})
    else:
        where = f"in {total.documents:,} documents{made_before(total, found)} written to {output}"
        note(f"{total.rows:,} codes of {n_bits} bits {where}, {seconds:.1f} s", quiet=quiet)
    tell_errors(total, output, quiet=quiet)
