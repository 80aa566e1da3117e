"""Train the model that ships as ``related``: are these two related in this sentence, whatever they are?

    RELHASH_DATA=../shared/data python tools/train_related_model.py

It learns from all pairs that NERO's annotators have judged (chemicals, processes, cells, diseases, findings, proteins …), from
BioNLP 2011 EPI and ID, exhaustive PTM, and what curators judged (ExTRI, BEL enrichment), without papers and sentences of AIMed,
HPRD50, the development set of BioNLP 2013 and INDRA's judged statements. How good such a prior is on things that it
has never seen, ``benchmarks/related_pairs.py`` measures. One thread of an idle core needs about ten minutes.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from relhash.bench.datasets.dataset import data_root
from relhash.bench.systems.prior_votes import fit_untyped_prior, related_pairs, without_leakage
from train_ppi_model import tested_text

FILE = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "models" / "related" / "related.relhash"
LARGEST = 2_500_000
"""Bytes that the file may have."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None, help="folder with ppi/, bionlp/ and nero/ (RELHASH_DATA)")
    parser.add_argument("--output", type=Path, default=FILE)
    parser.add_argument("--n-jobs", type=int, default=None)
    given = parser.parse_args()
    started = time.perf_counter()
    root = data_root(given.data)
    documents, of_papers, of_sentences = without_leakage(related_pairs(root), *tested_text(root))
    print(f"{len(documents)} documents; left out: {of_papers} by paper, {of_sentences} by sentence", flush=True)
    model = fit_untyped_prior(documents, n_jobs=given.n_jobs)
    given.output.parent.mkdir(parents=True, exist_ok=True)
    model.save(given.output)
    size = given.output.stat().st_size
    print(f"{given.output}: {size:,} bytes, {time.perf_counter() - started:.0f} s, {model.card['training_side']}")
    if size > LARGEST:
        raise SystemExit(f"{size:,} bytes are more than the {LARGEST:,} that may be committed")


if __name__ == "__main__":
    main()
