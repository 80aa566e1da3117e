"""Rows with a prior: they follow it where it is good, and do without it where it is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from relhash.bench.datasets.dataset import Dataset, read_benchmark_corpus
from relhash.bench.protocols import PROTOCOLS
from relhash.bench.report import finish
from relhash.bench.runner import run_protocol
from relhash.bench.systems.prior_votes import PriorVotes

pytestmark = pytest.mark.usefixtures("small_systems")
FEW = replace(PROTOCOLS["few-labels"], label_counts=(25,))


def run(toy_data, votes, systems, **how):
    dataset = Dataset([read_benchmark_corpus(toy_data, name) for _, name in FEW.corpora])
    log_odds = votes(dataset.y, np.random.default_rng(0).normal(size=dataset.y.size))
    dataset.prior = PriorVotes(1 / (1 + np.exp(-log_odds)), "test", ("a prior for the test",))
    return run_protocol(FEW, dataset=dataset, systems=systems, seeds=1, n_jobs=1, **how)


def test_a_good_prior_needs_no_labels_and_lifts_few(toy_data, tmp_path):
    systems = ["prior", "descriptors-forest+prior", "best+prior", "best"]
    done = run(toy_data, lambda y, noise: 6.0 * y + noise, systems, out=tmp_path)
    auc = {(cell.system, cell.labels): cell.figures["all"]["auc"] for cell in done.cells if cell.direction == "A→B"}
    assert set(auc) == {("prior", 0), *((name, 25) for name in systems[1:])}
    assert auc["prior", 0] > 0.99
    assert auc["best+prior", 25] > max(auc["best", 25] - 1e-9, 0.95)
    report = finish(done, tmp_path)  # the figure has a line for the prior, at no number of labels
    rows, notes = report.rows, report.notes
    assert (tmp_path / "few-labels.png").exists()
    assert "a prior for the test" in notes
    assert {row["labels"] for row in rows if row["system"] == "prior"} == {0}


def test_bits_and_their_controls_get_the_same_vote(toy_data):
    kinds = ("NU", "random", "random-balanced")
    systems = [f"{kind}+linear{ending}" for kind in kinds for ending in ("", "+prior")]
    assert set(systems) <= {*FEW.systems, *FEW.prior_systems}  # they stand beside each other in the default table
    done = run(toy_data, lambda y, noise: 6.0 * y + noise, systems)
    auc = {cell.system: cell.figures["all"]["auc"] for cell in done.cells if cell.direction == "A→B"}
    assert all(auc[f"{kind}+linear+prior"] > max(auc[f"{kind}+linear"], 0.95) for kind in kinds)


def test_another_prior_is_another_cell(toy_data, tmp_path):
    first = run(toy_data, lambda y, noise: noise, ["prior"], out=tmp_path)
    again = run(toy_data, lambda y, noise: noise + y, ["prior"], out=tmp_path)
    assert first.cells[0].figures == again.cells[0].figures  # same fingerprint: the finished cell counts
    other = replace(again.dataset.prior, fingerprint="another")
    again.dataset.prior = other
    fresh = run_protocol(FEW, dataset=again.dataset, systems=["prior"], seeds=1, n_jobs=1, out=tmp_path)
    assert fresh.cells[0].figures != first.cells[0].figures
