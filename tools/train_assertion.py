"""Train the detector of negation and speculation that ships, on the marks of BioNLP 2009 train and 2013 train.

    RELHASH_DATA=../shared/data python tools/train_assertion.py

A tenth of the documents is held out. Penalty and threshold come from cross-validation over the others; the held-out tenth says
whether the classifier beats the rules (the table that is printed). What ships is then fitted on all training documents. The
development set of 2013, the test set of ``relhash benchmark assertion``, is not read.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

from relhash.bench.benchmarks.assertion import MarkedEvent, figures_of, report_of, training_events
from relhash.bench.datasets.dataset import data_root
from relhash.biomed.assertion import AssertionModel, LogisticModel, features
from relhash.files import replacing

FILE = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "assertion" / "model.json"
PENALTIES = (0.1, 0.3, 1.0)
THRESHOLDS = tuple(np.arange(20, 60, 5) / 100)
FOLDS = 5
AT_LEAST = 3
"""Events that a feature must be seen in."""
HEAVIEST = 600
"""Weights that are kept of each regression, so that the file stays small."""
LARGEST = 50_000
"""Bytes that the file may have."""


class Rows:
    """Events as rows of a sparse matrix, with their marks and a number for each document."""

    def __init__(self, events: Sequence[MarkedEvent]) -> None:
        found = [features(event.scope, event.statement) for event in events]
        counts = Counter(name for one in found for name in one)
        self.names = sorted(name for name, count in counts.items() if count >= AT_LEAST)
        column = {name: number for number, name in enumerate(self.names)}
        places = [(row, column[name]) for row, one in enumerate(found) for name in sorted(one) if name in column]
        rows, columns = np.array(places, np.int32).T  # what liblinear takes
        self.X = csr_array((np.ones(len(places)), (rows, columns)), shape=(len(events), len(self.names)))
        self.marks = {
            "negated": np.array([event.negated for event in events]),
            "speculative": np.array([event.speculative for event in events]),
        }
        self.documents = np.array([zlib.crc32(event.document.encode()) for event in events])

    def fitted(self, mark: str, C: float, threshold: float) -> LogisticModel:
        machine = _machine(C, self.X, self.marks[mark])
        weights = {name: round(float(w), 3) for name, w in zip(self.names, machine.coef_[0], strict=True) if w}
        return LogisticModel(round(float(machine.intercept_[0]), 3), weights, threshold)

    def chosen(self, mark: str) -> tuple[float, float]:
        """Penalty and threshold with the best F1 when documents are held out."""
        y, folds = self.marks[mark], self.documents // 10 % FOLDS
        best = (0.0, 0.0, 0.0)
        for C in PENALTIES:
            probability = np.empty(len(y))
            for fold in range(FOLDS):
                machine = _machine(C, self.X[folds != fold], y[folds != fold])
                probability[folds == fold] = machine.predict_proba(self.X[folds == fold])[:, 1]
            best = max(best, *((_f1(y, probability >= threshold), C, threshold) for threshold in THRESHOLDS))
        print(f"{mark}: F1 {best[0]:.3f} in cross-validation, C {best[1]}, threshold {best[2]}")
        return best[1:]


def _machine(C: float, X: csr_array, y: NDArray[np.bool_]) -> LogisticRegression:
    """A regression whose lighter weights are zero."""
    machine = LogisticRegression(C=C, solver="liblinear", random_state=0).fit(X, y)
    weights = machine.coef_[0]
    weights[np.argsort(-np.abs(weights), kind="stable")[HEAVIEST:]] = 0
    return machine


def _f1(gold: NDArray[np.bool_], found: NDArray[np.bool_]) -> float:
    return float(2 * (gold & found).sum() / max(gold.sum() + found.sum(), 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the folder that holds bionlp/; RELHASH_DATA by default")
    parser.add_argument("--output", type=Path, default=FILE)
    given = parser.parse_args()
    events = training_events(data_root(given.data))
    is_held_out = Rows(events).documents % 10 == 0
    kept, held_out = ([event for event, out in zip(events, is_held_out, strict=True) if out == side] for side in (False, True))
    rows = Rows(kept)
    settings = {mark: rows.chosen(mark) for mark in rows.marks}
    trial = AssertionModel(**{mark: rows.fitted(mark, *settings[mark]) for mark in settings})
    print(f"{len(kept)} events fitted, {len(held_out)} held out:\n{report_of(list(figures_of(held_out, trial))).markdown()}")
    rules = [figure for figure in figures_of(kept, trial) if figure.judge == "rules"]
    print(f"the rules on the documents of the cross-validation:\n{report_of(rules).markdown()}")
    everything = Rows(events)
    model = AssertionModel(**{mark: everything.fitted(mark, *settings[mark]) for mark in settings})
    given.output.parent.mkdir(parents=True, exist_ok=True)
    with replacing(given.output) as handle:
        json.dump(asdict(model), handle, indent=0, ensure_ascii=False, sort_keys=True)
        handle.write("\n")
    size = given.output.stat().st_size
    print(f"{given.output}: {size:,} bytes")
    if size > LARGEST:
        raise SystemExit(f"{size:,} bytes are more than the {LARGEST:,} that may be committed")


if __name__ == "__main__":
    main()
