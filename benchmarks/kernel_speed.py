"""How fast is the path kernel? Nanoseconds of CPU time a pair, next to a C program that does the same.

    python benchmarks/kernel_speed.py [--yardstick ../shared/prototypes/speed] [--output benchmarks/results]

Two data sets: dependency paths with edges and word windows of AIMed + BioInfer (``RELHASH_DATA``), or, where these are absent,
random sequences of the same lengths. All versions compare all candidates with the same sets of four references (subsequences of
up to 4 labels, decay 0.8), one thread, interleaved, the best of several rounds. The C yardstick is compiled on the spot if its
source and gcc are there; it holds 8 sequences in a register as we do (``trans``), ``transU`` is the same on distinct
sequences.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np
from numpy.typing import NDArray

from relhash.candidates import PathSet, build_structures, candidates
from relhash.kernels import PathKernel, WordSimilarity
from relhash.show.provenance import provenance

HERE = Path(__file__).resolve().parent
MAX_LENGTH, DECAY, N_REFERENCES, N_SETS = 4, 0.8, 4, 8
WEIGHTS = [DECAY] + [DECAY ** (2 * level) for level in range(1, MAX_LENGTH)]  # those of the C program
LONGEST = 60  # the C program has room for 64


def real_paths(data: Path) -> dict[str, PathSet]:
    """The two data sets from AIMed and BioInfer."""
    import relhash

    found = [c for name in ("AIMed", "BioInfer") for c in candidates(relhash.read(data / "ppi" / f"{name}.xml"))]
    structures = build_structures(found, ["path+edges", "window(2,3)"])
    return {"paths with edges": _cut(structures["path+edges"]), "windows": _cut(structures["window(2,3)"])}


def random_paths() -> dict[str, PathSet]:
    """Sequences with lengths, repetitions and vocabulary like those of the real data."""
    generator = np.random.default_rng(0)

    def draw(mean: float, n_words: int) -> PathSet:
        lengths = np.minimum(2 + generator.negative_binomial(3, 3 / (mean + 1), 15_500), LONGEST)
        words = (n_words * generator.random(lengths.sum()) ** 3).astype(int)
        sequences = np.split(words, np.cumsum(lengths)[:-1])
        return PathSet.from_sequences([[f"w{word}" for word in sequence] for sequence in sequences])

    return {"paths with edges": draw(8.3 - 2, 1900), "windows": draw(17.5 - 2, 4000)}


def _cut(paths: PathSet) -> PathSet:
    return PathSet.from_sequences([sequence[:LONGEST] for sequence in paths])


def with_duplicates(paths: PathSet) -> PathSet:
    """The same candidates, each with a stored sequence of its own."""
    tokens = [paths.tokens[paths.offsets[row] : paths.offsets[row + 1]] for row in paths.rows]
    return PathSet(
        paths.vocabulary, np.concatenate(tokens), np.concatenate([[0], np.cumsum(paths.lengths)]), np.arange(len(paths))
    )


@numba.njit
def straightforward(tokens, offsets, rows, references, similarities, decay, weights, result):
    """What one writes first: a pair at a time, one length after the other."""
    for n in range(rows.size):
        s = tokens[offsets[rows[n]] : offsets[rows[n] + 1]]
        for m in range(references.size):
            t = tokens[offsets[references[m]] : offsets[references[m] + 1]]
            found = np.empty((s.size, t.size), np.float32)
            for i in range(s.size):
                for j in range(t.size):
                    found[i, j] = similarities[s[i], t[j]]
            total = np.float32(0)
            reached = np.zeros((s.size + 1, t.size + 1), np.float32)
            for level in range(weights.size):
                level_sum = np.float32(0)
                for i in range(s.size):
                    along = np.float32(0)
                    for j in range(t.size):
                        level_sum += found[i, j]
                        along = found[i, j] + decay * along
                        reached[i + 1, j + 1] = along + decay * reached[i, j + 1]
                total += weights[level] * level_sum
                for i in range(s.size):
                    for j in range(t.size):
                        found[i, j] = similarities[s[i], t[j]] * reached[i, j]
            result[n, m] = total


class Yardstick:
    """The C program, with the data in its format."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.program, self.folder = folder / "floor", folder
        subprocess.run(["gcc", "-w", "-O3", "-march=native", "-o", self.program, source, "-lm"], check=True)

    def write(self, paths: PathSet, similarities: NDArray[np.float32]) -> None:
        longest = int(paths.lengths.max())
        padded = np.zeros((len(paths), longest), np.int32)
        for n, row in enumerate(paths.rows):
            tokens = paths.tokens[paths.offsets[row] : paths.offsets[row + 1]]
            padded[n, : tokens.size] = tokens
        padded.tofile(self.folder / "A.bin")
        paths.lengths.astype(np.int32).tofile(self.folder / "L.bin")
        similarities.tofile(self.folder / "sim.bin")
        (self.folder / "meta.txt").write_text(f"{len(paths)} {longest} {len(paths.vocabulary)}\n")

    def nanoseconds(self) -> dict[str, float]:
        arguments = [str(value) for value in (self.folder, MAX_LENGTH, DECAY, N_REFERENCES, N_SETS, 1)]
        printed = subprocess.run([self.program, *arguments], check=True, capture_output=True, text=True).stdout
        return {f"C, {name}": float(ns) for name, ns in re.findall(r"^(trans|transU) +best +([\d.]+)", printed, re.MULTILINE)}


def reference_sets(n: int) -> list[NDArray[np.int64]]:
    """The candidates that the C program draws: ``srand(1)``, then ``rand() % n``."""
    libc = ctypes.CDLL(None)
    libc.srand(1)
    drawn = np.array([libc.rand() % n for _ in range(N_SETS * N_REFERENCES)], np.int64)
    return list(drawn.reshape(N_SETS, N_REFERENCES))


def versions_of(
    paths: PathSet, similarity: WordSimilarity, similarities: NDArray[np.float32]
) -> dict[str, Callable[[NDArray], object]]:
    """Name → function of the numbers of the references."""
    kernel = PathKernel(similarity, MAX_LENGTH, DECAY, weights=WEIGHTS)
    stored = with_duplicates(paths)

    def whole(points: PathSet) -> Callable[[NDArray], object]:
        bound = kernel.bind(points, n_jobs=1)
        return lambda numbers: bound.kernel(points[numbers])

    deduplicated = kernel.bind(paths, n_jobs=1)

    def plainly(numbers: NDArray) -> object:
        result = np.empty((len(paths), numbers.size), np.float32)
        weights, decay = np.array(WEIGHTS, np.float32), np.float32(DECAY)
        straightforward(paths.tokens, paths.offsets, paths.rows, paths.rows[numbers], similarities, decay, weights, result)
        return result

    return {
        "Numba, straightforward": plainly,
        "RelHash, 8 lanes": whole(stored),
        "RelHash, 8 lanes, distinct": whole(paths),
        "RelHash, nearest, distinct": lambda numbers: deduplicated.nearest(deduplicated.unique(deduplicated.rows[numbers])),
    }


def measure(paths: PathSet, similarity: WordSimilarity, yardstick: Yardstick | None, rounds: int) -> dict[str, float]:
    """Best nanoseconds a pair of each version."""
    similarities = similarity.over(paths.vocabulary).rows(paths.vocabulary)
    versions = versions_of(paths, similarity, similarities)
    sets = reference_sets(len(paths))
    if yardstick is not None:
        yardstick.write(paths, similarities)
    for version in versions.values():  # compile, and fill the caches of word similarities
        for numbers in sets:
            version(numbers)
    best: dict[str, float] = {}
    for _ in range(rounds):
        times = {} if yardstick is None else yardstick.nanoseconds()
        for name, version in versions.items():
            started = time.process_time()
            for numbers in sets:
                version(numbers)
            times[name] = (time.process_time() - started) / (len(sets) * len(paths) * N_REFERENCES) * 1e9
        best = {name: min(ns, best.get(name, np.inf)) for name, ns in times.items()}
    return best


def plot(results: dict[str, dict[str, float]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = list(next(iter(results.values())))
    figure, axes = pyplot.subplots(figsize=(8, 0.7 * len(names) + 1), layout="constrained")
    for number, (label, times) in enumerate(results.items()):
        bars = axes.barh(np.arange(len(names)) + 0.4 * number, [times[name] for name in names], 0.4, label=label)
        axes.bar_label(bars, fmt="%.0f", padding=2)
    axes.set_yticks(np.arange(len(names)) + 0.2, names)
    axes.set(xscale="log", xlabel="nanoseconds of CPU time a pair")
    axes.legend()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    shared = HERE.parents[1] / "shared"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("RELHASH_DATA") or shared / "data"))
    parser.add_argument(
        "--yardstick", type=Path, default=Path(os.environ.get("RELHASH_PROTOTYPES") or shared / "prototypes") / "speed"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path, default=HERE / "results")
    options = parser.parse_args()
    has_data = (options.data / "ppi").is_dir()
    source = options.yardstick / "floor.c"
    data_sets = real_paths(options.data) if has_data else random_paths()
    similarity = WordSimilarity.from_vectors() if has_data else WordSimilarity()
    results: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        yardstick = Yardstick(source, Path(folder)) if source.is_file() and shutil.which("gcc") else None
        for name, paths in data_sets.items():
            print(
                f"{name}: {len(paths)} candidates, {paths.n_unique} distinct, mean length {paths.lengths.mean():.1f}",
                flush=True,
            )
            results[name] = measure(paths, similarity, yardstick, options.rounds)
    print("\n| version | " + " | ".join(results) + " |\n|---|" + "---|" * len(results))
    for version in next(iter(results.values())):
        print(f"| {version} | " + " | ".join(f"{times[version]:.1f}" for times in results.values()) + " |")
    if yardstick is None:
        print(f"\nno yardstick: {source} or gcc is missing")
    else:
        ratios = {name: times["RelHash, 8 lanes"] / times["C, trans"] for name, times in results.items()}
        print("\n8 lanes / C trans: " + ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items()))
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "kernel_speed.json").write_text(
        json.dumps({**results, "made": provenance("")}, indent=2), encoding="utf-8"
    )
    plot(results, options.output / "kernel_speed.svg")


if __name__ == "__main__":
    main()
