"""Figures of results are written as PNG."""

from __future__ import annotations

from relhash.bench.tables import aggregate
from relhash.show.plots import bars, curves, reliability, save_precision_recall
from tests.bench.result_cells import CELLS


def test_figures_are_png_files(tmp_path):
    rows = aggregate(CELLS, by=("system", "direction", "variant", "labels"))
    curves(rows + [{**row, "labels": 200} for row in rows], tmp_path / "curves.png", title="few labels")
    bars(rows, tmp_path / "bars.png")
    save_precision_recall([(0.1, 1.0), (1.0, 0.5)], (0.5, 0.8), tmp_path / "pr.png")
    reliability({"a": [{"n": 3, "probability": 0.2, "right": 0.1}], "nothing": []}, tmp_path / "reliability.png")
    for name in ("curves", "bars", "pr", "reliability"):
        assert (tmp_path / f"{name}.png").read_bytes()[:4] == b"\x89PNG"
