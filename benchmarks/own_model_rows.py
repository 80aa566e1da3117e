"""What does a curator's own model show on raw text: how probable are accepted rows, and how many are right?

    python benchmarks/own_model_rows.py --data DIR -o benchmarks/results/raw-text/own-models.json

Sheets of 58 labels from AIMed (curators_sheet.py draws them), adapted to abstracts of BioNLP 2009 test; then raw text of AIMed
without the texts that have a sentence of the sheet. Each model decides twice: with one cut of the probability of rows, as it
was fitted, and without (a pair above the classifier's threshold, and names that are more likely right than not).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from curators_sheet import drawn_sheet, means_over_draws, raw_abstracts
from relhash.bench.benchmarks.raw_text import figure_of, judged_texts
from relhash.bench.datasets.raw_text_gold import GoldText, gold_texts
from relhash.model import FittedModel, RelationExtractor
from relhash.show.provenance import provenance, shipped_parses

ABSTRACTS = 60
PRIORS: dict[str, dict[str, object]] = {"no prior": {"prior": "none"}, "prior ppi": {}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", "-o", type=Path, required=True)
    parser.add_argument("--draws", type=int, default=2)
    given = parser.parse_args()
    abstracts = raw_abstracts(given.data, ABSTRACTS)
    everything = gold_texts(given.data, "AIMed")
    rows = []
    for draw in range(given.draws):
        labels = drawn_sheet(given.data, draw)
        seen = [row.text.rstrip(" .") for row in labels]
        texts = [gold for gold in everything if not any(sentence in gold.document.text for sentence in seen)]
        for name, how in PRIORS.items():
            model = RelationExtractor(**how).fit(labels, adapt_to=abstracts).model_
            plain = replace(model, end_to_end=replace(model.end_to_end, threshold=None))
            for rule, decided in (("two conditions", plain), ("one cut", model)):
                rows.append({"draw": draw, "model": name, "rule": rule, "texts": len(texts), **figures(decided, texts)})
                print(json.dumps(rows[-1]), flush=True)
    made, means = provenance(shipped_parses()), means_over_draws(rows, "model", "rule")
    given.output.write_text(json.dumps({"made": made, "draws": given.draws, "means": means, "rows": rows}, indent=1) + "\n")


def figures(model: FittedModel, texts: Sequence[GoldText]) -> dict[str, object]:
    judged = list(judged_texts(model, texts))
    found = figure_of("AIMed", judged)
    shown = np.array([row.probability for text in judged for row in text.rows if row.accepted])
    return {
        "accepted": shown.size,
        "recall": found.recall,
        "right_of_judgeable": found.accepted.precision,
        "lowest": float(shown.min()),
        "median": float(np.median(shown)),
        "below_half": float((shown < 0.5).mean()),
        "ece": found.calibration_error,
    }


if __name__ == "__main__":
    main()
