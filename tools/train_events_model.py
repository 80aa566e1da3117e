"""Train the model that ships as ``events``: interactions with triggers, types and roles.

    RELHASH_DATA=../shared/data python tools/train_events_model.py

It learns from the training folders of BioNLP 2009 and 2013 (GENIA events, CC BY 3.0), without texts of the development set of
2013, on which it is measured. The folders of 2011 are for research that makes no profit, so that nothing of them is in it. The
classifier is linear, on n-grams of the paths to each role and on descriptors: chosen
for size and training time; forests and codes were not compared. One thread of an idle core needs about five minutes.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from relhash.evaluation.datasets.bionlp import training_documents
from relhash.evaluation.datasets.dataset import data_root
from relhash.features import to_parts
from relhash.learning import LinearClassifier
from relhash.models import RelationExtractor
from relhash.models.interaction_presets import NGRAMS
from relhash.structures.interactions import InteractionPolicy

FILE = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "models" / "events" / "events.relhash"
YEARS = ("2013", "2009")
LARGEST = 5_000_000
"""Bytes that the model may have."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None, help="folder with bionlp/ (RELHASH_DATA)")
    parser.add_argument("--output", type=Path, default=FILE)
    parser.add_argument("--n-jobs", type=int, default=None)
    given = parser.parse_args()
    started = time.perf_counter()
    documents = training_documents(data_root(given.data), YEARS)
    print(f"{len(documents)} documents of BioNLP {' and '.join(YEARS)}", flush=True)
    extractor = RelationExtractor(
        "best",
        policy=InteractionPolicy(),
        parts=to_parts("descriptors", NGRAMS),
        classifier=LinearClassifier(0.2),
        parses="embedded",
        prior="none",
        n_jobs=given.n_jobs,
    )
    extractor.fit(documents)
    given.output.parent.mkdir(parents=True, exist_ok=True)
    extractor.save(given.output)
    size = given.output.stat().st_size
    print(f"{given.output}: {size:,} bytes, {time.perf_counter() - started:.0f} s, {extractor.model_.card['training_side']}")
    if size > LARGEST:
        raise SystemExit(f"{size:,} bytes are more than the {LARGEST:,} that may be committed")


if __name__ == "__main__":
    main()
