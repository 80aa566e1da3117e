from __future__ import annotations

import copy

import numpy as np
import pytest

from relhash.errors import ParameterError
from relhash.hashing.clusters import cluster_by_keys
from relhash.hashing.count_table import anneal
from relhash.hashing.functions import NO_REFERENCE
from relhash.hashing.information import n_log_n
from relhash.hashing.nearest import NearestResponses
from relhash.hashing.objective import SplitObjective, TermWeights
from relhash.hashing.splits import _anneal, all_splits, find_split, mcmc_split, random_split


def objective(n_references, seed, n_points=400, supervised_weight=0.0):
    """Eq. 1 on random data: the problem as the learner poses it."""
    rng = np.random.default_rng(seed)
    nearest = rng.choice(n_references, n_points, p=rng.dirichlet(np.ones(n_references))).astype(np.uint8)
    nearest[rng.random(n_points) < 0.05] = NO_REFERENCE
    weights = rng.integers(0, 3, (n_points, 4))
    clustering = cluster_by_keys(rng.integers(0, 12, n_points), weights)
    responses = NearestResponses(np.arange(n_references), nearest)
    rows = np.arange(n_points, dtype=np.int32)
    return SplitObjective(
        responses, clustering, rows, weights, n_log_n(int(weights.sum())), TermWeights(labels=supervised_weight)
    )


def without_table(objective):
    """The same objective, as families see it that must pass over the points for each split."""
    objective = copy.copy(objective)
    objective.table = None
    return objective


@pytest.mark.parametrize("n_references", [2, 3, 4, 8])
def test_all_splits_are_all_and_only_once(n_references):
    splits = all_splits(n_references)
    assert len(splits) == len({tuple(split) for split in splits.tolist()}) == 2 ** (n_references - 1) - 1
    assert (splits[:, 0] == 0).all()
    assert splits.any(axis=1).all()


@pytest.mark.parametrize("n_references", range(2, 11))
def test_mcmc_finds_the_exhaustive_optimum(n_references):
    for seed in range(4):
        score = objective(n_references, seed, supervised_weight=seed / 2)
        best = mcmc_split(score, np.random.default_rng(seed))
        assert score(best[None])[0] == pytest.approx(score(all_splits(n_references)).max(), abs=1e-12)


@pytest.mark.parametrize("supervised_weight", [0.0, 1.5])
def test_the_compiled_chain_equals_the_plain_one(supervised_weight):
    for seed in range(5):
        score = objective(14, seed, supervised_weight=supervised_weight)
        rng = np.random.default_rng(seed)
        start = random_split(14, rng)
        moves, thresholds = rng.integers(1, 14, 300), np.log(rng.random(300)) * np.linspace(0.05, 0, 300)
        totals, table = score.code.totals, score.n_log_n
        compiled = anneal(score.table, totals, table, supervised_weight, start, moves, thresholds)
        plain = _anneal(without_table(score), start[None], moves[:, None], thresholds[:, None])[0]
        assert compiled.tolist() == plain.tolist()


def test_a_family_without_a_table_is_searched_too():
    score = without_table(objective(7, 0))
    assert score(mcmc_split(score, np.random.default_rng(0))[None])[0] == pytest.approx(score(all_splits(7)).max())


def test_exhaustive_takes_the_best():
    score = objective(6, 0)
    split = find_split("exhaustive", score, np.random.default_rng(0))
    assert split.tolist() == all_splits(6)[score(all_splits(6)).argmax()].tolist()


def test_many_references_get_a_better_split_than_chance():
    score = objective(40, 0)
    rng = np.random.default_rng(0)
    by_chance = np.stack([find_split("random", score, rng) for _ in range(100)])
    assert score(find_split("auto", score, rng)[None])[0] > score(by_chance).max()


def test_random_splits_are_even():
    rng = np.random.default_rng(0)
    drawn = [tuple(random_split(3, rng).tolist()) for _ in range(3000)]
    assert {split: drawn.count(split) for split in set(drawn)}.keys() == {tuple(split) for split in all_splits(3).tolist()}
    assert all(900 < drawn.count(split) < 1100 for split in set(drawn))


def test_one_reference_has_one_split():
    for search in ("exhaustive", "mcmc", "random", "auto"):
        assert find_split(search, objective(1, 0), np.random.default_rng(0)).tolist() == [1]


def test_an_unknown_search_is_named():
    with pytest.raises(ParameterError, match=r"'best'.*exhaustive"):
        find_split("best", objective(3, 0), np.random.default_rng(0))


@pytest.mark.parametrize(("weights", "left_out"), [(TermWeights(entropy=0.0), 0), (TermWeights(redundancy=0.0), 1)])
@pytest.mark.parametrize("search", ["exhaustive", "mcmc"])
def test_a_term_can_be_left_out(weights, left_out, search):
    whole = objective(6, seed=3)
    part = SplitObjective(whole.responses, whole.code, whole.rows, whole.weights, whole.n_log_n, weights)
    splits = all_splits(6)
    terms = whole.terms(splits)
    expected = -terms[:, 1] if left_out == 0 else terms[:, 0]
    np.testing.assert_allclose(part(splits), expected)
    found = find_split(search, part, np.random.default_rng(0))
    assert part(found[None])[0] == pytest.approx(expected.max())
