"""Where should labels put the cut? F1 at the cut of `cut_after`, beside the untouched model's and the oracle's.

    RELHASH_DATA=../shared/data python benchmarks/teach_cut.py [--draws 6] [--sets AIMed "BioNLP ID"]

Draws, labels, queue and halves of the documents are those of ``relhash benchmark teach``, to whose sets eleven are added that
its text does not have: nine of the 23 are those that the cut was chosen on. For each group of sets it prints how far F1 is
below the oracle's, the largest loss of a set against the untouched model, and how often that is more than .01. "1/3" is the cut
of before: it started at probability 1/3 and went to the highest expected F1 by n² / (n² + 120²).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

import relhash.bench.benchmarks.teach as teach
from relhash.bench.datasets.bionlp import development_documents
from relhash.bench.datasets.dataset import data_root
from relhash.corpus import Document
from relhash.learn.labels import draw_labelled
from relhash.learn.metrics import oracle_threshold, precision_recall_f1
from relhash.learn.threshold import cut_after
from relhash.show.provenance import provenance, shipped_parses

Floats = NDArray[np.float64]
Rule = Callable[[int, Floats, int], float]


def other_statements(root: Path) -> Iterator[Document]:
    """Statements of other types than complexes, which curators have judged."""
    for line in (root / "judged" / "indra_dev.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["type"] != "Complex" and row["verdict"] not in teach.ABOUT_NAMES and row.get("subject") and row.get("object"):
            is_right = row["verdict"] == "correct"
            yield from teach._judged(row["pmid"], row["id"], row["text"], row["subject"], row["object"], is_right)


def drugprot(relation: str) -> teach.TeachSet:
    return teach.TeachSet("related", teach._corpus("drugprot/train"), types=(("chemical", "gene"),), relation=relation)


CHOSEN_ON = {name: given for name, given in teach.TEACH_SETS.items() if given.chosen_on} | {
    "INDRA, other types": teach.TeachSet("ppi", other_statements),
    "BioNLP negative regulation": teach.TeachSet("ppi", development_documents, relation="Negative_regulation"),
    "DrugProt inhibitors": drugprot("INHIBITOR"),
    "DrugProt substrates": drugprot("SUBSTRATE"),
    "EPI": teach.TeachSet("ppi", teach._events("bionlp-more/2011-epi/devel")),
}
REPORTED = {name: given for name, given in teach.TEACH_SETS.items() if not given.chosen_on}
NEW = {
    "BioRED positive": teach.TeachSet("related", teach._corpus("biored/Train.PubTator"), relation="Positive_Correlation"),
    "BioRED negative": teach.TeachSet("related", teach._corpus("biored/Train.PubTator"), relation="Negative_Correlation"),
    "DrugProt activators": drugprot("ACTIVATOR"),
    "DrugProt direct regulators": drugprot("DIRECT-REGULATOR"),
    "BC5CDR train": teach.TeachSet("related", teach._corpus("bc5cdr/train.PubTator"), types=(("chemical", "disease"),)),
    "BioNLP 2009 development": teach.TeachSet("ppi", teach._events("bionlp/2009/devel")),
}
GROUPS = {"chosen on": CHOSEN_ON, "reported before": REPORTED, "new": NEW}


def from_a_third(n_labels: int, p: Floats, n_before: int) -> float:
    """The cut of before."""
    ordered = np.sort(p)[::-1]
    best = ordered[np.argmax(np.cumsum(ordered) / (np.arange(1, ordered.size + 1) + ordered.sum()))]
    weight = n_labels**2 / (n_labels**2 + 120**2)
    return float(special.expit((1 - weight) * special.logit(1 / 3) + weight * special.logit(np.clip(best, 0.01, 0.99))))


RULES: dict[str, Rule] = {"now": cut_after, "1/3": from_a_third}


def rows_of(name: str, given: teach.TeachSet, root: Path, draws: int) -> Iterator[dict[str, Any]]:
    """One row per draw, kind of questions, number of labels and rule."""
    data = teach.read_set(name, given, root)
    for draw in range(draws):
        rng = np.random.default_rng([draw, 11])
        names = np.unique(data.documents)
        is_pool = np.isin(data.documents, rng.permutation(names)[: names.size // 2])
        pool, test = np.flatnonzero(is_pool), np.flatnonzero(~is_pool)
        test = np.sort(rng.permutation(test)[: teach.MOST_TESTED])
        gold, n_before = data.y[test], int(data.accepted[test].sum())
        untouched = precision_recall_f1(gold, data.accepted[test])[2]
        counts = [n for n in teach.COUNTS if n <= pool.size // 2]
        drawn = (("drawn", n, pool[draw_labelled(data.y[pool], n, draw)]) for n in counts)
        votes = [(kind, n, teach._correction(data, rows, test)) for kind, n, rows in drawn]
        votes += [("chosen", asked.size, own) for asked, own in (teach._asked(data, pool, test, draw) if counts else ())]
        for kind, n, own in votes:
            p = special.expit(own)
            for rule, cut in RULES.items():
                f1 = precision_recall_f1(gold, p >= cut(n, p, n_before))[2]
                figures = {"loss": oracle_threshold(gold, p)[1] - f1, "change": f1 - untouched}
                yield {"set": name, "questions": kind, "labels": n, "rule": rule, **figures}


def summary(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """By group, questions and rule, over the means of each set and number of labels."""
    for group, sets in GROUPS.items():
        for kind in ("drawn", "chosen"):
            for rule in RULES:
                own: dict[tuple[str, int], list[tuple[float, float]]] = {}
                for row in rows:
                    if row["set"] in sets and (row["questions"], row["rule"]) == (kind, rule):
                        own.setdefault((row["set"], row["labels"]), []).append((row["loss"], row["change"]))
                if own:
                    means = np.array([np.mean(figures, axis=0) for figures in own.values()])
                    yield {
                        "sets": group, "questions": kind, "rule": rule, "cells": len(own),
                        "below_oracle": round(float(means[:, 0].mean()), 4), "worst_change": round(float(means[:, 1].min()), 4),
                        "worse_by_more_than_.01": int((means[:, 1] < -0.01).sum()),
                    }  # fmt: skip


def cells(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Means of the cut of now by set, questions and number of labels."""
    own: dict[tuple[str, str, int], list[tuple[float, float]]] = {}
    for row in rows:
        if row["rule"] == "now":
            own.setdefault((row["set"], row["questions"], row["labels"]), []).append((row["loss"], row["change"]))
    for (name, kind, labels), figures in own.items():
        loss, change = (round(float(mean), 4) for mean in np.mean(figures, axis=0))
        yield {"set": name, "questions": kind, "labels": labels, "below_oracle": loss, "change": change}


def by_labels(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Means of the cells of the sets of ``relhash benchmark teach``, and the worst of them."""
    for kind in ("drawn", "chosen"):
        for n in teach.COUNTS:
            own = [one for one in found if (one["questions"], one["labels"]) == (kind, n) and one["set"] in teach.TEACH_SETS]
            if own:
                loss, change = (round(float(np.mean([one[name] for one in own])), 4) for name in ("below_oracle", "change"))
                worst = min(one["change"] for one in own)
                yield {"questions": kind, "labels": n, "below_oracle": loss, "change": change, "worst_change": worst}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--draws", type=int, default=6)
    parser.add_argument("--sets", nargs="+", default=None)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "teach" / "cut.json")
    given = parser.parse_args()
    root = data_root(given.data)
    teach.build_structures = lambda found, views: dict.fromkeys(views, np.zeros((len(found), 1)))  # the encoder is not needed
    rows: list[dict[str, Any]] = []
    for name, one in {name: one for sets in GROUPS.values() for name, one in sets.items()}.items():
        if given.sets is None or name in given.sets:
            rows += rows_of(name, one, root, given.draws)
            print(name, flush=True)
    found = list(summary(rows))
    for row in found:
        print(row, flush=True)
    own = list(cells(rows))
    written = {"made": provenance(shipped_parses()), "rows": found, "cells": own, "by_labels": list(by_labels(own))}
    given.output.write_text(json.dumps(written, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
