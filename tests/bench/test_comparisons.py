"""Toy protocols with known answers: which cells a difference is made of, its value and its width."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench.report import MEAN, comparisons, f1_interval, judged
from tests.bench.toy_runs import Y, cell, f1_of, labels_with, run_of, set_of

BOTH = ("A→B", "B→A")


def found_of(run, first, second):
    return {(one.direction, one.labels): one for one in comparisons(run) if (one.first, one.second) == (first, second)}


def test_all_directions_and_all_seeds_are_in_the_difference():
    right = {"A→B": {"KLSH-NU-RF": (4, 2), "random": (2, 1)}, "B→A": {"KLSH-NU-RF": (1, 1), "random": (3, 4)}}
    cells = [
        cell(system, direction, seed, labels_with(number))
        for direction, of_systems in right.items()
        for system, numbers in of_systems.items()
        for seed, number in enumerate(numbers)
    ]
    found = found_of(run_of("ppi-cross", [set_of(one) for one in BOTH], cells), "KLSH-NU-RF", "random")

    def mean(direction, system):
        return np.mean([f1_of(number) for number in right[direction][system]])

    by_hand = {one: mean(one, "KLSH-NU-RF") - mean(one, "random") for one in BOTH}
    assert set(found) == {(MEAN, None), ("A→B", None), ("B→A", None)}
    for direction in BOTH:
        assert found[direction, None].found.value == pytest.approx(by_hand[direction])
        assert found[direction, None].mcnemar is not None
    assert found[MEAN, None].found.value == pytest.approx(np.mean(list(by_hand.values())))
    assert found[MEAN, None].found.n_seeds == 2
    assert "not decided" in str(found[MEAN, None])  # two seeds that disagree decide nothing
    # documents are all alike, so seeds alone make the width: that of Student with one degree of freedom
    per_seed = [
        np.mean([f1_of(right[one]["KLSH-NU-RF"][seed]) - f1_of(right[one]["random"][seed]) for one in BOTH]) for seed in (0, 1)
    ]
    half = 12.706 * np.std(per_seed, ddof=1) / np.sqrt(2)
    assert (found[MEAN, None].found.high - found[MEAN, None].found.low) / 2 == pytest.approx(half, rel=0.12)


def test_all_folds_are_in_the_difference():
    """The first fold is perfect for one system, the second for the other: together they are level."""
    tests = [set_of("A→A", fold, prefix=f"fold{fold}") for fold in (0, 1)]
    cells = [
        cell(system, "A→A", 0, labels_with(right), fold=fold)
        for system, of_folds in (("best", (4, 1)), ("ngram-lr", (1, 4)))
        for fold, right in enumerate(of_folds)
    ]
    run = run_of("ppi-cv", tests, cells)
    (one,) = found_of(run, "best", "ngram-lr").values()
    assert one.found.value == pytest.approx(0.0)
    assert one.found.p_value == 1.0
    together = judged(run, "best", "A→A")
    assert together.y.size == 2 * Y.size
    assert together.given.sum() == 30 * (4 + 1)
    assert f1_interval(run, "best", "A→A").value == pytest.approx(2 * 150 / (150 + 240))


def test_few_labels_compare_auc_and_group_draws_by_their_codes():
    rng = np.random.default_rng(0)
    cells = []
    for direction in BOTH:
        for draw in range(8):
            of_code = 0.3 * (draw % 4)
            noise = rng.normal(size=Y.size)
            for system, skill, group in (("NU+linear", 1.0 + of_code, draw % 4), ("ngram-lr", 0.5, draw)):
                scores = skill * Y + noise
                cells.append(cell(system, direction, draw, scores > 1, labels=100, scores=scores, group=group))
    run = run_of("few-labels", [set_of(one) for one in BOTH], cells)
    found = found_of(run, "NU+linear", "ngram-lr")
    assert set(found) == {(MEAN, 100), ("A→B", 100), ("B→A", 100)}
    mean = found[MEAN, 100].found
    expected = np.mean([c.figures["all"]["auc"] for c in cells if c.system == "NU+linear"]) - np.mean(
        [c.figures["all"]["auc"] for c in cells if c.system == "ngram-lr"]
    )
    assert mean.value == pytest.approx(expected)
    assert mean.n_seeds == 4  # not 8: draws of one code are not independent
    assert found[MEAN, 100].figure == "auc"
    assert mean.is_decided


def test_a_system_that_ran_once_is_compared_on_documents_alone():
    cells = [cell("best", "A→B", 0, labels_with(3)), cell("ngram-lr", "A→B", 0, labels_with(2))]
    (one,) = comparisons(run_of("ppi-cross", [set_of("A→B")], cells))
    assert one.as_dict()["resampled"] == "documents"
    assert one.as_dict()["value"] == pytest.approx(f1_of(3) - f1_of(2))
