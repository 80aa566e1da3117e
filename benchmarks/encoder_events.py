"""Why ``events`` has no second reader: what the encoder says of the two participants beside what ``events`` says.

    RELHASH_DATA=../shared/data python benchmarks/encoder_events.py -o benchmarks/results/encoder/events.json

Candidates with two participants of the development set of BioNLP 2013, which neither has learned. The encoder says whether two
proteins are related at all; candidates that share them differ in trigger, type and roles. F1 is that of as many accepted
candidates as ``events`` accepts.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

import relhash
from relhash.bench.datasets.bionlp import development_documents
from relhash.bench.datasets.dataset import data_root
from relhash.candidates import build_structures
from relhash.candidates.encoded import ENCODER
from relhash.language.encoder import shared_encoder
from relhash.learn.labels import has_label
from relhash.learn.metrics import measure
from relhash.model.judging import Prepared
from relhash.show.provenance import provenance, shipped_parses

WEIGHTS = (0.25, 0.5, 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--output", "-o", type=Path)
    given = parser.parse_args()
    model, encoder = relhash.load("events", n_jobs=1), shared_encoder()
    found = model.candidates(development_documents(data_root(given.data)))
    found = [
        one
        for one, is_labelled in zip(found, has_label(found), strict=True)
        if is_labelled and sum(not mention.is_trigger for mention in one.mentions) > 1
    ]
    gold = np.array([one.is_positive for one in found])
    votes = {"events": model.decision.classifier.log_odds(Prepared(model, found).features)}
    table = build_structures(found, [ENCODER])[ENCODER]
    for head in ("general", "bionlp"):
        own = table[:, encoder.heads.index(head)]
        votes[f"encoder, {head}"] = own
        for weight in WEIGHTS:
            both = votes["events"] / votes["events"].std() + weight * own / own.std()
            votes[f"events and encoder, {head}, weighs {weight}"] = both
    accepted = int(model.decision.decide(Prepared(model, found).features)[2].sum())
    rows = {}
    for name, scores in votes.items():
        labels = np.zeros(gold.size, bool)
        labels[np.argsort(-scores, kind="stable")[:accepted]] = True
        measured = measure(gold, scores, labels)
        rows[name] = {"auc": measured.auc, "average precision": measured.average_precision, "f1": measured.f1}
        print(name, json.dumps(rows[name]))
    figures = {"candidates": gold.size, "related": int(gold.sum()), "accepted": accepted, "rows": rows}
    if given.output:
        made = {**figures, "encoder": encoder.version, "made": provenance(shipped_parses())}
        given.output.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
