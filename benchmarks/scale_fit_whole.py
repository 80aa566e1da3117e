"""How long does a fit take on the clock, in one process and on a cluster?

``python benchmarks/scale_fit_whole.py --documents 2000 --workers 2`` runs ``relhash fit`` with AIMed's labels, adapted to so
many raw abstracts (those of BioNLP, copied with made-up words between theirs; about 50 candidates each), once with
``--engine local`` and once with ``--engine dask``, and prints seconds on the clock, seconds of all processors, and whether
both files have the same bytes. Both parse everything: nothing is taken from a cache. Needs ``RELHASH_DATA``, and idle cores.

``scale_fit.py`` asks for the learning of hash functions alone.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from relhash.evaluation.provenance import provenance, shipped_parses
from relhash.models.model_file import read_manifest
from scale_predict import abstracts, copies, write_documents


def measured(labelled: Path, text: Path, model: Path, preset: str, engine: list[str]) -> dict[str, Any]:
    """One fit, as a user starts it."""
    program = str(Path(sys.executable).with_name("relhash"))
    command = [program, "fit", str(labelled), "--adapt", str(text), "-o", str(model)]
    command += ["--preset", preset, "--parses", "embedded", "--no-cache", "--no-resume", "--quiet", *engine]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": round(wall, 1), "cpu_seconds": round(cpu, 1)}


def row(n_documents: int, workers: int, preset: str) -> dict[str, Any]:
    """Both engines on the same text."""
    labelled = Path(os.environ["RELHASH_DATA"]) / "ppi" / "AIMed.xml"
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_documents(folder / "in", copies(abstracts(1.0)), n_documents)
        one, many = folder / "one.relhash", folder / "many.relhash"
        local = measured(labelled, folder / "in", one, preset, ["--engine", "local"])
        dask = measured(labelled, folder / "in", many, preset, ["--engine", "dask", "--workers", str(workers)])
        card = read_manifest(one)["card"]
        return {
            "documents": n_documents, "candidates": card["adapted_to"]["candidates"], "workers": workers, "preset": preset,
            "one_process": local, "dask": dask, "speedup": round(local["seconds"] / dask["seconds"], 3),
            "same_bytes": one.read_bytes() == many.read_bytes(),
        }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, nargs="+", default=[2000])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--preset", default="best")
    parser.add_argument("--output", type=Path, help="a JSON file of all rows; by default they are only printed")
    arguments = parser.parse_args()
    rows = []
    for n in arguments.documents:
        rows.append(row(n, arguments.workers, arguments.preset))
        print(json.dumps(rows[-1]), flush=True)
    if arguments.output is not None:
        result = {"rows": rows, "made": provenance(shipped_parses())}
        arguments.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
