from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ParameterError
from relhash.hashing.splits import all_splits, find_split, mcmc_split, random_split
from tests.hashing.random_objectives import objective, without_table


@pytest.mark.parametrize("n_references", [2, 3, 4, 8])
def test_all_splits_are_all_and_only_once(n_references):
    splits = all_splits(n_references)
    assert len(splits) == len({tuple(split) for split in splits.tolist()}) == 2 ** (n_references - 1) - 1
    assert (splits[:, 0] == 0).all()
    assert splits.any(axis=1).all()


@pytest.mark.parametrize("n_references", range(2, 11))
def test_mcmc_finds_the_exhaustive_optimum(n_references):
    for seed in range(4):
        score = objective(n_references, seed)
        best = mcmc_split(score, np.random.default_rng(seed))
        assert score(best[None])[0] == pytest.approx(score(all_splits(n_references)).max(), abs=1e-12)


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
