"""Fifty-eight labels as a curator brings them: a CSV from AIMed, adapted to raw abstracts, read on HPRD50.

    python benchmarks/sheet_of_58.py --data DIR -o benchmarks/results/sheet/sheet_of_58.json

One row per rule: how many pairs of the abstracts are accepted, and precision, recall and F1 on HPRD50, which is parsed by the
pipeline that ships, with the sentences and entities of its annotation. Nothing of HPRD50 is seen before, except in the last
rows, which are moved to its text (without labels) by ``relhash adapt``.
"""

from __future__ import annotations

import argparse
import csv
import json
import tempfile
from pathlib import Path

import numpy as np

from relhash.corpus import Document, read
from relhash.evaluation.provenance import provenance, shipped_parses
from relhash.models import FittedModel, RelationExtractor
from relhash.structures import candidates

N_POSITIVE, N_NEGATIVE = 25, 33
ABSTRACTS = 120


def write_sheet(data: Path, path: Path, draw: int) -> None:
    """One marked sentence per row, picked at random among the relations and among the others."""
    pairs = list(candidates(read(data / "ppi" / "AIMed.xml")))
    rng = np.random.default_rng(draw)
    picked = [
        pairs[number]
        for sign, n in ((True, N_POSITIVE), (False, N_NEGATIVE))
        for number in rng.permutation([k for k, pair in enumerate(pairs) if pair.is_positive is sign])[:n]
    ]
    with path.open("w", newline="", encoding="utf-8") as handle:
        sheet = csv.writer(handle)
        sheet.writerow(["text", "e1_start", "e1_end", "e2_start", "e2_end", "e1_type", "e2_type", "label"])
        for pair in picked:
            sentence = pair.document.sentences[pair.sentence]
            ends = [end - sentence.start for mention in pair.mentions for end in (mention.start, mention.end)]
            text = pair.document.text[sentence.start : sentence.end]
            sheet.writerow([text, *ends, "protein", "protein", int(pair.is_positive)])


def figures(name: str, model: FittedModel, hprd50: list[Document], moved: FittedModel | None = None) -> dict[str, object]:
    measured = (moved or model).evaluate(hprd50)
    return {
        "rule": name,
        "threshold": model.decision.threshold.strategy,
        "accepted": model.decision.accepted,
        "prior": (model.card.get("prior") or {}).get("name"),
        "precision": measured.precision,
        "recall": measured.recall,
        "f1": measured.f1,
        "f1_oracle": measured.f1_oracle,
        "auc": measured.auc,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", "-o", type=Path, required=True)
    parser.add_argument("--draws", type=int, default=3)
    given = parser.parse_args()
    folder = sorted((given.data / "bionlp" / "2009" / "test").glob("*.txt"))[:ABSTRACTS]
    abstracts = [Document(file.stem, file.read_text(encoding="utf-8")) for file in folder]
    # sentences stay as they are given: the file has them without full stops, so that joined they would run into each other
    hprd50 = list(read(given.data / "ppi" / "HPRD50.xml"))
    rows = []
    for draw in range(given.draws):
        with tempfile.TemporaryDirectory() as scratch:
            sheet = Path(scratch) / "labels.csv"
            write_sheet(given.data, sheet, draw)
            labels = list(read(sheet))
        for name, how in RULES.items():
            model = RelationExtractor(**how).fit(labels, adapt_to=abstracts).model_
            rows.append({"draw": draw, **figures(name, model, hprd50)})
            if "fraction" not in name:
                rows.append({"draw": draw, **figures(f"{name}, then adapted", model, hprd50, model.adapted_to(hprd50))})
            print(json.dumps(rows[-2:]), flush=True)
    means = []
    for name in dict.fromkeys(row["rule"] for row in rows):
        own = [row for row in rows if row["rule"] == name]
        numbers = [key for key, value in own[0].items() if isinstance(value, float)]
        means.append({"rule": name, **{key: float(np.mean([row[key] for row in own])) for key in numbers}})
    given.output.parent.mkdir(parents=True, exist_ok=True)
    given.output.write_text(
        json.dumps({"made": provenance(shipped_parses()), "draws": given.draws, "means": means, "rows": rows}, indent=1) + "\n"
    )


RULES: dict[str, dict[str, object]] = {
    "fraction of the sheet, no prior": {"threshold": "fraction", "prior": "none"},
    "default, no prior": {"prior": "none"},
    "default, prior ppi": {},
}

if __name__ == "__main__":
    main()
