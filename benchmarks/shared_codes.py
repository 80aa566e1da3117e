"""What does it save to learn codes once, and what does it cost?

    python benchmarks/shared_codes.py [--seeds 3] [--output benchmarks/results]

For the codes of two presets: seconds of one processor to learn them on AIMed and BioInfer and hash both (what every fit does),
against hashing both with functions that were learned before on AIMed, BioInfer and HPRD50 together (what a fit with ``--codes``
does). Then the AUC on BioInfer of a linear classifier on 100 and 500 labels of AIMed, and the other way round: on the bits of
``KLSH-NU-RF``, on the coordinates of ``best``.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

import relhash
from relhash.candidates import StructureSet, build_structures, candidates
from relhash.learn import FeatureMap, LinearClassifier, to_parts
from relhash.learn.codes import Code
from relhash.learn.labels import draw_labelled
from relhash.model.presets import preset
from relhash.show.provenance import provenance, shipped_parses

HERE = Path(__file__).resolve().parent
READ_AS = {"KLSH-NU-RF": ("bits", 0.01), "best": ("coordinates", 0.3)}
"""The part that is measured, and C of the linear classifier on it, as in the preset for few labels."""
Side = tuple[StructureSet, NDArray[np.bool_]]


def hashed(part: str, code: Code, train: Side, target: Side) -> tuple[float, Any, Any]:
    """Seconds of one processor, and the features of both sides."""
    started = time.process_time()
    rows, target_rows = FeatureMap(to_parts(part), code).fit_transform(train[0], target=target[0])
    return time.process_time() - started, rows, target_rows


def aucs(C: float, rows: Any, y: NDArray[np.bool_], target_rows: Any, gold: NDArray[np.bool_], seed: int) -> dict[str, float]:
    found = {}
    for n in (100, 500):
        chosen = draw_labelled(y, n, seed)
        fitted = LinearClassifier(C).fit(rows[chosen], y[chosen], random_state=seed)
        found[f"auc_{n}"] = float(roc_auc_score(gold, fitted.scores(target_rows)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--output", type=Path, default=HERE / "results")
    arguments = parser.parse_args()
    data = Path(os.environ.get("RELHASH_DATA") or HERE.parent.parent / "shared" / "data") / "ppi"
    read = {name: list(candidates(relhash.read(data / f"{name}.xml"))) for name in ("AIMed", "BioInfer", "HPRD50")}
    result: dict[str, Any] = {"seeds": arguments.seeds, "cells": []}
    for name, (part, C) in READ_AS.items():
        system = preset(name)
        sides: dict[str, Side] = {
            corpus: (build_structures(found, system.views), np.array([candidate.is_positive for candidate in found]))
            for corpus, found in read.items()
        }
        for seed in range(arguments.seeds):
            shared = system.code.make(random_state=seed, n_jobs=1)
            shared.learn(StructureSet.concatenate([structures for structures, _ in sides.values()]))
            for source, target in (("AIMed", "BioInfer"), ("BioInfer", "AIMed")):
                kinds = {
                    "afresh": system.code.make(random_state=seed, n_jobs=1),
                    "shared": shared.reused(random_state=seed, n_jobs=1),
                }
                for kind, code in kinds.items():
                    seconds, rows, target_rows = hashed(part, code, sides[source], sides[target])
                    figures = aucs(C, rows, sides[source][1], target_rows, sides[target][1], seed)
                    cell = {"preset": name, "codes": kind, "direction": f"{source} → {target}", "seed": seed}
                    result["cells"].append({**cell, "seconds": seconds, **figures})
                    print(result["cells"][-1], flush=True)
    result["means"] = [
        {
            "preset": name,
            "codes": kind,
            **{
                measure: float(np.mean([c[measure] for c in result["cells"] if (c["preset"], c["codes"]) == (name, kind)]))
                for measure in ("seconds", "auc_100", "auc_500")
            },
        }
        for name in READ_AS
        for kind in ("afresh", "shared")
    ]
    arguments.output.mkdir(parents=True, exist_ok=True)
    path = arguments.output / "shared_codes.json"
    path.write_text(
        json.dumps({**result, "made": provenance(shipped_parses())}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    for row in result["means"]:
        print(row)


if __name__ == "__main__":
    main()
