"""How does learning hash functions grow with the text, and what does a cluster cost?

``python benchmarks/scale_fit.py --sizes 10000 100000 1000000`` learns functions over so many candidates in this process, on two
threads of it, in two bare processes (the same parts without an engine), and with two Dask workers. It tells time per function
(of the processor and on the clock), the seconds of the whole fit on the clock, the slope, memory per candidate and the overhead
of the engine, and draws the times. Candidates are paths of made-up sentences with a vocabulary that grows with the text, so
that hardly two are alike: what is computed per distinct structure is computed per candidate here. The functions of all ways are
compared.

Each measurement is a process of its own, so that its memory is its own. ``--again`` keeps the sizes that the file has already.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bare_processes import BareProcesses
from relhash.evaluation.provenance import provenance
from relhash.hashing import HashcodeLearner
from relhash.kernels import PathKernel
from relhash.scale.cluster import cluster
from relhash.scale.part import PartSource
from relhash.scale.population import ClusterPopulation
from relhash.structures import PathSet

RESULTS = Path(__file__).parent / "results"
WAYS = {"one": "one process", "threads": "two threads", "processes": "two processes", "dask": "Dask, two workers"}
COMMON = [
    "<P>",
    "binds",
    "inhibits",
    "of",
    "with",
    "complex",
    "in",
    "the",
    "activates",
    "phosphorylation",
    "by",
    "nsubj",
    "obj",
]
NOISE = 20_000
"""Made-up words; two of them in a path of eight make nearly every path its own."""
PARTS = 8
SMALLEST_PART = 2500


def paths(first: int, stop: int) -> PathSet:
    """Candidates ``first`` to ``stop`` of a text without end; equal ones are not merged yet."""
    rng = np.random.default_rng(first)
    n = stop - first
    lengths = rng.integers(5, 12, n)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    tokens = rng.integers(0, len(COMMON), offsets[-1], dtype=np.int32)
    for place in (1, 3):
        tokens[offsets[:-1] + place] = len(COMMON) + rng.integers(0, NOISE, n, dtype=np.int32)
    words = [*COMMON, *(f"w{number}" for number in range(NOISE))]
    return PathSet(words, tokens, offsets, np.arange(n))


def blocks(n: int) -> list[tuple[int, int]]:
    """The parts of the text, the same for all ways."""
    size = max(SMALLEST_PART, -(-n // PARTS))
    return [(first, min(n, first + size)) for first in range(0, n, size)]


def part(first: int, stop: int) -> tuple[PathSet, dict[str, Any]]:
    return PathSet.concatenate([paths(first, stop)]), {}


def kernels() -> dict[str, list[Any]]:
    return {"": [PathKernel()]}


def learner(n_bits: int, n_jobs: int = 1) -> HashcodeLearner:
    return HashcodeLearner(
        n_bits, n_references=4, kernel=PathKernel(), deletion_share=0.0, max_trials=n_bits, random_state=0, n_jobs=n_jobs
    )


def in_memory(n: int, n_bits: int, n_jobs: int) -> dict[str, Any]:
    text = PathSet.concatenate(paths(*block) for block in blocks(n))
    own, clock = learner(n_bits, n_jobs), Clock()
    own.callback = clock.tick
    own.fit(text)
    return {**clock.told(own, n), "distinct": text.n_unique}


def in_parts(n: int, n_bits: int, client: Any, of_workers: Callable[[Callable[[], Any]], list[Any]]) -> dict[str, Any]:
    own, clock = learner(n_bits), Clock(of_workers)
    own.callback = clock.tick
    seed = own.seed()
    sources = [PartSource(partial(part, *block), kernels) for block in blocks(n)]
    population = ClusterPopulation(client, sources, None, own, seed)
    before = population._parts.n_messages
    own.fit_population(population, seed)
    messages = population._parts.n_messages - before
    population.settle(own.functions_)
    return {**clock.told(own, n), "parts": len(sources), "messages_per_trial": round(messages / len(own.trace_), 2)}


class Clock:
    """Time per trial: on the clock, and of all processes together. The first trial is left out, as it also prepares parts."""

    def __init__(self, of_workers: Callable[[Callable[[], Any]], list[Any]] | None = None) -> None:
        self._of_workers = of_workers or (lambda function: [])
        self._at_rest = self._memory()
        self._began = time.perf_counter()
        self.started = self._cpu()
        self.after_first: float | None = None

    def tick(self, step: Any) -> None:
        if step.trial == 0:
            self.after_first = self._cpu()

    def told(self, own: HashcodeLearner, n: int) -> dict[str, Any]:
        steps = [step.seconds for step in own.trace_]
        assert self.after_first is not None
        memory = self._memory()
        return {
            "cpu_seconds_per_trial": round((self._cpu() - self.after_first) / (len(steps) - 1), 5),
            "seconds_per_trial": round(float(np.median(steps[1:])), 5),
            "seconds": round(time.perf_counter() - self._began, 2),
            "cpu_seconds_before": round(self.after_first - self.started, 2),
            "peak_memory_mb": round(memory / 1e6),
            "bytes_per_candidate": round((memory - self._at_rest) / n),
            "functions": hashlib.sha256(b"".join(array.tobytes() for array in own.to_arrays().values())).hexdigest()[:16],
        }

    def _cpu(self) -> float:
        return time.process_time() + sum(self._of_workers(time.process_time))

    def _memory(self) -> int:
        return _peak_memory() + sum(self._of_workers(_peak_memory))


def _peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measured(way: str, n: int, n_bits: int) -> dict[str, Any]:
    """One measurement, in this process."""
    learner(4, 2 if way == "threads" else 1).fit(part(0, 2000)[0])  # compiles
    if way == "processes":
        with BareProcesses(2) as client:
            client.run(_warm)
            return in_parts(n, n_bits, client, client.run)
    if way == "dask":
        with cluster(workers=2) as client:
            client.run(_warm)
            return in_parts(n, n_bits, client, lambda function: list(client.run(function).values()))
    return in_memory(n, n_bits, 2 if way == "threads" else 1)


def _warm() -> None:
    learner(4).fit(part(0, 2000)[0])


def in_own_process(way: str, n: int, n_bits: int) -> dict[str, Any]:
    command = [sys.executable, __file__, "--bits", str(n_bits), "--one", way, str(n)]
    threads = {"NUMBA_NUM_THREADS": "2" if way == "threads" else "1"}
    done = subprocess.run(command, env={**os.environ, **threads}, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def slopes(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Of the processor's time against N, both as logarithms, from the largest size and the one before."""
    found = {}
    for way in WAYS:
        known = sorted((row["candidates"], row[way]["cpu_seconds_per_trial"]) for row in rows if way in row)[-2:]
        if len(known) == 2:
            (n, seconds), (larger, more) = known
            found[way] = round(float(np.log(more / seconds) / np.log(larger / n)), 3)
    return found


def overheads(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Of the smallest size: the milliseconds of processor time per trial that are not those of one process."""
    smallest = min(rows, key=lambda row: row["candidates"])
    alone = smallest["one"]["cpu_seconds_per_trial"]
    ways = [way for way in WAYS if way in smallest and way != "one"]
    return {way: round(1000 * (smallest[way]["cpu_seconds_per_trial"] - alone), 1) for way in ways}


def draw(rows: list[dict[str, Any]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(8.6, 3.4), constrained_layout=True)
    for way, name in WAYS.items():
        own = [row for row in rows if way in row]
        sizes = [row["candidates"] for row in own]
        left.loglog(sizes, [row[way]["cpu_seconds_per_trial"] for row in own], marker="o", markersize=4, label=name)
        right.loglog(sizes, [row[way]["bytes_per_candidate"] for row in own], marker="o", markersize=4, label=name)
    left.set(xlabel="candidates", ylabel="processor time per function (s)")
    right.set(xlabel="candidates", ylabel="memory per candidate (bytes)")
    left.legend(frameon=False, fontsize=8)
    for axis in (left, right):
        axis.grid(alpha=0.3)
    figure.savefig(path, dpi=90)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument(
        "--bits", type=int, default=12, help="functions to learn; references come from clusters from the tenth on"
    )
    parser.add_argument("--without", nargs="*", default=[], choices=list(WAYS))
    parser.add_argument("--again", action="store_true", help="add to the sizes that the file has")
    parser.add_argument("--output", type=Path, default=RESULTS / "scale_fit.json")
    parser.add_argument("--one", nargs=2, metavar=("WAY", "N"), help="one measurement only, here")
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measured(arguments.one[0], int(arguments.one[1]), arguments.bits)))
        return
    kept = json.loads(arguments.output.read_text(encoding="utf-8"))["rows"] if arguments.again else []
    rows = [row for row in kept if row["candidates"] not in arguments.sizes]
    for n in arguments.sizes:
        row: dict[str, Any] = {"candidates": n}
        for way in WAYS:
            if way not in arguments.without:
                row[way] = in_own_process(way, n, arguments.bits)
                print(n, way, json.dumps(row[way]), flush=True)
        row["same_functions"] = len({row[way].pop("functions") for way in WAYS if way in row}) == 1
        rows = sorted([*rows, row], key=lambda one: one["candidates"])
        result = {
            "rows": rows, "bits": arguments.bits, "slopes": slopes(rows), "overhead_ms_per_trial": overheads(rows),
            "made": provenance(""),
        }  # fmt: skip
        arguments.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        draw(rows, arguments.output.with_suffix(".png"))


if __name__ == "__main__":
    main()
