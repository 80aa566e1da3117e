"""How long does a fit take, and how does it grow?

    python benchmarks/learner_speed.py [--prototype ../shared/prototypes/speed] [--largest 1000000] [--output
    benchmarks/results]

1. ``HashcodeLearner(n_bits=100, n_references=4)`` on the dependency paths of AIMed + BioInfer (``RELHASH_DATA``; random
   sequences of the same lengths where it is absent), next to the prototype's loop of as many trials, if it is there.
2. Seconds a trial for 10⁴ to 10⁶ candidates, nearly all distinct, and the peak memory of the process.
3. Seconds of a fit for 50 to 400 bits.

All on one thread, in processor time, which other programs on the machine disturb least. Each size of 2 runs in a process of
its own.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from relhash.candidates import PathSet
from relhash.hashing import HashcodeLearner
from relhash.kernels import PathKernel, WordSimilarity
from relhash.show.provenance import provenance

HERE = Path(__file__).resolve().parent
N_BITS, N_REFERENCES, MAX_LENGTH, DECAY = 100, 4, 4, 0.8


def corpus_paths(data: Path | None) -> tuple[PathSet, PathSet]:
    """Training and target paths."""
    if data is None or not (data / "ppi").is_dir():
        return random_paths(5_834, 0), random_paths(9_666, 1)
    import relhash
    from relhash.candidates import build_structures, candidates

    train, target = (
        build_structures(candidates(relhash.read(data / "ppi" / f"{name}.xml")), ["path+edges"])["path+edges"]
        for name in ("AIMed", "BioInfer")
    )
    return train, target


def random_paths(n: int, seed: int) -> PathSet:
    """Sequences with the lengths and about the vocabulary of dependency paths, nearly all distinct."""
    rng = np.random.default_rng(seed)
    lengths = np.minimum(2 + rng.negative_binomial(3, 3 / 7.3, n), 60)
    tokens = (1900 * rng.random(int(lengths.sum())) ** 3).astype(np.int32)
    return PathSet([f"w{i}" for i in range(1900)], tokens, np.concatenate([[0], np.cumsum(lengths)]), np.arange(n))


def learner(n_bits: int, kernel: PathKernel) -> HashcodeLearner:
    return HashcodeLearner(n_bits, n_references=N_REFERENCES, kernel=kernel, random_state=0, n_jobs=1)


def fit_seconds(n_bits: int, train: PathSet, target: PathSet, kernel: PathKernel, repetitions: int = 3) -> dict[str, float]:
    """Processor time of the fastest fit and the number of its trials."""
    best, trials = np.inf, 0
    for _ in range(repetitions):
        start = time.process_time()
        fitted = learner(n_bits, kernel).fit(train, target=target)
        best, trials = min(best, time.process_time() - start), len(fitted.trace_)
    return {"n_bits": n_bits, "seconds": best, "trials": trials, "milliseconds_a_trial": 1000 * best / trials}


def prototype_seconds(folder: Path, train: PathSet, target: PathSet, kernel: PathKernel, trials: int) -> float:
    """The same number of trials of the prototype's loop, on the same sequences and word similarities."""
    sys.path.insert(0, os.fspath(folder))
    sys.argv[1:] = []  # the prototype reads them when it is imported
    import e2e  # type: ignore[import-not-found]
    import nbk  # type: ignore[import-not-found]

    both = PathSet.concatenate([train, target])
    n, longest = len(both), int(both.lengths.max())
    tokens = np.zeros((n, longest), np.int32)
    for row, sequence in enumerate(both.rows):
        start, stop = both.offsets[sequence], both.offsets[sequence + 1]
        tokens[row, : stop - start] = both.tokens[start:stop]
    words = both.vocabulary
    similarity = np.ascontiguousarray(kernel.similarity.over(words).rows(words), np.float32)
    is_train = np.arange(n) < len(train)
    fused, decay = e2e.make_fused(MAX_LENGTH), np.float32(DECAY)
    best = np.inf
    for repetition in range(4):
        start = time.process_time()
        first, index = nbk.dedup(tokens, both.lengths)
        distinct, lengths = np.ascontiguousarray(tokens[first]), both.lengths[first]
        weights = np.stack([np.bincount(index, is_train == x, len(first)) for x in (0, 1)], axis=1).astype(np.int32)
        batches = e2e.ragged(distinct, lengths, len(similarity))
        e2e.run(distinct, lengths, similarity, weights, MAX_LENGTH, decay, N_REFERENCES, trials, k=fused, st=batches)
        if repetition:  # the first one compiles
            best = min(best, time.process_time() - start)
    return best


def one_size(n: int) -> dict[str, float]:
    """A short fit on ``n`` candidates, in this process."""
    kernel = PathKernel(WordSimilarity(), max_length=MAX_LENGTH, gap_decay=DECAY)
    learner(2, kernel).fit(random_paths(500, 2), target=random_paths(500, 3))  # compiles
    train, target = random_paths(n // 2, 0), random_paths(n - n // 2, 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = fit_seconds(15, train, target, kernel, repetitions=1)
    trace = learner(15, kernel).fit(train, target=target).trace_
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "n": n,
        "milliseconds_a_trial": 1000 * float(np.median([step.seconds for step in trace])),
        "fit_seconds": result["seconds"],
        "peak_megabytes": peak / 1024,
        "of_these_before_the_fit": before / 1024,
    }


def plot(results: dict[str, Any], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    sizes = results["growth_with_candidates"]
    left.loglog([row["n"] for row in sizes], [row["fit_seconds"] for row in sizes], "o-")
    left.set(xlabel="candidates", ylabel="seconds (15 bits)", title="growth with candidates")
    bits = results["growth_with_bits"]
    right.plot([row["n_bits"] for row in bits], [row["seconds"] for row in bits], "o-")
    right.set(xlabel="bits", ylabel="seconds (AIMed + BioInfer)", title="growth with bits", xlim=(0, None), ylim=(0, None))
    figure.savefig(path, dpi=150)


def main() -> None:
    default_data = HERE.parent.parent / "shared" / "data"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prototype", type=Path, default=HERE.parent.parent / "shared" / "prototypes" / "speed")
    parser.add_argument("--largest", type=int, default=1_000_000)
    parser.add_argument("--output", type=Path, default=HERE / "results")
    parser.add_argument("--one-size", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one_size:
        print(json.dumps(one_size(arguments.one_size)))
        return

    data = Path(os.environ["RELHASH_DATA"]) if os.environ.get("RELHASH_DATA") else default_data
    train, target = corpus_paths(data)
    kernel = PathKernel(WordSimilarity.from_vectors(), max_length=MAX_LENGTH, gap_decay=DECAY)
    learner(2, kernel).fit(train[:200], target=target[:200])  # compiles
    results: dict[str, Any] = {"candidates": len(train) + len(target), "fit": fit_seconds(N_BITS, train, target, kernel)}
    print("fit of {n_bits} bits: {seconds:.2f} s, {trials} trials, {milliseconds_a_trial:.2f} ms each".format(**results["fit"]))
    if (arguments.prototype / "e2e.py").is_file():
        seconds = prototype_seconds(arguments.prototype, train, target, kernel, results["fit"]["trials"])
        results["prototype_seconds"], results["ratio"] = seconds, results["fit"]["seconds"] / seconds
        print(f"prototype, as many trials: {seconds:.2f} s; ratio {results['ratio']:.2f}")
    results["growth_with_bits"] = [fit_seconds(n, train, target, kernel, 1) for n in (50, 100, 200, 400)]
    for row in results["growth_with_bits"]:
        print("{n_bits:4d} bits: {seconds:6.2f} s, {milliseconds_a_trial:.2f} ms a trial".format(**row))
    results["growth_with_candidates"] = []
    for n in (10_000, 31_623, 100_000, 316_228, 1_000_000):
        if n <= arguments.largest:
            command = [sys.executable, __file__, "--one-size", str(n)]
            row = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            results["growth_with_candidates"].append(row)
            print("{n:8d} candidates: {milliseconds_a_trial:7.1f} ms a trial, peak {peak_megabytes:.0f} MB".format(**row))
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "learner_speed.json").write_text(json.dumps({**results, "made": provenance("")}, indent=1) + "\n")
    plot(results, arguments.output / "learner_speed.png")


if __name__ == "__main__":
    main()
