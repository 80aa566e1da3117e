"""Sheets of the embedded corpora: every rule gets a row, and finished draws are not made again."""

from __future__ import annotations

import json

import numpy as np
import pytest

from relhash.corpus.demo import demo_corpora
from relhash.evaluation.benchmarks import sheet as sheet_benchmark
from relhash.evaluation.benchmarks.sheet import markdown, sheet_figures, summary, write_figures
from relhash.evaluation.benchmarks.sheet_rules import RULES, PriorView
from relhash.evaluation.datasets.dataset import Dataset
from relhash.evaluation.protocols import Task
from tests.evaluation.flipped_labels import flipped
from tests.evaluation.made_results import assert_says_who_made_it


@pytest.fixture(scope="module")
def dataset():
    return Dataset(list(demo_corpora()))


@pytest.fixture(scope="module")
def task(dataset):
    return Task("abstracts→fulltext", 0, np.flatnonzero(dataset.corpus == 0), np.flatnonzero(dataset.corpus == 1))


def test_figures_of_all_rules_and_draws_that_are_kept(dataset, task, tmp_path, monkeypatch):
    asked = {"draws": 2, "sizes": (30,), "out": tmp_path, "tasks": [task]}
    figures = list(sheet_figures(dataset, **asked))
    assert {figure.drawn for figure in figures} == {"balanced", "positives-heavy", "random"}
    assert {figure.rule for figure in figures} == {name for name in RULES if not name.startswith("prior")}
    assert all(figure.f1 <= figure.f1_oracle + 1e-9 and figure.draws == 2 for figure in figures)
    monkeypatch.setattr(sheet_benchmark, "Bench", None)  # whoever makes features now fails
    assert list(sheet_figures(dataset, **asked)) == figures

    n = task.test.size
    priors = {task.direction: PriorView(np.linspace(0.1, 0.9, n), np.full(n, 0.2), np.linspace(0.1, 0.9, task.train.size))}
    with_prior = list(sheet_figures(dataset, priors=priors, **asked))
    assert {figure.rule for figure in with_prior} == set(RULES)
    assert [figure for figure in with_prior if not figure.rule.startswith("prior")] == figures

    write_figures(figures, tmp_path)
    stored = json.loads((tmp_path / "sheet.json").read_text())
    assert len(stored["rows"]) == len(figures)
    assert_says_who_made_it(stored)
    assert [row["rule"] for row in stored["summary"]] == [row["rule"] for row in summary(figures)]
    assert (tmp_path / "sheet.md").read_text().endswith(markdown(figures))


def test_no_rule_looks_at_labels_of_the_text_that_is_read():
    """But for the one that says of itself that somebody knows the share."""
    few = Dataset([list(corpus)[:8] for corpus in demo_corpora()])
    own = Task("abstracts→fulltext", 0, np.flatnonzero(few.corpus == 0), np.flatnonzero(few.corpus == 1))
    before, after = (
        [(one.drawn, one.rule, one.accepted) for one in sheet_figures(data, draws=1, sizes=(30,), tasks=[own])]
        for data in (few, flipped(few, own.test))
    )
    assert {one[1] for one, other in zip(before, after, strict=True) if one != other} == {"share known (--expect)"}
