"""How do several versions read raw text? Puts files of `relhash benchmark raw-text` side by side, as rows for docs/results.md.

python benchmarks/raw_text_rows.py benchmarks/results/raw-text/before.json [after.json …]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FIGURES = ["recall", "accepted rows", "judgeable", "of these right", "rows ≥ .9", "of the judgeable right", "ECE"]
LOST = ["entity missed", "not paired", "relation wrong", "negated"]
WRONG = ["entity spurious", "relation wrong", "negated"]


def main() -> None:
    files = [Path(name) for name in sys.argv[1:] if name.endswith(".json")]
    if not files:
        raise SystemExit(__doc__)
    rows = [(path.stem, row) for path in files for row in json.loads(path.read_text(encoding="utf-8"))["rows"]]
    order = sorted(rows, key=lambda named: [row["corpus"] for _, row in rows].index(named[1]["corpus"]))
    print("| | " + " | ".join(FIGURES) + " |\n|:--|" + "--:|" * len(FIGURES))
    for name, row in order:
        print(f"| {row['corpus']}, {name} | " + " | ".join(figures(row)) + " |")
    columns = [*(f"lost: {name}" for name in LOST), *(f"accepted: {name}" for name in WRONG)]
    print("\n| | related | " + " | ".join(columns) + " |\n|:--|--:|" + "--:|" * len(columns))
    for name, row in order:
        counts = [row["lost"][one] for one in LOST] + [row["wrong"][one] for one in WRONG]
        print(f"| {row['corpus']}, {name} | {row['related']:,} | " + " | ".join(f"{count:,}" for count in counts) + " |")


def figures(row: dict[str, Any]) -> list[str]:
    accepted, confident = row["accepted"], row["confident"]
    values = [row["recall"], accepted["rows"], accepted["judgeable"], accepted["precision"], confident["rows"]]
    values += [confident["precision"], row["calibration_error"]]
    return ["–" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.3f}" for value in values]


if __name__ == "__main__":
    main()
