"""The shipped ``ppi`` alone and beside the encoder, on corpora that neither has seen, with their entities.

    RELHASH_DATA=../shared/data python benchmarks/encoder_models.py -o benchmarks/results/encoder/models.json

What it accepts, how it ranks, and how often a probability of .9 or more is right.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

import relhash
from relhash.bench.datasets.bionlp import development_documents
from relhash.bench.datasets.dataset import data_root, read_benchmark_corpus
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.language.encoder import shared_encoder
from relhash.learn.labels import has_label
from relhash.learn.metrics import measure
from relhash.model.judging import Prepared
from relhash.show.provenance import provenance, shipped_parses

TESTS = ("ppi/AIMed.xml", "ppi/HPRD50.xml")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--output", "-o", type=Path)
    given = parser.parse_args()
    root = data_root(given.data)
    tests = {name.split("/")[1].removesuffix(".xml"): list(read_benchmark_corpus(root, name)) for name in TESTS}
    tests["BioNLP 2013 devel"] = list(pairs_of_events(development_documents(root)))
    readers = {
        name: relhash.load("ppi", encoder=is_beside, n_jobs=1) for name, is_beside in (("first reader", False), ("both", True))
    }
    rows: dict[str, dict[str, dict[str, float]]] = {name: {} for name in readers}
    for test, documents in tests.items():
        found = readers["both"].candidates(documents)
        found = [one for one, is_labelled in zip(found, has_label(found), strict=True) if is_labelled]
        gold = np.array([one.is_positive for one in found])
        for name, reader in readers.items():
            scores, probabilities, labels = reader.decision.decide(Prepared(reader, found).features)
            measured, sure = measure(gold, scores, labels), probabilities >= 0.9
            rows[name][test] = {
                "auc": measured.auc,
                "average precision": measured.average_precision,
                "precision": measured.precision,
                "recall": measured.recall,
                "f1": measured.f1,
                "sure": int(sure.sum()),
                "sure and right": int(gold[sure].sum()),
            }
            print(test, name, json.dumps(rows[name][test]), flush=True)
    if given.output:
        made = {"rows": rows, "encoder": shared_encoder().version, "made": provenance(shipped_parses())}
        given.output.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
