from __future__ import annotations

from relhash.hashing.splits import all_splits, count_nearest, subset_sums
from tests.hashing.random_objectives import objective


def test_sums_of_lines_are_the_counts_of_a_split():
    score = objective(5, 0)
    responses, code = score.responses, score.clusters
    table = count_nearest(responses.nearest, 5, score.rows, code.cells, score.weights, code.n_clusters)
    for split, ones in zip(all_splits(5), subset_sums(all_splits(5), table), strict=True):
        bits = responses.bits(split)
        for cluster in range(code.n_clusters):
            members = (code.cells == cluster) & (bits == 1)
            assert ones[cluster].tolist() == score.weights[members].sum(axis=0).tolist()
