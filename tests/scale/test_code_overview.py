"""Repetitions are counted, and texts from one source are more alike than texts from two."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from relhash.hashing.codes import pack
from relhash.scale.code_overview import compare_codes, overview
from relhash.scale.code_table import CodeTable


def _spread(rng, centre, n):
    """Codes that differ from a centre in some of 100 bits."""
    return pack(centre ^ (rng.random((n, 100)) < 0.1).astype(np.uint8))


def test_repetitions_are_counted():
    codes = np.array([[0], [7], [0], [2**40 - 1], [0], [7], [1]], np.uint64)
    found = overview(CodeTable(Path("codes.tsv"), codes, frozenset()))
    assert (found.candidates, found.distinct, found.repeated) == (7, 4, 5)
    assert found.groups == ((3, 0), (2, 1))
    assert (found.looked_at, found.near) == (4, 3)  # 0, 1 and 7 differ in at most three bits from another
    assert found.as_dict()["groups"][0] == {"candidates": 3, "row": 0}


def test_one_code_alone_has_no_neighbour():
    found = overview(CodeTable(Path("codes.tsv"), np.array([[3], [3]], np.uint64), frozenset()))
    assert (found.distinct, found.looked_at, found.near, found.median_distance) == (1, 0, 0, 0.0)


def test_texts_of_one_source_are_alike_and_of_two_are_not():
    rng = np.random.default_rng(0)
    here, there = rng.integers(0, 2, (2, 20, 100), np.uint8)
    one, two = (np.concatenate([_spread(rng, centre, 60) for centre in here]) for _ in range(2))
    other = np.concatenate([_spread(rng, centre, 60) for centre in there])
    same, different = compare_codes(one, two), compare_codes(one, other)
    assert same.overlap > same.by_chance - 0.1
    assert different.overlap < 0.2 < different.by_chance
    assert different.shared < same.shared
    for alike in (same, different):
        assert alike.first.sum() == pytest.approx(1)
        assert alike.second.sum() == pytest.approx(1)


def test_equal_tables_have_all_in_common():
    codes = np.random.default_rng(1).integers(0, 2**63, (50, 2), np.uint64)
    alike = compare_codes(codes, codes)
    assert (alike.shared, alike.overlap) == (1.0, pytest.approx(1.0))
