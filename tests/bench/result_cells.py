"""Cells of two systems, both directions and two seeds, with figures that a person can average."""

from __future__ import annotations

CELLS = [
    {"system": system, "direction": direction, "variant": "all", "precision": 0.5, "recall": 0.6, "f1": f1 + shift,
     "seed": seed, "f1_oracle": 0.7, "auc": 0.8, "seconds": 2.0, "paper_f1": 0.57 if system == "NU" else None, "labels": 100}
    for system, f1 in (("NU", 0.5), ("random", 0.4))
    for direction in ("A→B", "B→A")
    for seed, shift in enumerate((0.0, 0.1))
]  # fmt: skip
