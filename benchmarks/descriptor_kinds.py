"""Which kind of descriptor earns what? A forest on all of them, without one kind, and on one kind alone.

    python benchmarks/descriptor_kinds.py [--data DIR] [--trees 150] [--output benchmarks/results]

On the development side only: trained on AIMed or BioInfer and tested on HPRD50 (``ppi-development``), and within AIMed and
BioInfer with clusters of documents held out (``ppi-clusters``). AUC, mean of the tasks of a protocol, parses of the files.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score

from relhash.bench.datasets.dataset import Dataset, read_benchmark_corpus
from relhash.bench.protocols import protocol, tasks
from relhash.candidates import description as facts
from relhash.candidates.descriptors import COLUMNS
from relhash.show.provenance import provenance

HERE = Path(__file__).resolve().parent
KINDS = {
    "words": facts.WORD_COLUMNS,
    "names": facts.NAME_COLUMNS,
    "company": facts.COMPANY_COLUMNS,
    "path": facts.PATH_COLUMNS,
    "triggers": facts.TRIGGER_COLUMNS,
}
PROTOCOLS = ("ppi-development", "ppi-clusters")


def selections() -> dict[str, list[int]]:
    """Columns of each row of the table."""
    rows = {"all": list(range(len(COLUMNS)))}
    for kind, names_of_kind in KINDS.items():
        rows[f"without {kind}"] = [i for i, name in enumerate(COLUMNS) if name not in names_of_kind]
    for kind, names_of_kind in KINDS.items():
        rows[f"{kind} alone"] = [COLUMNS.index(name) for name in names_of_kind]
    return rows


def mean_auc(dataset: Dataset, name: str, columns: list[int], n_trees: int) -> float:
    table = np.asarray(dataset.structures(("descriptors",))["descriptors"])[:, columns]
    found = []
    for task in tasks(protocol(name), dataset):
        forest = RandomForestClassifier(n_trees, min_samples_leaf=5, class_weight="balanced", random_state=0, n_jobs=-1)
        scores = forest.fit(table[task.train], dataset.y[task.train]).predict_proba(table[task.test])[:, 1]
        found.append(roc_auc_score(dataset.y[task.test], scores))
    return float(np.mean(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=Path, default=Path(os.environ.get("RELHASH_DATA") or HERE.parent.parent / "shared" / "data")
    )
    parser.add_argument("--trees", type=int, default=150)
    parser.add_argument("--output", type=Path, default=HERE / "results")
    arguments = parser.parse_args()

    datasets = {
        name: Dataset([read_benchmark_corpus(arguments.data, file) for _, file in protocol(name).corpora]) for name in PROTOCOLS
    }
    results: dict[str, dict[str, float]] = {}
    print(f"{'':18s} columns  {'  '.join(PROTOCOLS)}")
    for row, columns in selections().items():
        figures = {name: mean_auc(dataset, name, columns, arguments.trees) for name, dataset in datasets.items()}
        results[row] = {"columns": len(columns), **figures}
        print(f"{row:18s} {len(columns):7d}  {figures[PROTOCOLS[0]]:15.3f}  {figures[PROTOCOLS[1]]:12.3f}", flush=True)
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "descriptor_kinds.json").write_text(json.dumps({**results, "made": provenance("")}, indent=1) + "\n")


if __name__ == "__main__":
    main()
