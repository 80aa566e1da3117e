"""How many sentences per second does the language pipeline read on one core, and what does each part cost?

    OMP_NUM_THREADS=1 python benchmarks/language_speed.py [--model embedded] [--abstracts 150]

Prints one line per configuration and writes benchmarks/results/language_speed.json.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict
from pathlib import Path

from relhash.bench.benchmarks.language import speed_figures
from relhash.show.provenance import provenance


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--abstracts", type=int, default=150)
    arguments = parser.parse_args()
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    data = Path(os.environ.get("RELHASH_DATA") or default)
    figures = []
    for figure in speed_figures(data, arguments.model, arguments.abstracts):
        print(f"{figure.measure:40} {figure.value:10.0f}   {figure.data}")
        figures.append(asdict(figure))
    results = Path(__file__).parent / "results" / "language_speed.json"
    results.parent.mkdir(exist_ok=True)
    stored = {"made": provenance("none: text is parsed"), "rows": figures}
    results.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
