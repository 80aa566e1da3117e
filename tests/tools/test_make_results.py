"""``make results`` fills tables from files, each number rounded once, and knows a row that no file has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.test_docs import RESULTS, text_of
from tests.tools.loading import load

make_results = load("make_results")


def test_rows_of_variants_and_answers_come_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "made.json"
    row = {"system": "best", "direction": "x", "n_runs": 1, "precision": 0.1, "recall": 0.2, "f1": 0.3, "auc": 0.9, "f1_sd": 0}
    variants = [row | {"variant": name, "f1": f1} for name, f1 in (("all", 0.3), ("stated", 0.25), ("pairs", 0.4))]
    file.write_text(json.dumps({"rows": variants}))
    lines = "| system | R | F1 | F1 of stated | F1 of pairs |\n|:--|--:|--:|--:|--:|\n| `best` | | | | |\n"
    assert make_results.filled_table(lines, [file]).endswith("| `best` | 0.200 | 0.300 | 0.250 | 0.400 |\n")
    file.write_text(json.dumps({"rows": [{"direction": "A→B", "system": "random", "answers": 25, "auc": 0.5, "f1": 0.6}]}))
    lines = "| questions, A→B | 25 | 50 |\n|:--|--:|--:|\n| random | | |\n"
    assert make_results.filled_table(lines, [file]).endswith("| random | 0.500 · 0.600 | – |\n")
    file.write_text(json.dumps({"rows": [row | {"variant": "all", "direction": "A→B", "labels": 0}]}))
    lines = "| AUC, A→B | 0 | 25 |\n|:--|--:|--:|\n| `best` | | |\n"
    assert make_results.filled_table(lines, [file]).endswith("| `best` | 0.900 | – |\n")
    with pytest.raises(make_results.UnknownRowError, match="nobody"):
        make_results.filled_table(lines.replace("best", "nobody"), [file])


def test_a_wrong_number_in_a_table_is_put_right() -> None:
    page = text_of(RESULTS)
    files, table = next(found for found in make_results.TABLE.findall(page) if "ppi-cross/ppi-cross.json" in found[0])
    wrong = re.sub(r"\d\.\d{3} ±", "0.999 ±", table, count=1)
    assert wrong != table
    assert make_results.filled_table(wrong, [RESULTS.parent / name for name in files.split()]) == table
    with pytest.raises(make_results.UnknownRowError, match="nobody"):
        make_results.filled_table(table.replace("`best`", "`nobody`"), [RESULTS.parent / name for name in files.split()])


def test_differences_come_from_the_file(tmp_path: Path) -> None:
    one = {
        "first": "KLSH-NU-RF", "second": "random", "direction": "mean", "labels": None, "value": -0.0123, "low": -0.0251,
        "high": 0.0004, "p": 0.0607, "seeds": 20, "decided": False,
    }  # fmt: skip
    file = tmp_path / "ppi-cross.json"
    few = one | {"labels": 100, "value": 0.0251, "low": 0.01, "high": 0.04, "p": 0.0003, "seeds": 4, "decided": True}
    file.write_text(json.dumps({"rows": [], "differences": [one, few]}))
    table = "| difference in F1 | seeds | mean | p | decided |\n|:--|--:|--:|--:|:--|\n| `KLSH-NU-RF` − `random` | | | | |\n"
    line = make_results.filled_table(table, [file]).splitlines()[2]
    assert line == "| `KLSH-NU-RF` − `random` | 20 | −0.012 [−0.025, 0.000] | 0.061 | **not decided** |"
    line = make_results.filled_table(table.replace("in F1", "in AUC, 100 labels"), [file]).splitlines()[2]
    assert line == "| `KLSH-NU-RF` − `random` | 4 | 0.025 [0.010, 0.040] | < 0.001 | yes |"
