"""Which word vectors serve the path kernel best? Choice on training-side data only.

    python benchmarks/word_vectors.py --vectors ours=a.npz glove=../shared/data/vectors/glove100.npz ours+glove

Each corpus by itself, five folds by document: a ridge classifier on the similarities of a candidate to 300 references drawn
from the training folds, in two views. The vectors of a name such as ``a+b`` are joined. Prints a Markdown table of mean AUC.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

import relhash
from relhash.candidates import StructureSet, build_structures, candidates
from relhash.kernels import PathKernel, WordSimilarity, WordVectors, load_vectors

VIEWS = ("path+edges", "between")
N_REFERENCES = 300


def load_corpus(path: Path) -> tuple[StructureSet, NDArray, NDArray]:
    """Structures, labels and documents of a corpus's candidates."""
    found = list(candidates(relhash.read(path)))
    labels = np.array([candidate.is_positive for candidate in found])
    return build_structures(found, VIEWS), labels, np.array([candidate.document.id for candidate in found])


def cross_validated_auc(similarity: WordSimilarity | None, X: StructureSet, y: NDArray, groups: NDArray, seed: int) -> float:
    """Mean AUC over five folds by document."""
    generator = np.random.default_rng(seed)
    aucs = []
    views = [PathKernel(similarity).bind(X[name]) for name in VIEWS]
    for train, test in GroupKFold(5).split(y, groups=groups):
        features = []
        for bound in views:
            own = np.unique(bound.rows[train])
            references = bound.unique(generator.choice(own, min(N_REFERENCES, own.size), replace=False))
            features.append(bound.similarities(references)[bound.rows])
        table = np.hstack(features)
        model = RidgeClassifier(alpha=1.0, class_weight="balanced").fit(table[train], y[train])
        aucs.append(roc_auc_score(y[test], model.decision_function(table[test])))
    return float(np.mean(aucs))


def joined(parts: Sequence[WordVectors]) -> WordVectors:
    """Vectors of the words of all parts, side by side: a cosine is the mean of theirs, where all of them know both words.

    A part that does not hold a word asks its own back-off, and adds zeros if that knows nothing either.
    """
    words = list(dict.fromkeys(word for part in parts for word in part.words))
    blocks = [part.encode(words).astype(np.float64) for part in parts]
    lengths = [np.linalg.norm(block, axis=1, keepdims=True) for block in blocks]
    unit = [block / np.where(length > 0, length, 1.0) for block, length in zip(blocks, lengths, strict=True)]
    return WordVectors(words, np.hstack(unit))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("RELHASH_DATA", "../shared/data"))
    parser.add_argument("--vectors", nargs="+", required=True, metavar="NAME=PATH")
    parser.add_argument("--thresholds", nargs="+", type=float, default=[0.3, 0.5])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    vectors: dict[str, WordVectors] = {}
    for assignment in options.vectors:
        name, _, path = assignment.partition("=")
        vectors[name] = load_vectors(path) if path else joined([vectors[part] for part in name.split("+")])
    corpora = {name: load_corpus(Path(options.data) / "ppi" / f"{name}.xml") for name in ("AIMed", "BioInfer")}
    results = []
    print("| vectors | threshold | " + " | ".join(corpora) + " |\n|---|---|" + "---|" * len(corpora))
    choices = [("none (equal words only)", 1.0, WordSimilarity())]
    choices += [
        (name, threshold, WordSimilarity.from_vectors(vectors[name], threshold=threshold))
        for name in vectors
        for threshold in options.thresholds
    ]
    for name, threshold, similarity in choices:
        aucs = {
            corpus: float(np.mean([cross_validated_auc(similarity, *data, seed) for seed in range(options.seeds)]))
            for corpus, data in corpora.items()
        }
        results.append({"vectors": name, "threshold": threshold, **aucs})
        print(f"| {name} | {threshold} | " + " | ".join(f"{auc:.4f}" for auc in aucs.values()) + " |", flush=True)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
