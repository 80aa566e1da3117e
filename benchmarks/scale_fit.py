"""How does learning hash functions grow with the text, and what does a cluster cost?

``python benchmarks/scale_fit.py --sizes 10000 100000 1000000`` learns functions over so many candidates in this process, on two
threads of it, and with two Dask workers, and tells the time per trial, the slope, the memory per candidate and the overhead of
the engine. Candidates are paths of made-up sentences with a vocabulary that grows with the text, so that hardly two are alike:
what is computed per distinct structure is computed per candidate here. The functions of all three ways are compared.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from relhash.evaluation.provenance import provenance
from relhash.hashing import HashcodeLearner
from relhash.kernels import PathKernel
from relhash.scale.cluster import cluster
from relhash.scale.part import PartSource
from relhash.scale.population import ClusterPopulation
from relhash.structures import PathSet

RESULTS = Path(__file__).parent / "results"
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


def paths(first: int, stop: int) -> PathSet:
    """Candidates ``first`` to ``stop`` of a text without end."""
    rng = np.random.default_rng(first)
    n = stop - first
    lengths = rng.integers(5, 12, n)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    tokens = rng.integers(0, len(COMMON), offsets[-1])
    for place in (1, 3):
        tokens[offsets[:-1] + place] = len(COMMON) + rng.integers(0, NOISE, n)
    words = [*COMMON, *(f"w{number}" for number in range(NOISE))]
    kept = PathSet(words, tokens, offsets, np.arange(n))
    return PathSet.concatenate([kept])  # equal ones once


def part(first: int, stop: int) -> tuple[PathSet, dict[str, Any]]:
    return paths(first, stop), {}


def kernels() -> dict[str, list[Any]]:
    return {"": [PathKernel()]}


def learner(n_bits: int, n_jobs: int = 1) -> HashcodeLearner:
    return HashcodeLearner(
        n_bits, n_references=4, kernel=PathKernel(), deletion_share=0.0, max_trials=n_bits, random_state=0, n_jobs=n_jobs
    )


def in_memory(n: int, n_bits: int, n_jobs: int, block: int) -> tuple[HashcodeLearner, dict[str, float]]:
    text = PathSet.concatenate([paths(first, min(n, first + block)) for first in range(0, n, block)])
    own, start, cpu = learner(n_bits, n_jobs), time.perf_counter(), time.process_time()
    own.fit(text)
    steps = [step.seconds for step in own.trace_]
    return own, {
        "seconds_per_trial": round(float(np.median(steps)), 4),
        "setup_seconds": round(time.perf_counter() - start - sum(steps), 3),
        "cpu_seconds": round(time.process_time() - cpu, 2),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "distinct": text.n_unique,
    }


def on_cluster(n: int, n_bits: int, workers: int, block: int) -> tuple[HashcodeLearner, dict[str, float]]:
    with cluster(workers=workers) as client:
        own, start = learner(n_bits), time.perf_counter()
        seed = own.seed()
        sources = [PartSource(partial(part, first, min(n, first + block)), kernels) for first in range(0, n, block)]
        population = ClusterPopulation(client, sources, None, own, seed)
        population.clusters(np.empty(0, np.int64))  # parts are told
        ready = time.perf_counter()
        own.fit_population(population, seed)
        population.settle(own.functions_)
        memory = client.run(_peak_memory)
    steps = [step.seconds for step in own.trace_]
    return own, {
        "seconds_per_trial": round(float(np.median(steps)), 4),
        "setup_seconds": round(ready - start, 3),
        "peak_memory_of_workers_mb": round(sum(memory.values()) / 1e6),
        "parts": len(sources),
    }


def same(one: HashcodeLearner, other: HashcodeLearner) -> bool:
    arrays, others = one.to_arrays(), other.to_arrays()
    return all(np.array_equal(arrays[name], others[name]) for name in arrays)


def _peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--bits", type=int, default=14, help="functions to learn; the clusters are full from the tenth on")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--without", nargs="*", default=[], choices=["one", "threads", "dask"])
    parser.add_argument("--output", type=Path, default=RESULTS / "scale_fit.json")
    arguments = parser.parse_args()
    learner(4).fit(paths(0, 2000))  # compiles
    rows: list[dict[str, Any]] = []
    for n in arguments.sizes:
        row: dict[str, Any] = {"candidates": n}
        found = {}
        block = max(2500, -(-n // 8))  # parts, the same text for all ways
        if "one" not in arguments.without:
            found["one"], row["one_process"] = in_memory(n, arguments.bits, 1, block)
        if "threads" not in arguments.without:
            found["threads"], row["two_threads"] = in_memory(n, arguments.bits, 2, block)
        if "dask" not in arguments.without:
            found["dask"], row["dask"] = on_cluster(n, arguments.bits, arguments.workers, block)
        first, *others = found.values()
        row["same_functions"] = all(same(first, other) for other in others)
        found.clear()
        gc.collect()
        rows.append(row)
        print(json.dumps(row), flush=True)
    result: dict[str, Any] = {"rows": rows, "bits": arguments.bits, "workers": arguments.workers}
    for way in ("one_process", "two_threads", "dask"):
        known = [(row["candidates"], row[way]["seconds_per_trial"]) for row in rows if way in row]
        if len(known) > 1:
            sizes, seconds = np.log(np.array(known)).T
            result[f"slope_{way}"] = round(float(np.polyfit(sizes, seconds, 1)[0]), 3)
    print(json.dumps({name: value for name, value in result.items() if name != "rows"}))
    arguments.output.write_text(json.dumps({**result, "made": provenance("")}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
