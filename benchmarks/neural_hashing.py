"""How should networks be fitted as hash functions? Time, objective and what the bits are worth, chosen on the training side.

    python benchmarks/neural_hashing.py [--settings "lstm;cnn"] [--bits 60] [--seeds 2] [--output benchmarks/results]

Hash functions are learned without labels on the dependency paths of AIMed and BioInfer (``RELHASH_DATA``). For each setting:

- ``fit s``, ``hash s``: seconds of CPU time to learn the code and to hash all 15,500 candidates;
- ``objective``: mean of H(x, c) − I(c : others) in nats, all functions judged in the same way against the finished code;
- ``AUC A``, ``AUC B``: a forest on the bits, labels of one corpus alone, three folds of its documents. The labels of
  the other corpus, on which tables are reported, are not looked at.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score

from bit_quality import mean_objective
from relhash.bench.datasets.dataset import Dataset, data_root, read_benchmark_corpus
from relhash.bench.protocols import AIMED, BIOINFER
from relhash.candidates import PathSet
from relhash.hashing import HashcodeLearner
from relhash.kernels import PathKernel, WordSimilarity
from relhash.learn.classifier import document_folds
from relhash.show.provenance import provenance

HERE = Path(__file__).resolve().parent
RANDOM = {"split": "random", "sampling": "global", "deletion_share": 0.0}


def neural(n_references: Any = (3, 4), split: str = "auto", **network: Any) -> dict[str, Any]:
    return {"hash_function": "neural", "n_references": n_references, "split": split, "network": network}


SETTINGS: dict[str, dict[str, Any]] = {
    "kernel": {},
    "kernel, random": RANDOM,
    "lstm": neural(),
    "lstm, chosen by networks": neural(choose="networks"),
    "lstm, 8 references": neural((8,)),
    "lstm, 16 references": neural((16,)),
    "cnn": neural(encoder="cnn"),
    "cnn, chosen by networks": neural(encoder="cnn", choose="networks"),
    "mean": neural(encoder="mean"),
    "mean, chosen by networks": neural(encoder="mean", choose="networks"),
}


def training_auc(bits: NDArray[np.uint8], y: NDArray[np.bool_], documents: NDArray[Any], seed: int) -> float:
    """AUC of out-of-fold scores, whole documents held out."""
    scores = np.zeros(y.size)
    for train, test in document_folds(y, documents, 3):
        forest = RandomForestClassifier(40, class_weight="balanced_subsample", min_samples_leaf=4, random_state=seed)
        scores[test] = forest.fit(bits[train], y[train]).predict_proba(bits[test])[:, 1]
    return float(roc_auc_score(y, scores))


def measure(dataset: Dataset, parameters: dict[str, Any], n_bits: int, seeds: int) -> dict[str, float]:
    paths = dataset.structures(["path+edges"])["path+edges"]
    assert isinstance(paths, PathSet)
    kernel = PathKernel(WordSimilarity.from_vectors())
    rows: list[dict[str, float]] = []
    for seed in range(seeds):
        started = time.process_time()
        learner = HashcodeLearner(n_bits, kernel=kernel, random_state=seed, **parameters)
        learner.fit(paths[dataset.corpus == 0], target=paths[dataset.corpus == 1])
        fitted = time.process_time()
        bits = learner.transform(paths)
        row = {"fit s": fitted - started, "hash s": time.process_time() - fitted}
        row["objective"] = mean_objective(bits, dataset.corpus == 0)
        for number, letter in enumerate("AB"):
            own = dataset.corpus == number
            row[f"AUC {letter}"] = training_auc(bits[own], dataset.y[own], dataset.documents[own], seed)
        rows.append(row)
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", help="names, separated by semicolons; all by default")
    parser.add_argument("--bits", type=int, default=60)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--output", type=Path, default=HERE / "results")
    arguments = parser.parse_args()

    root = data_root(None)
    dataset = Dataset([read_benchmark_corpus(root, name) for name in (AIMED, BIOINFER)])
    measure(dataset, neural(epochs=1), 2, 1)  # compiles, and loads torch
    chosen = SETTINGS if arguments.settings is None else {name: SETTINGS[name] for name in arguments.settings.split(";")}
    results: dict[str, Any] = {"n_bits": arguments.bits, "seeds": arguments.seeds, "settings": {}}
    for name, parameters in chosen.items():
        row = results["settings"][name] = measure(dataset, parameters, arguments.bits, arguments.seeds)
        print(f"{name:40s} " + ", ".join(f"{measure} {value:.3f}" for measure, value in row.items()), flush=True)
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "neural_hashing.json").write_text(
        json.dumps({**results, "made": provenance("")}, indent=1, ensure_ascii=False) + "\n"
    )


if __name__ == "__main__":
    main()
