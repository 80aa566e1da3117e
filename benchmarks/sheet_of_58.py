"""Fifty-eight labels as a curator brings them: a CSV from AIMed, adapted to raw abstracts, read on HPRD50.

    python benchmarks/sheet_of_58.py --data DIR -o benchmarks/results/sheet/sheet_of_58.json

One row per rule: how many pairs of the abstracts are accepted, and precision, recall and F1 on HPRD50, which is parsed by the
pipeline that ships, with the sentences and entities of its annotation. Nothing of HPRD50 is seen before, except in the last
rows, which are moved to its text (without labels) by ``relhash adapt``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from curators_sheet import drawn_sheet, means_over_draws, raw_abstracts
from relhash.corpus import Document, read
from relhash.model import FittedModel, RelationExtractor
from relhash.show.provenance import provenance, shipped_parses

ABSTRACTS = 120


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
    abstracts = raw_abstracts(given.data, ABSTRACTS)
    # sentences stay as they are given: the file has them without full stops, so that joined they would run into each other
    hprd50 = list(read(given.data / "ppi" / "HPRD50.xml"))
    rows = []
    for draw in range(given.draws):
        labels = drawn_sheet(given.data, draw)
        for name, how in RULES.items():
            model = RelationExtractor(**how).fit(labels, adapt_to=abstracts).model_
            rows.append({"draw": draw, **figures(name, model, hprd50)})
            if "fraction" not in name:
                rows.append({"draw": draw, **figures(f"{name}, then adapted", model, hprd50, model.adapted_to(hprd50))})
            print(json.dumps(rows[-2:]), flush=True)
    given.output.parent.mkdir(parents=True, exist_ok=True)
    made, means = provenance(shipped_parses()), means_over_draws(rows, "rule")
    given.output.write_text(json.dumps({"made": made, "draws": given.draws, "means": means, "rows": rows}, indent=1) + "\n")


RULES: dict[str, dict[str, object]] = {
    "fraction of the sheet, no prior": {"threshold": "fraction", "prior": "none"},
    "default, no prior": {"prior": "none"},
    "default, prior ppi": {},
}

if __name__ == "__main__":
    main()
