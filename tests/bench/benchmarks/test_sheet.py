"""Sheets of the embedded corpora: every rule gets a row, and finished draws are not made again."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench.benchmarks import sheet as sheet_benchmark
from relhash.bench.benchmarks.sheet import RULES, PriorView, judged_sheets, prior_views
from relhash.bench.datasets.dataset import Dataset
from relhash.bench.protocols import Task
from relhash.bench.systems.prior_votes import PriorVotes
from relhash.corpus.demo import demo_corpora
from relhash.errors import ParameterError
from tests.bench.flipped_labels import flipped


@pytest.fixture(scope="module")
def dataset():
    return Dataset(list(demo_corpora()))


@pytest.fixture(scope="module")
def task(dataset):
    return Task("abstracts→fulltext", 0, np.flatnonzero(dataset.corpus == 0), np.flatnonzero(dataset.corpus == 1))


def test_all_rules_and_draws_that_are_kept(dataset, task, tmp_path, monkeypatch):
    asked = {"draws": 2, "sizes": (30,), "out": tmp_path, "tasks": [task]}
    sheets = list(judged_sheets(dataset, **asked))
    assert {sheet.drawn for sheet in sheets} == {"balanced", "positives-heavy", "random"}
    assert {sheet.rule for sheet in sheets} == {name for name in RULES if not name.startswith("prior")}
    assert all(sheet.scores.f1 <= sheet.scores.f1_oracle + 1e-9 for sheet in sheets)
    assert {sheet.draw for sheet in sheets} == {0, 1}
    monkeypatch.setattr(sheet_benchmark, "Bench", None)  # whoever makes features now fails
    assert list(judged_sheets(dataset, **asked)) == sheets

    n = task.test.size
    priors = {task.direction: PriorView(np.linspace(0.1, 0.9, n), np.full(n, 0.2), np.linspace(0.1, 0.9, task.train.size))}
    with_prior = list(judged_sheets(dataset, priors=priors, **asked))
    assert {sheet.rule for sheet in with_prior} == set(RULES)
    assert [sheet for sheet in with_prior if not sheet.rule.startswith("prior")] == sheets


def test_a_prior_reads_the_same_candidates_in_parses_of_its_own(dataset, monkeypatch):
    n = len(dataset)
    votes = PriorVotes(np.linspace(-2, 2, n), np.linspace(0, 1, n), "made up")
    tasks = [Task("0→1", 0, np.flatnonzero(dataset.corpus == 0), np.flatnonzero(dataset.corpus == 1))]
    monkeypatch.setattr(sheet_benchmark, "sheet_tasks", lambda _: tasks)
    (view,) = prior_views(dataset, dataset, votes).values()
    assert view.probabilities.tolist() == votes.probabilities[tasks[0].test].tolist()
    assert view.of_source[0] == pytest.approx(1 / (1 + np.exp(2)))
    with pytest.raises(ParameterError, match="other candidates"):
        prior_views(dataset, Dataset(list(demo_corpora())[::-1]), votes)


def test_no_rule_looks_at_labels_of_the_text_that_is_read():
    """But for the one that says of itself that somebody knows the share."""
    few = Dataset([list(corpus)[:8] for corpus in demo_corpora()])
    own = Task("abstracts→fulltext", 0, np.flatnonzero(few.corpus == 0), np.flatnonzero(few.corpus == 1))
    before, after = (
        [(one.drawn, one.rule, one.scores.accepted) for one in judged_sheets(data, draws=1, sizes=(30,), tasks=[own])]
        for data in (few, flipped(few, own.test))
    )
    assert {one[1] for one, other in zip(before, after, strict=True) if one != other} == {"share known (--expect)"}
