from __future__ import annotations

from dataclasses import replace

from relhash.evaluation.finished_cells import Cell
from relhash.evaluation.label_curves import draw_differences, label_efficiency


def cell(system, seed, labels, auc):
    return Cell(system, "A→B", 0, seed, labels, 1.0, {"all": {"auc": auc}})


def test_differences_are_paired_by_draw():
    cells = [cell("best", seed, 100, 0.70 + 0.1 * seed) for seed in range(3)]
    cells += [cell("descriptors-forest", seed, 100, 0.68 + 0.1 * seed) for seed in range(3)]
    (note,) = draw_differences(cells)
    assert "best minus descriptors-forest" in note
    assert "+0.020 [+0.020, +0.020]" in note  # draws differ much from each other, the systems by the same in each


def test_directions_are_also_taken_together():
    cells = [cell("best", seed, 100, 0.7 + seed / 10) for seed in range(3)]
    cells += [cell("descriptors-forest", seed, 100, 0.68 + seed / 10) for seed in range(3)]
    back = [replace(one, direction="B→A", figures={"all": {"auc": 0.6 if one.system == "best" else 0.64}}) for one in cells]
    (note,) = draw_differences([*cells, *back])
    assert "A→B 100 labels +0.020 [+0.020, +0.020]; B→A 100 labels -0.040 [-0.040, -0.040]" in note
    assert note.endswith("mean 100 labels -0.010 [-0.010, -0.010]")


def test_a_single_draw_has_no_interval():
    assert draw_differences([cell("best", 0, 100, 0.7), cell("descriptors-forest", 0, 100, 0.6)]) == []


def test_what_a_label_is_worth():
    def row(system, labels, auc):
        return {"system": system, "direction": "A→B", "labels": labels, "auc": auc}

    plain = [row("ngram-lr", 100, 0.60), row("ngram-lr", 500, 0.64), row("descriptors-forest", 100, 0.62)]
    plain.append(row("descriptors-forest", 500, 0.70))
    (note,) = label_efficiency([*plain, row("best", 100, 0.70)])
    assert "are worth about 500 of the best plain baseline, more than 500 of n-grams" in note
    (note,) = label_efficiency([*plain, row("best", 100, 0.71)])
    assert "more than 500" in note
