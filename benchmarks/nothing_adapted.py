"""Which share of the training side gives a threshold for text that nobody has seen?

    python benchmarks/nothing_adapted.py --data DIR --work WORK -o benchmarks/results/settings/nothing_adapted.json

`best` is fitted on AIMed and on BioInfer without sight of any other text (parses of the pipeline that ships, seed 0), and
scores BioNLP 2009 train, on which the rule is chosen beside the source's own held-out documents, and the corpora on which it is
reported: the other of the two, HPRD50, BioNLP 2013 devel. Each row: a rule for the share, its F1, precision and accepted share.
Scores are kept in WORK, so that another rule costs nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from relhash.bench.datasets.bionlp import development_documents, distinct_documents
from relhash.corpus import Document, read
from relhash.learn.metrics import oracle_threshold, precision_recall_f1
from relhash.learn.threshold import best_fraction, score_at_fraction, share_for_any_text
from relhash.model import RelationExtractor
from relhash.show.provenance import provenance, shipped_parses

SOURCES = ("AIMed", "BioInfer")
CORPORA: dict[str, Callable[[Path], list[Document]]] = {
    "AIMed": lambda data: list(read(data / "ppi/AIMed.xml")),
    "BioInfer": lambda data: list(read(data / "ppi/BioInfer.xml")),
    "HPRD50": lambda data: list(read(data / "ppi/HPRD50.xml")),
    "BioNLP 2009 train": lambda data: list(distinct_documents(read(data / "bionlp/2009/train", "bionlp"))),
    "BioNLP 2013 devel": development_documents,
}
RULES: dict[str, Callable[[float], float]] = {
    "the fraction": lambda fraction: fraction,
    "1.25 times": lambda fraction: 1.25 * fraction,
    "1.5 times": lambda fraction: 1.5 * fraction,
    "at least .3, at most 1.5 times (default)": share_for_any_text,
    "at least .35": lambda fraction: max(fraction, 0.35),
    "at least .4": lambda fraction: max(fraction, 0.4),
    "mean with .4": lambda fraction: (fraction + 0.4) / 2,
}


def scores(source: str, data: Path, work: Path) -> dict[str, np.ndarray]:
    """Labels and scores of the source's held-out documents and of every other corpus."""
    file = work / f"{source}.npz"
    if not file.exists():
        model = RelationExtractor("best-inductive", parses="embedded", prior=None).fit(CORPORA[source](data)).model_
        found = {f"{source}/scores": model.decision.out_of_fold}
        found[f"{source}/y"] = np.array([one.is_positive for one in model.candidates(CORPORA[source](data))])
        for name, documents in CORPORA.items():
            if name != source:
                text = documents(data)
                found[f"{name}/y"] = np.array([one.is_positive for one in model.candidates(text)])
                found[f"{name}/scores"] = model.scores(text)
        work.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(file, **found)
    with np.load(file, allow_pickle=False) as kept:
        return {name: kept[name] for name in kept.files}


def rows(source: str, found: dict[str, np.ndarray]) -> list[dict[str, object]]:
    own_y, own = found[f"{source}/y"], found[f"{source}/scores"]
    fraction = best_fraction(own_y, own)
    made = []
    for name in CORPORA:
        y, text = found[f"{name}/y"], found[f"{name}/scores"]
        best = oracle_threshold(y, text)
        cuts = {rule: score_at_fraction(own, share(fraction)) for rule, share in RULES.items()}
        for rule, cut in {**cuts, "adapted": score_at_fraction(text, fraction), "oracle": best[0]}.items():
            precision, recall, f1 = precision_recall_f1(y, text >= cut)
            figures = {"f1": f1, "precision": precision, "recall": recall, "accepted": float((text >= cut).mean())}
            made.append({"source": source, "text": name, "held_out": name == source, "rule": rule, **figures})
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--output", "-o", type=Path, required=True)
    given = parser.parse_args()
    made = [row for source in SOURCES for row in rows(source, scores(source, given.data, given.work))]
    given.output.write_text(json.dumps({"made": provenance(shipped_parses()), "rows": made}, indent=1) + "\n")
    for row in made:
        print(f"{row['source']:9} {row['text']:18} {row['rule']:42} F1 {row['f1']:.3f} P {row['precision']:.3f}")


if __name__ == "__main__":
    main()
