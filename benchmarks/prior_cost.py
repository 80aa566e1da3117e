"""What does a prior cost when text is read?

    python benchmarks/prior_cost.py [--data DIR]

Milliseconds of one processor per candidate of HPRD50, parses at hand: a model of 100 labels of AIMed without a prior and with
``ppi`` as its prior. Structures are built once for both; each of the two has hash functions and n-grams of its own.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import relhash
from relhash.bench.datasets.dataset import data_root
from relhash.candidates import build_structures
from relhash.corpus import Corpus
from relhash.model import RelationExtractor
from relhash.show.provenance import provenance, shipped_parses


def milliseconds(times: int, n: int, job: Callable[[], object]) -> float:
    """The fastest of some runs, per candidate."""
    found = []
    for _ in range(times):
        started = time.process_time()
        job()
        found.append(time.process_time() - started)
    return round(1000 * min(found) / n, 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "prior_cost.json")
    given = parser.parse_args()
    root = data_root(given.data)
    labelled = Corpus.of(list(relhash.read(root / "ppi" / "AIMed.xml"))[:60])
    read = list(relhash.read(root / "ppi" / "HPRD50.xml"))
    figures = []
    for prior in (None, "ppi"):
        model = RelationExtractor(parses="embedded", prior=prior, n_jobs=1).fit(labelled, labels=100).model_
        found = model.candidates(read)
        structures = build_structures(found, model.settings.all_views)
        rows = model.features.transform(structures)
        row = {
            "prior": prior or "none",
            "candidates": len(found),
            "structures": milliseconds(3, len(found), lambda: build_structures(found, model.settings.all_views)),  # noqa: B023
            "features": milliseconds(3, len(found), lambda: model.features.transform(structures)),  # noqa: B023
            "decision": milliseconds(3, len(found), lambda: model.decision.decide(rows)),  # noqa: B023
        }
        row["all"] = round(sum(row[part] for part in ("structures", "features", "decision")), 3)
        figures.append(row)
        print(row, flush=True)
    given.output.write_text(json.dumps({"made": provenance(shipped_parses()), "rows": figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
