"""Fit the rule that tells genes of man from those of other species (``src/relhash/resources/lexicon/species.json``).

    python tools/train_species.py --data ../shared/data

Learned from the genes of NLM-Gene and GNormPlus: is the id that of a gene of man? GNormPlus was chosen for genes of man and
has more of these; what the two corpora differ by is fitted, too, and set in the middle. The fifth of the papers that ids are
measured on (``benchmarks/grounding.py``) is left out. Prints how right the rule is on ten groups of papers, each time fitted to
the others.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from relhash.biomed.species import SpeciesOf
from relhash.corpus import read
from relhash.files import replacing

FILE = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "lexicon" / "species.json"
CORPORA = ("NLMgene", "GNormPlus")
STRENGTH, THRESHOLD = 0.01, 0.4
"""Chosen on the ten groups: both corpora are told about equally well."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=FILE)
    given = parser.parse_args()
    hints, labels, papers, corpora = examples(given.data)
    vectorizer = DictVectorizer(sparse=False)
    rows = vectorizer.fit_transform(hints)
    scaler = StandardScaler().fit(rows)
    scaled = np.c_[scaler.transform(rows), 2.0 * corpora]
    weights = 1 / np.sqrt(np.bincount(papers)[papers])
    print_accuracy(scaled, labels, papers, corpora, weights)
    rule = LogisticRegression(C=STRENGTH, max_iter=2000).fit(scaled, labels, sample_weight=weights)
    own = rule.coef_[0, :-1] / scaler.scale_
    intercept = float(rule.intercept_[0] + rule.coef_[0, -1] - own @ scaler.mean_)
    named = {name: round(float(weight), 4) for name, weight in zip(vectorizer.feature_names_, own, strict=True)}
    with replacing(given.output, "w") as handle:
        json.dump({"weights": named, "intercept": round(intercept, 4), "threshold": THRESHOLD}, handle, indent=0)


def examples(data: Path) -> tuple[list[dict[str, float]], NDArray, NDArray, NDArray]:
    """Hints of each gene whose id is of man, or not; whether it is; its paper; whether this is one of GNormPlus."""
    with gzip.open(data / "lexicons" / "hgnc_entries.tsv.gz", "rt", encoding="utf-8", newline="") as handle:
        rows = csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
        human = {row["NCBI Gene ID(supplied by NCBI)"] for row in rows} - {""}
    hints, labels, papers, corpora = [], [], [], []
    for corpus in CORPORA:
        for paper, document in enumerate(read(data / "genenorm" / f"{corpus}_Train.PubTator"), start=10**4 * len(corpora)):
            genes = [one for one in document.mentions if one.type == "Gene"]
            if int(document.id) % 5 == 0:
                continue
            species = SpeciesOf(document.text, [(one.start, one.text) for one in genes])
            for gene in genes:
                is_human = {found in human for found in re.findall(r"(?<![:\d])\d+", " ".join(gene.ids))}
                if len(is_human) == 1:
                    hints.append(species.hints(gene.start, gene.text))
                    labels.append(is_human.pop())
                    papers.append(paper)
                    corpora.append(corpus != CORPORA[0])
    return hints, np.array(labels), np.unique(papers, return_inverse=True)[1], np.array(corpora)


def print_accuracy(rows: NDArray, labels: NDArray, papers: NDArray, corpora: NDArray, weights: NDArray) -> None:
    probabilities = np.zeros(len(labels))
    for train, test in GroupKFold(10).split(rows, labels, papers):
        rule = LogisticRegression(C=STRENGTH, max_iter=2000).fit(rows[train], labels[train], sample_weight=weights[train])
        middle = rows[test].copy()
        middle[:, -1] = 1.0
        probabilities[test] = rule.predict_proba(middle)[:, 1]
    accepted = probabilities > THRESHOLD
    for corpus, own in zip(CORPORA, (~corpora, corpora), strict=True):
        right = accepted[own] == labels[own]
        print(f"{corpus}: right {right.mean():.3f} of {own.sum():,}; of man {right[labels[own]].mean():.3f}", end="; ")
        print(f"of others {right[~labels[own]].mean():.3f}")


if __name__ == "__main__":
    main()
