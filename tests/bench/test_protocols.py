"""Protocols as data: their splits and their systems."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from relhash.bench.datasets.dataset import Dataset
from relhash.bench.protocols import PROTOCOLS, protocol, tasks
from relhash.bench.runner import ALL, all_systems
from relhash.bench.systems.listed import SYSTEMS


def test_splits_are_what_they_say(toy_data):
    from relhash.bench.datasets.dataset import read_benchmark_corpus

    chosen = protocol("ppi-development")
    dataset = Dataset([read_benchmark_corpus(toy_data, name) for _, name in chosen.corpora])
    (task,) = tasks(replace(chosen, split="fixed"), dataset)
    assert task.direction == "A+B→H"
    assert not set(dataset.documents[task.train]) & set(dataset.documents[task.test])
    assert len(task.train) + len(task.test) == len(dataset)
    assert [task.direction for task in tasks(chosen, dataset)] == ["A→H", "B→H"]
    for name in ("ppi-cv", "ppi-clusters"):
        tested: dict[str, list[int]] = {}
        for task in tasks(protocol(name), dataset):
            assert not set(dataset.documents[task.train]) & set(dataset.documents[task.test])
            assert set(dataset.corpus[task.train]) == set(dataset.corpus[task.test])
            tested.setdefault(task.direction, []).extend(task.test)
        assert {direction: sorted(rows) for direction, rows in tested.items()} == {
            "A→A": np.flatnonzero(dataset.corpus == 0).tolist(), "B→B": np.flatnonzero(dataset.corpus == 1).tolist()
        }  # fmt: skip


def test_every_protocol_names_systems_that_exist():
    for one in PROTOCOLS.values():
        assert set(one.systems) <= {*SYSTEMS, ALL}, one.name


def test_every_table_with_random_bits_also_has_balanced_ones():
    """Nobody shall read a gain over random bits without the control that is just as balanced."""
    for one in PROTOCOLS.values():
        named = {*one.systems, *(all_systems(one) if ALL in one.systems else ())}
        random = named & {"random", "random+linear"}
        assert {name.replace("random", "random-balanced") for name in random} <= named
