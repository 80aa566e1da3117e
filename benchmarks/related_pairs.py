"""Can a prior say whether two things are related, whatever they are? Trained without a class of entities, tested on it.

    RELHASH_DATA=../shared/data python benchmarks/related_pairs.py [--work DIR]

NERO has statements about chemicals, processes, cells, diseases and proteins. Papers are divided into two halves; a prior learns
from the pairs of one half *without* any chemical (without any disease or finding), and is tested on the pairs of the other half
*with* one. Beside it: a prior of protein pairs alone (what ``ppi`` could know), one that may see the class as well, and the
distance between the two names. Then labels of the class come in: the classifier of ``best`` on 25 to 500 of them, alone and
as a correction of the prior that has not seen the class. Things without a class in the table are left out of all of it, since
they may be anything. The features are fitted on the unlabelled pairs of all of NERO.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.bench.datasets.dataset import Dataset, data_root, read_benchmark_corpus
from relhash.bench.systems.prior_votes import PRIOR_CLASSIFIER, PRIOR_PARTS, RELATED_CLASSIFIER, judged_pairs
from relhash.candidates.symbols import entity_class
from relhash.corpus.document import with_one_type
from relhash.learn import CommitteeClassifier, FeatureMap, ForestClassifier, LinearClassifier, Member
from relhash.learn.classifier import Classifier, choose, to_log_odds
from relhash.learn.codes import make_code
from relhash.learn.correction import corrected
from relhash.learn.labels import draw_labelled
from relhash.learn.metrics import auc, average_precision
from relhash.model.reading.reader import EMBEDDED
from relhash.model.recipe import PRESETS
from relhash.show.provenance import provenance, shipped_parses

HELD_OUT = {
    "chemicals": {"chemical", "smallmolecule", "molecule", "ion", "atom", "nonproteinornucleicacidchemical", "aminoacid"},
    "diseases and findings": {"disease", "medicalfinding"},
}
UNKNOWN = "unknown"
COUNTS = (25, 100, 500)
SMALL_TREES = CommitteeClassifier(
    (
        Member(
            ForestClassifier(40, min_samples_leaf=40, balanced=True, random_cuts=True),
            ("coordinates", "raw-descriptors"),
            weight=2,
        ),
        Member(LinearClassifier(0.1), ("descriptors", "ngrams")),
    )
)
SMALLER: dict[str, Classifier] = {"small trees": SMALL_TREES, "linear": RELATED_CLASSIFIER}
"""Classifiers that make a smaller file than that of ``ppi``."""
Mask = NDArray[np.bool_]


def halves(documents: NDArray[Any]) -> Mask:
    """Half of the papers, drawn at random."""
    names = np.unique(documents)
    chosen = np.random.default_rng(0).permutation(names.size) < names.size // 2
    return np.isin(documents, names[chosen])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--draws", type=int, default=4)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "related_pairs.json")
    given = parser.parse_args()
    nero = read_benchmark_corpus(data_root(given.data), "nero/annotation_results.txt.gz")
    dataset = Dataset([with_one_type(judged_pairs(nero), "related")], parses=EMBEDDED)
    best = PRESETS["best"]
    views = list(dict.fromkeys([*best.views, *(view for part in PRIOR_PARTS for view in part.views)]))
    features = FeatureMap(PRIOR_PARTS, make_code(best.views, best.learner, best.kernel))
    rows, *_ = features.fit_transform(dataset.structures(views))
    y, columns = dataset.y, features.columns
    classes = [{entity_class(mention.type) for mention in one.mentions} for one in dataset.candidates]
    known = np.array([UNKNOWN not in own for own in classes])
    proteins = np.array([own == {"protein"} for own in classes])
    gap = np.array([max(1, abs(one.mentions[1].start - one.mentions[0].end)) for one in dataset.candidates])
    first = halves(dataset.documents)
    print(f"{y.size} pairs, {y.sum()} related; {proteins.sum()} of proteins", flush=True)

    def votes(train: Mask, classifier: Classifier = PRIOR_CLASSIFIER.base) -> NDArray[np.float64]:
        fitted = classifier.fit(rows[train], y[train], columns=columns, random_state=0, n_jobs=1)
        return np.asarray(fitted.log_odds(rows))

    figures: list[dict[str, Any]] = []
    for name, held_out in HELD_OUT.items():
        of_class = np.array([bool(own & held_out) for own in classes])
        for half, train_papers in enumerate((first, ~first)):
            test = ~train_papers & known & of_class
            trained = {
                "untyped prior, the class unseen": train_papers & known & ~of_class,
                "prior of protein pairs": train_papers & proteins,
                "untyped prior, the class seen": train_papers & known,
            }
            said = {how: votes(mask) for how, mask in trained.items()}
            unseen = said["untyped prior, the class unseen"]
            for kind, classifier in SMALLER.items():
                said[f"untyped prior, the class unseen, {kind}"] = votes(trained["untyped prior, the class unseen"], classifier)
            said["close together"] = -np.log(gap)
            for how, found in said.items():
                figures.append({
                    "held_out": name, "half": half, "how": how, "labels": 0, "pairs": int(test.sum()),
                    "share": float(y[test].mean()), "auc": float(auc(y[test], found[test])),
                    "average_precision": float(average_precision(y[test], found[test])),
                })  # fmt: skip
                print(figures[-1], flush=True)
            own = np.flatnonzero(train_papers & known & of_class)
            for draw, count in product(range(given.draws), COUNTS):
                labelled = own[draw_labelled(y[own], count, draw)]
                how = {"columns": columns, "random_state": draw, "n_jobs": 1}
                choice = choose(best.decision.choices(count), rows[labelled], y[labelled], dataset.documents[labelled],
                                n_folds=3, **how)  # fmt: skip
                fitted = choice.classifier.fit(rows[labelled], y[labelled], **how)
                alone = to_log_odds(fitted.scores(rows[test]))
                told = {"background": rows[test], "own": to_log_odds(choice.out_of_fold)}
                correction = corrected(unseen[labelled], rows[labelled], y[labelled], columns, **told)
                both = replace(correction, own=fitted).corrected(unseen[test], rows[test])
                for kind, found in (("best", alone), ("best+prior", both)):
                    figures.append({
                        "held_out": name, "half": half, "how": kind, "labels": count, "draw": draw, "pairs": int(test.sum()),
                        "share": float(y[test].mean()), "auc": float(auc(y[test], found)),
                        "average_precision": float(average_precision(y[test], found)),
                    })  # fmt: skip
                    print(figures[-1], flush=True)
    means = [
        {"held_out": name, "how": how, "labels": count, **{
            measure: float(np.mean([one[measure] for one in figures if one["held_out"] == name and one["how"] == how
                                    and one["labels"] == count]))
            for measure in ("auc", "average_precision", "share")}}
        for name, how, count in dict.fromkeys((one["held_out"], one["how"], one["labels"]) for one in figures)
    ]  # fmt: skip
    for row in means:
        print(row)
    stored = {"made": provenance(shipped_parses()), "means": means, "cells": figures}
    given.output.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    main()
