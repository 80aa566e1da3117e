"""Search with the encoder: its vectors hashed by our functions, and as the judge of the list that codes choose.

    RELHASH_ENCODER=FILE RELHASH_DATA=../shared/data python benchmarks/encoder_search.py -o OUT.json

The tasks are those of ``relhash benchmark similar``; P@10 is the share of the first ten with the label of the query. Weights
that have learned the labels of a task would make it look better than it is: those without BioInfer are asked for, and figures
of BioNLP are marked.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from relhash.bench.benchmarks.similar import NEAREST, TASKS, USUAL, search_tasks
from relhash.bench.datasets.dataset import data_root
from relhash.candidates.encoded import ENCODER
from relhash.hashing import HashcodeLearner
from relhash.hashing.hamming import nearest_codes, pack, similarities
from relhash.language.encoder import shared_encoder
from relhash.learn.codes import make_kernels
from relhash.model.index import VIEWS
from relhash.show.provenance import provenance, shipped_parses

HASHED = {"paths": VIEWS, "encoder": (ENCODER,), "paths and encoder": (*VIEWS, ENCODER)}
"""What functions compare, and what judges a list."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--output", "-o", type=Path)
    given = parser.parse_args()
    bits, listed = USUAL
    figures = {"encoder": shared_encoder().version, "learned from": shared_encoder().learned_from, "seeds": given.seeds}
    for task in search_tasks(data_root(given.data), print, views=(*VIEWS, ENCODER), names=given.tasks):
        rows: dict[str, list[float]] = {}
        for seed in range(given.seeds):
            exact, near = {}, {}
            for name, views in HASHED.items():
                learner = HashcodeLearner(bits, kernel=make_kernels(views), views=list(views), random_state=seed, n_jobs=1)
                learner.fit(task.sample)
                asked, codes = (pack(learner.transform(X)) for X in (task.queries, task.searched))
                near[name] = nearest_codes(asked, codes, listed)[1]
                start = time.process_time()
                exact[name] = similarities(learner.kernels_, task.searched, task.queries).T
                rows.setdefault(f"microseconds a comparison: {name}", []).append(
                    (time.process_time() - start) / exact[name].size * 1e6
                )
            for name, own in near.items():
                rows.setdefault(f"codes of {name} alone", []).append(precision(task, own[:, :NEAREST]))
                for judge, values in exact.items():
                    order = np.argsort(-np.take_along_axis(values, own, 1), axis=1, kind="stable")[:, :NEAREST]
                    rows.setdefault(f"codes of {name}, judged by {judge}", []).append(
                        precision(task, np.take_along_axis(own, order, 1))
                    )
            for judge, values in exact.items():
                first = np.argsort(-values, axis=1, kind="stable")[:, :NEAREST]
                rows.setdefault(f"all, judged by {judge}", []).append(precision(task, first))
        figures[task.name] = {name: round(float(np.mean(own)), 4) for name, own in rows.items()}
        print(json.dumps({task.name: figures[task.name]}, indent=1), flush=True)
    figures["made"] = provenance(shipped_parses())
    if given.output:
        given.output.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def precision(task, shown) -> float:
    return float((task.labels[shown] == task.query_labels[:, None]).mean())


if __name__ == "__main__":
    main()
