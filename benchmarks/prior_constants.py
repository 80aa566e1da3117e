"""How strongly should a prior be believed before the labels speak? Chosen where no table reports.

    RELHASH_DATA=../shared/data python benchmarks/prior_constants.py [--draws 4] [--work DIR]

NERO and the training parts of BioNLP 2009 and 2013, as pairs of proteins: one is the prior, one gives the labels, one is read;
all six ways, without papers of AIMed, BioInfer and HPRD50. The own classifier is that of ``best``. Three constants are tried:
the usual weight of a prior's vote and the pull towards it (:mod:`relhash.learning.blend`), and the labels that weigh as much as
its word on how common relations are (:mod:`relhash.learning.threshold`). Beside the real prior stand three wrong ones, so that
the price of trust is seen: shuffled votes, votes turned round, and votes for pairs that stand close together.

Votes are kept in ``--work``, so that another grid takes a minute.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.evaluation.datasets.dataset import Dataset, data_root, read_benchmark_corpus
from relhash.evaluation.datasets.prior_sources import read_prior_source
from relhash.evaluation.prior_fitting import PRIOR_CLASSIFIER
from relhash.learning import blend
from relhash.learning.calibration import Calibration
from relhash.learning.classifier import to_log_odds
from relhash.learning.folds import choose
from relhash.learning.labels import draw_labelled
from relhash.learning.metrics import auc, f1_score
from relhash.learning.threshold import best_fraction, score_at_fraction
from relhash.models.code_choice import fit_features
from relhash.models.negated_labels import without_negated
from relhash.models.presets import PRESETS
from relhash.models.reading import EMBEDDED

COUNTS = (25, 50, 100, 200, 500, 1000)
MOST = 6000
"""Candidates per corpus, whole documents: enough for every constant, and minutes instead of hours."""
USUAL_WEIGHTS = (0.4, 0.5, 0.6, 0.7, 0.8)
PULLS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
PRIOR_LABELS = (25, 50, 100, 200, 400, 800)
ENOUGH = 100
"""Labels from which on a wrong prior must not cost."""
Floats = NDArray[np.float64]
Cell = dict[str, Any]


def corpora(root: Path) -> dict[str, list[Any]]:
    """Documents of the three sources, at random, until there are about :data:`MOST` pairs."""
    tests = [read_benchmark_corpus(root, f"ppi/{name}.xml") for name in ("AIMed", "BioInfer", "HPRD50")]
    events = read_prior_source("bionlp", root, without_papers=tests)
    return {
        "nero": read_prior_source("nero", root, without_papers=tests),
        "bionlp09": [document for document in events if document.id.startswith("2009")],
        "bionlp13": [document for document in events if document.id.startswith("2013")],
    }


def some_documents(dataset: Dataset, corpus: int) -> NDArray[np.int64]:
    """Rows of whole documents of one corpus, at most :data:`MOST`."""
    own = np.flatnonzero(dataset.corpus == corpus)
    names = np.unique(dataset.documents[own])
    np.random.default_rng(0).shuffle(names)
    place = {name: number for number, name in enumerate(names)}
    order = own[np.argsort([place[name] for name in dataset.documents[own]], kind="stable")]
    last = dataset.documents[order[min(MOST, order.size) - 1]]
    kept = order[: int(np.flatnonzero(dataset.documents[order] == last).max()) + 1]
    return np.sort(kept)


def cells(root: Path, n_draws: int) -> Iterator[Cell]:
    """Held-out votes of the own classifier, its votes on the text that is read, and those of the prior on both."""
    sources = corpora(root)
    names = list(sources)
    dataset = Dataset(list(sources.values()), parses=EMBEDDED)
    rows_of = [some_documents(dataset, number) for number in range(len(names))]
    everything = np.concatenate(rows_of)
    best = PRESETS["best"]
    y = without_negated(dataset.candidates, dataset.y)
    found = fit_features(best, dataset.structures(best.all_views)[everything], None, np.full(everything.size, None),
                         dataset.documents[everything],
                         random_state=0, n_jobs=1)  # fmt: skip
    columns, rows = found.features.columns, found.rows
    at = dict(zip(everything.tolist(), range(everything.size), strict=True))
    own_rows = [np.array([at[row] for row in own.tolist()]) for own in rows_of]
    gold, documents = y[everything], dataset.documents[everything]
    gap = np.array([max(1, abs(dataset.candidates[row].mentions[1].start - dataset.candidates[row].mentions[0].end))
                    for row in everything])  # fmt: skip
    priors = []
    for name, own in zip(names, own_rows, strict=True):
        how = {"columns": columns, "random_state": 0, "n_jobs": 1}
        chosen = choose([PRIOR_CLASSIFIER.base], rows[own], gold[own], documents[own], n_folds=3, **how)
        fitted = chosen.classifier.fit(rows[own], gold[own], **how)
        calibration = Calibration.fit(chosen.out_of_fold, gold[own])
        scores = fitted.scores(rows)
        priors.append((to_log_odds(scores), calibration.probabilities(scores)))
        print("prior", name, own.size, float(gold[own].mean()), flush=True)
    for of_prior, of_labels, read in permutations(range(len(names)), 3):
        train, test = own_rows[of_labels], own_rows[read]
        votes, probabilities = priors[of_prior]
        for draw, count in product(range(n_draws), COUNTS):
            chosen_rows = train[draw_labelled(gold[train], count, draw)]
            how = {"columns": columns, "random_state": draw, "n_jobs": 1}
            choice = choose(best.decision.choices(count), rows[chosen_rows], gold[chosen_rows], documents[chosen_rows],
                            n_folds=3, **how)  # fmt: skip
            fitted = choice.classifier.fit(rows[chosen_rows], gold[chosen_rows], **how)
            yield {
                "way": f"{names[of_prior]}: {names[of_labels]} → {names[read]}",
                "draw": draw,
                "labels": count,
                "y": gold[chosen_rows],
                "held_out": to_log_odds(choice.out_of_fold),
                "prior": votes[chosen_rows],
                "gap": gap[chosen_rows],
                "test_y": gold[test],
                "test_own": to_log_odds(fitted.scores(rows[test])),
                "test_prior": votes[test],
                "test_gap": gap[test],
                "expected": float(probabilities[test].mean()),
            }


def votes_of(cell: Cell, kind: str) -> tuple[Floats, Floats]:
    """Votes of a prior on the labelled rows and on the text that is read, of unit spread there."""
    rng = np.random.default_rng(cell["draw"])
    here, there = {
        "real": lambda: (cell["prior"], cell["test_prior"]),
        "shuffled": lambda: (rng.permutation(cell["prior"]), rng.permutation(cell["test_prior"])),
        "reversed": lambda: (-cell["prior"], -cell["test_prior"]),
        "distance": lambda: (-np.log(cell["gap"]), -np.log(cell["test_gap"])),
    }[kind]()
    centre, scale = there.mean(), there.std() or 1.0
    return (here - centre) / scale, (there - centre) / scale


def log_losses(cell: Cell, kind: str) -> Floats:
    """The held-out log-loss at each weight, to which a pull is added."""
    own = cell["held_out"] / (cell["held_out"].std() or 1.0)
    theirs = votes_of(cell, kind)[0]
    gold = cell["y"].astype(np.float64)
    return np.array([blend._log_loss(gold, weight * theirs + (1 - weight) * own) for weight in blend._WEIGHTS])


def blended(cell: Cell, kind: str, weight: float) -> tuple[Floats, Floats]:
    """Held-out votes and those on the text that is read."""
    scale = cell["held_out"].std() or 1.0
    here, there = votes_of(cell, kind)
    return weight * here + (1 - weight) * cell["held_out"] / scale, weight * there + (1 - weight) * cell["test_own"] / scale


def tried(found: list[Cell]) -> dict[str, Any]:
    """Mean AUC, what wrong priors cost, and mean F1, by constants."""
    kinds = ("real", "shuffled", "reversed", "distance")
    losses = {(number, kind): log_losses(cell, kind) for number, cell in enumerate(found) for kind in kinds}
    alone = [float(auc(cell["test_y"], cell["test_own"])) for cell in found]
    by_weight = {
        (number, kind): [float(auc(cell["test_y"], blended(cell, kind, weight)[1])) for weight in blend._WEIGHTS]
        for number, cell in enumerate(found)
        for kind in kinds
    }
    weights, rows = {}, []
    for usual, pull in product(USUAL_WEIGHTS, PULLS):
        row: dict[str, Any] = {"usual_weight": usual, "pull": pull}
        for kind in kinds:
            picked = [
                int(np.argmin(losses[number, kind] + pull * (blend._WEIGHTS - usual) ** 2)) for number in range(len(found))
            ]
            weights[usual, pull, kind] = picked
            gains = np.array([by_weight[number, kind][at] - alone[number] for number, at in enumerate(picked)])
            enough = np.array([cell["labels"] >= ENOUGH for cell in found])
            if kind == "real":
                row["gain"] = round(float(gains.mean()), 4)
                for count in COUNTS:
                    row[f"gain_{count}"] = round(float(gains[[cell["labels"] == count for cell in found]].mean()), 4)
            else:
                row[f"loss_{kind}"] = round(-float(gains[enough].mean()), 4)
                row[f"loss_{kind}_100"] = round(-float(gains[[cell["labels"] == ENOUGH for cell in found]].mean()), 4)
        rows.append(row)
    return {"weights": rows, "picked": weights, "shares": []}


def shares(found: list[Cell], picked: list[int]) -> list[dict[str, Any]]:
    """Mean F1 by the labels that weigh as much as the prior's word."""
    rows = []
    for labels in PRIOR_LABELS:
        scores: dict[int, list[float]] = {count: [] for count in COUNTS}
        for cell, at in zip(found, picked, strict=True):
            here, there = blended(cell, "real", float(blend._WEIGHTS[at]))
            n = cell["y"].size
            share = (n * best_fraction(cell["y"], here) + labels * cell["expected"]) / (n + labels)
            scores[cell["labels"]].append(f1_score(cell["test_y"], there >= score_at_fraction(there, share)))
        mean = {f"f1_{count}": round(float(np.mean(own)), 4) for count, own in scores.items()}
        rows.append({"prior_labels": labels, "f1": round(float(np.mean(list(mean.values()))), 4), **mean})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--draws", type=int, default=4)
    parser.add_argument("--work", type=Path, default=None, help="folder that keeps the votes")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "prior_constants.json")
    given = parser.parse_args()
    kept = None if given.work is None else given.work / "prior_votes.npy"
    if kept is not None and kept.exists():
        found = list(np.load(kept, allow_pickle=True))  # our own scratch file
    else:
        found = []
        for cell in cells(data_root(given.data), given.draws):
            found.append(cell)
            print(cell["way"], cell["draw"], cell["labels"], flush=True)
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            np.save(kept, np.array(found, dtype=object))
    table = tried(found)
    now = (blend.USUAL_WEIGHT, blend.PULL)
    result = {
        "ways": sorted({cell["way"] for cell in found}),
        "draws": given.draws,
        "usual_weight_now": now[0],
        "pull_now": now[1],
        "weights": table["weights"],
        "shares": shares(found, table["picked"][*now, "real"]),
    }
    for row in (*result["weights"], *result["shares"]):
        print(row)
    given.output.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
