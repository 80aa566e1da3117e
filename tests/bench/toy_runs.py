"""Runs whose every figure a person can compute: documents of ten candidates, labels given by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from relhash.bench.cells import Cell, Run, TestSet, ranks_of
from relhash.bench.protocols import PROTOCOLS
from relhash.bench.systems.listed import SYSTEMS
from relhash.learn.metrics import measure

Y = np.tile(np.arange(10) < 4, 30)
"""30 documents with four relations among ten candidates each."""
DOCUMENTS = np.repeat([f"d{number:02}" for number in range(30)], 10)


def labels_with(right):
    """Labels that find so many of the four relations of every document, and nothing else: precision 1, recall right / 4."""
    return np.tile(np.arange(10) < right, 30)


def f1_of(right):
    return 2 * (right / 4) / (1 + right / 4)


def set_of(direction, fold=0, prefix=""):
    names = np.char.add(prefix or direction, DOCUMENTS)
    return TestSet(direction, fold, [f"{name}|{number}" for number, name in enumerate(names)], Y, names)


def cell(system, direction, seed, given, *, labels=None, fold=0, scores=None, group=None):
    values = given.astype(float) if scores is None else scores
    figures = {"all": {**measure(Y, values, given).as_dict(), "f1_at_half": 0.5}}
    kept = {"given": given, "ranks": ranks_of(values), "group": seed if group is None else group, "made": "abc 2026-11-17"}
    return Cell(system, direction, fold, seed, labels, 2.0, figures, **kept)


def run_of(protocol, tests, cells):
    systems = [SYSTEMS[name] for name in dict.fromkeys(one.system for one in cells)]
    return Run(replace(PROTOCOLS[protocol], without_shared=False), tests, systems, cells, ["a note"], "a parser")
