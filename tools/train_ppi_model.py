"""Train the model that ships as ``ppi``: protein interactions, learned from BioInfer alone.

    python tools/train_ppi_model.py --bioinfer ../shared/data/ppi/BioInfer.xml

It is what ``relhash fit BioInfer.xml --parses embedded --threshold precision:0.8`` makes: four of five relations shall be right
on held-out documents of BioInfer, since what gives the best F1 there accepts far too much where fewer pairs interact.
Other corpora of interactions would make it stronger, but their licences do not allow, or do not say, that what is learned from
them may be given away; with copies of your own:

    relhash fit BioInfer.xml AIMed.xml HPRD50.xml --parses embedded -o ppi.relhash
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from relhash.corpus import read
from relhash.models import RelationExtractor
from relhash.models.reading import EMBEDDED

FILE = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "models" / "ppi" / "ppi.relhash"
THRESHOLD = "precision:0.8"
LARGEST = 5_000_000
"""Bytes that a model in the repository may have."""


def train(bioinfer: Path, output: Path, preset: str, n_jobs: int | None) -> RelationExtractor:
    """Fit and write the model."""
    corpus = read(bioinfer)
    documents = (len(corpus), sum(len(document.relations) for document in corpus))
    if documents != (836, 2534):
        raise SystemExit(f"{bioinfer} holds {documents[0]} documents and {documents[1]} relations: BioInfer has 836 and 2534")
    model = RelationExtractor(
        preset, parses=EMBEDDED, threshold=THRESHOLD, negated_are_negative=True, n_jobs=n_jobs
    ).fit(corpus)
    output.parent.mkdir(parents=True, exist_ok=True)
    model.save(output)
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bioinfer", type=Path, required=True, help="BioInfer.xml in the unified format")
    parser.add_argument("--output", type=Path, default=FILE)
    parser.add_argument("--preset", default="best")
    parser.add_argument("--n-jobs", type=int, default=None)
    given = parser.parse_args()
    started = time.perf_counter()
    model = train(given.bioinfer, given.output, given.preset, given.n_jobs)
    size = given.output.stat().st_size
    side = model.model_.card["training_side"]
    print(f"{given.output}: {size:,} bytes, {time.perf_counter() - started:.0f} s, training side {side}")
    if size > LARGEST:
        raise SystemExit(f"{size:,} bytes are more than the {LARGEST:,} that may be committed")


if __name__ == "__main__":
    main()
