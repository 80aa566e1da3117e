from __future__ import annotations

import numpy as np
import pytest

from relhash.hashing.splits import _anneal, all_splits, anneal, count_nearest, random_split, subset_sums
from tests.hashing.random_objectives import objective, without_table


@pytest.mark.parametrize("supervised_weight", [0.0, 1.5])
def test_the_compiled_chain_equals_the_plain_one(supervised_weight):
    for seed in range(5):
        score = objective(14, seed, supervised_weight=supervised_weight)
        rng = np.random.default_rng(seed)
        start = random_split(14, rng)
        moves, thresholds = rng.integers(1, 14, 300), np.log(rng.random(300)) * np.linspace(0.05, 0, 300)
        totals, table = score.totals, score.n_log_n
        compiled = anneal(score.table, totals, table, supervised_weight, start, moves, thresholds)
        plain = _anneal(without_table(score), start[None], moves[:, None], thresholds[:, None])[0]
        assert compiled.tolist() == plain.tolist()


def test_sums_of_lines_are_the_counts_of_a_split():
    score = objective(5, 0)
    responses, code = score.responses, score.clusters
    table = count_nearest(responses.nearest, 5, score.rows, code.cells, score.weights, code.n_clusters)
    for split, ones in zip(all_splits(5), subset_sums(all_splits(5), table), strict=True):
        bits = responses.bits(split)
        for cluster in range(code.n_clusters):
            members = (code.cells == cluster) & (bits == 1)
            assert ones[cluster].tolist() == score.weights[members].sum(axis=0).tolist()
