"""Judged statements by verdict and by type: which rows a figure is about."""

from __future__ import annotations

from relhash.bench.benchmarks.judged import _parts
from relhash.bench.datasets.judged import JudgedStatement


def statement(verdict: str, kind: str) -> JudgedStatement:
    return JudgedStatement("1", "RAF1", "MEK1", "RAF1 binds MEK1.", verdict, kind)


def test_wrong_rows_of_a_verdict_stand_beside_all_right_ones_and_types_have_five_of_each():
    rows = [statement(verdict, "Complex") for verdict in ["correct"] * 5 + ["polarity"] * 4 + ["grounding"]]
    rows += [statement("correct", "Inhibition"), statement("polarity", "Inhibition")]
    found = {part: kept.nonzero()[0].tolist() for part, kept in _parts(rows)}
    assert found == {
        "not grounding": [0, 1, 2, 3, 4, 9, 10],
        "not polarity": [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11],
        "Complex": list(range(10)),
    }
