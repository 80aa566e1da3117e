"""How strongly should a prior be believed before the labels speak? Chosen where no table reports.

    RELHASH_DATA=../shared/data python benchmarks/prior_constants.py [--draws 4] [--work DIR]

NERO and the training parts of BioNLP 2009 and 2013, as pairs of proteins: one is the prior, one gives the labels, one is read;
all six ways, without papers of AIMed, BioInfer and HPRD50. The own classifier is that of ``best``. Four constants are tried:
the usual weight of a prior's vote, the pull towards it, and what a prior must tell of the labels by itself to be drawn there
(:mod:`relhash.learn.blend`; 0: nothing), and the labels that weigh as much as its word on how common relations are
(:mod:`relhash.learn.threshold`). Beside the real prior stand three wrong ones, so that the price of trust is seen: shuffled
votes, votes turned round, and votes for pairs that stand close together.

Votes and their losses are kept in ``--work``, so that another grid takes seconds.
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
from scipy import special

from relhash.bench.datasets.dataset import Dataset, data_root, read_benchmark_corpus
from relhash.bench.systems.prior_votes import PRIOR_CLASSIFIER, read_prior_source
from relhash.learn import blend
from relhash.learn.calibration import Calibration
from relhash.learn.classifier import to_log_odds
from relhash.learn.folds import choose
from relhash.learn.labels import draw_labelled
from relhash.learn.metrics import auc, f1_score
from relhash.learn.threshold import best_fraction, score_at_fraction
from relhash.model.fitting.code_choice import fit_features
from relhash.model.fitting.training_labels import without_negated
from relhash.model.presets import PRESETS
from relhash.model.reading.parses import EMBEDDED
from relhash.show.provenance import provenance, shipped_parses

COUNTS = (25, 50, 100, 200, 500, 1000)
MOST = 6000
"""Candidates per corpus, whole documents: enough for every constant, and minutes instead of hours."""
USUAL_WEIGHTS = (0.6, 0.7, 0.8)
PULLS = (1.0, 4.0, 8.0, 16.0)
TELLING = (0.0, 0.01, 0.02, 0.04)
KINDS = ("real", "shuffled", "reversed", "distance")
PRIOR_LABELS = (25, 50, 100, 200, 400, 800)
ENOUGH = 100
"""Labels from which on a wrong prior must not cost: what is lost with so many is counted."""
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


Measured = tuple[dict[tuple[int, str], Floats], dict[tuple[int, str], list[float]], list[float]]


def measured(found: list[Cell]) -> Measured:
    """By cell and kind of prior: held-out log-loss and AUC at each weight; by cell: AUC without a prior."""
    keys = list(product(range(len(found)), KINDS))
    losses = {(number, kind): log_losses(found[number], kind) for number, kind in keys}
    aucs = {
        (number, kind): [
            float(auc(found[number]["test_y"], blended(found[number], kind, weight)[1])) for weight in blend._WEIGHTS
        ]
        for number, kind in keys
    }
    return losses, aucs, [float(auc(cell["test_y"], cell["test_own"])) for cell in found]


def picked(cell: Cell, losses: Floats, usual: float, pull: float, telling: float) -> int:
    """Number of the weight that these constants choose."""
    gold = cell["y"].astype(np.float64)
    nothing = gold.size * float(special.entr(gold.mean()) + special.entr(1 - gold.mean()))
    told = 1.0 if telling == 0 else min(1.0, max(0.0, (nothing - losses[-1]) / (telling * gold.size)))
    return int(np.argmin(losses + pull * (blend._WEIGHTS - usual * told) ** 2))


def tried(found: list[Cell], of: Measured) -> list[dict[str, Any]]:
    """The gain in AUC of a real prior, and what wrong ones cost, by constants."""
    losses, aucs, alone = of
    labels = np.array([cell["labels"] for cell in found])
    rows = []
    for usual, pull, telling in product(USUAL_WEIGHTS, PULLS, TELLING):
        row: dict[str, Any] = {"usual_weight": usual, "pull": pull, "telling": telling}
        for kind in KINDS:
            gains = np.array([
                aucs[number, kind][picked(cell, losses[number, kind], usual, pull, telling)] - alone[number]
                for number, cell in enumerate(found)
            ])  # fmt: skip
            if kind == "real":
                row["gain"] = round(float(gains.mean()), 4)
                row |= {f"gain_{count}": round(float(gains[labels == count].mean()), 4) for count in COUNTS}
            else:
                row[f"loss_{kind}"] = round(-float(gains[labels == ENOUGH].mean()), 4)
        rows.append(row)
    return rows


def shares(found: list[Cell], chosen: list[int]) -> list[dict[str, Any]]:
    """Mean F1 by the labels that weigh as much as the prior's word."""
    rows = []
    for labels in PRIOR_LABELS:
        scores: dict[int, list[float]] = {count: [] for count in COUNTS}
        for cell, at in zip(found, chosen, strict=True):
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
    work = given.work
    if work is not None and (work / "votes.npy").exists():  # our own scratch files
        found = list(np.load(work / "votes.npy", allow_pickle=True))
        of = tuple(np.load(work / "measured.npy", allow_pickle=True))
    else:
        found = []
        for cell in cells(data_root(given.data), given.draws):
            found.append(cell)
            print(cell["way"], cell["draw"], cell["labels"], flush=True)
        of = measured(found)
        if work is not None:
            work.mkdir(parents=True, exist_ok=True)
            np.save(work / "measured.npy", np.array(of, dtype=object))
            np.save(work / "votes.npy", np.array(found, dtype=object))
    now = (blend.USUAL_WEIGHT, blend.PULL, blend.TELLING)
    chosen = [picked(cell, of[0][number, "real"], *now) for number, cell in enumerate(found)]
    result = {
        "made": provenance(shipped_parses()),
        "ways": sorted({cell["way"] for cell in found}),
        "draws": given.draws,
        "now": {"usual_weight": now[0], "pull": now[1], "telling": now[2]},
        "weights": tried(found, of),
        "shares": shares(found, chosen),
    }
    for row in (*result["weights"], *result["shares"]):
        print(row)
    given.output.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
