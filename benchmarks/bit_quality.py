"""Are optimised bits better than random ones? At equal n_bits, over several seeds, with an interval.

    python benchmarks/bit_quality.py [--bits 100] [--seeds 8] [--output benchmarks/results]

For each pair of corpora (the demo corpora; AIMed and BioInfer if ``RELHASH_DATA`` has them), hash functions are learned without
labels on the dependency paths of both, a forest is trained on the bits of one and tested on the other:

- ``objective``: mean of H(x, c) − I(c : others), in nats, all functions judged in the same way against the finished code;
- ``redundancy``: mutual information of two bits as a share of their entropy (random bits are often nearly constant, and share
  little only because they hold little), summed over all pairs;
- ``entropy``: H(C) ≈ Σ H(c_i) − TC(C) of the whole code, in nats, by latent factors;
- ``F1``, ``AUC`` of the forest. The threshold needs no target labels: the share of positives that is best for the forest's
  out-of-bag scores on the training set is labelled positive in the target set.

``random`` draws references everywhere and splits by chance; both spend the same number of bits. The interval is that of the
paired difference over seeds (95 %, t distribution).
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import f1_score, precision_recall_curve, roc_auc_score

import relhash
from relhash.candidates import PathSet, build_structures, candidates
from relhash.hashing import HashcodeLearner
from relhash.hashing.algorithm import current_objectives
from relhash.hashing.information import code_entropy, entropy, n_log_n
from relhash.hashing.splits import TermWeights
from relhash.kernels import PathKernel, WordSimilarity
from relhash.show.provenance import provenance

HERE = Path(__file__).resolve().parent
SETTINGS: dict[str, dict[str, Any]] = {
    "optimised": {},
    "random": {"split": "random", "sampling": "global", "deletion_share": 0.0},
}
MEASURES = ("objective", "redundancy", "entropy", "F1", "AUC")
Corpus = tuple[PathSet, NDArray[np.bool_]]


def load(path: Path) -> Corpus:
    found = list(candidates(relhash.read(path)))
    paths = build_structures(found, ["path+edges"])["path+edges"]
    assert isinstance(paths, PathSet)
    return paths, np.array([candidate.is_positive for candidate in found])


def mean_objective(bits: NDArray[np.uint8], is_train: NDArray[np.bool_]) -> float:
    weights = np.stack([~is_train, is_train], axis=1).astype(np.int64)
    rng, table = np.random.default_rng(0), n_log_n(len(is_train))
    rows = np.ascontiguousarray(bits.T)
    return float(np.mean([current_objectives(rows, weights, table, 10, TermWeights(), rng).mean() for _ in range(5)]))


def relative_redundancy(bits: NDArray[np.uint8]) -> float:
    """Mutual information of different bits, as a share of the geometric mean of their entropies."""
    n, n_bits = bits.shape
    both = bits.T.astype(np.float64) @ bits
    ones = np.broadcast_to(both.diagonal(), both.shape)
    single = entropy(np.stack([n - ones, ones], axis=-1))
    joint = entropy(np.stack([both, ones - both, ones.T - both, n - ones - ones.T + both], axis=-1))
    pairs = np.triu_indices(n_bits, 1)
    return float((single + single.T - joint)[pairs].sum() / np.sqrt(single * single.T)[pairs].sum())


def forest_scores(bits: NDArray[np.uint8], y: NDArray[np.bool_], is_train: NDArray[np.bool_], seed: int) -> tuple[float, float]:
    """F1 and AUC on the target set."""
    forest = RandomForestClassifier(
        100, class_weight="balanced_subsample", oob_score=True, min_samples_leaf=2, random_state=seed
    )
    forest.fit(bits[is_train], y[is_train])
    own = np.nan_to_num(forest.oob_decision_function_[:, 1])
    precision, recall, thresholds = precision_recall_curve(y[is_train], own)
    best = np.argmax((precision * recall / np.maximum(precision + recall, 1e-12))[:-1])
    share = float((own >= thresholds[best]).mean())
    scores = forest.predict_proba(bits[~is_train])[:, 1]
    predicted = scores >= np.quantile(scores, 1 - share)
    return float(f1_score(y[~is_train], predicted)), float(roc_auc_score(y[~is_train], scores))


def compare(train: Corpus, target: Corpus, n_bits: int, seeds: int) -> dict[str, Any]:
    kernel = PathKernel(WordSimilarity.from_vectors())
    y = np.concatenate([train[1], target[1]])
    is_train = np.arange(len(y)) < len(train[1])
    values: dict[str, dict[str, list[float]]] = {name: {measure: [] for measure in MEASURES} for name in SETTINGS}
    for seed in range(seeds):
        for name, parameters in SETTINGS.items():
            learner = HashcodeLearner(n_bits, kernel=kernel, random_state=seed, **parameters).fit(train[0], target=target[0])
            bits = np.concatenate([learner.transform(train[0]), learner.transform(target[0])])
            f1, auc = forest_scores(bits, y, is_train, seed)
            own = mean_objective(bits, is_train), relative_redundancy(bits), code_entropy(np.ascontiguousarray(bits.T))
            row = dict(zip(MEASURES, (*own, f1, auc), strict=True))
            for measure, value in row.items():
                values[name][measure].append(value)
    return {measure: interval(values["optimised"][measure], values["random"][measure]) for measure in MEASURES}


def interval(optimised: list[float], by_chance: list[float]) -> dict[str, float]:
    difference = np.array(optimised) - by_chance
    half = float(stats.t.ppf(0.975, len(difference) - 1) * stats.sem(difference))
    return {
        "optimised": float(np.mean(optimised)),
        "random": float(np.mean(by_chance)),
        "difference": float(difference.mean()),
        "low": float(difference.mean()) - half,
        "high": float(difference.mean()) + half,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bits", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--output", type=Path, default=HERE / "results")
    arguments = parser.parse_args()

    from relhash.resources import resource_path

    corpora = {name: load(resource_path("demo") / f"{name}.jsonl.gz") for name in ("abstracts", "fulltext")}
    pairs = [("abstracts", "fulltext"), ("fulltext", "abstracts")]
    data = Path(os.environ.get("RELHASH_DATA") or HERE.parent.parent / "shared" / "data") / "ppi"
    if data.is_dir():
        corpora |= {name: load(data / f"{name}.xml") for name in ("AIMed", "BioInfer")}
        pairs += [("AIMed", "BioInfer"), ("BioInfer", "AIMed")]
    results: dict[str, Any] = {"n_bits": arguments.bits, "seeds": arguments.seeds}
    for source, target in pairs:
        row = results[f"{source} → {target}"] = compare(corpora[source], corpora[target], arguments.bits, arguments.seeds)
        print(f"{source} → {target}, {arguments.bits} bits, {arguments.seeds} seeds")
        for measure, figures in row.items():
            means = "optimised {optimised:.3f}, random {random:.3f}, difference {difference:+.3f}".format(**figures)
            print(f"  {measure:10s} {means} [{figures['low']:+.3f}, {figures['high']:+.3f}]", flush=True)
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "bit_quality.json").write_text(
        json.dumps({**results, "made": provenance("")}, indent=1, ensure_ascii=False) + "\n"
    )


if __name__ == "__main__":
    main()
