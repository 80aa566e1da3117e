"""The all-paths graph features against their definition: matrices written out, sums of powers, inverses."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from relhash.bench.rivals.graph_machines import (
    AllPathsGraphs,
    LabelledGraph,
    _closure,
    dependency_graph,
    least_squares,
    linear_graph,
    path_walks,
    placed_words,
)
from relhash.candidates.scene import Scene, scenes
from tests.bench.rivals.toy_candidates import pair, toy_pairs
from tests.bench.rivals.toy_scenes import scene_of


def slow_sums(scene: Scene, on_path: set[frozenset[int]]) -> np.ndarray:
    """Vertices are tokens, then dependencies; the whole adjacency matrix, inverted."""
    arcs, n = scene.stage.graph.arcs, len(scene.stage.tokens)
    A = np.zeros((n + len(arcs), n + len(arcs)))
    for number, arc in enumerate(arcs):
        weight = 0.9 if frozenset((arc.head, arc.dependent)) in on_path else 0.3
        A[arc.head, n + number] = A[n + number, arc.dependent] = weight
    return np.linalg.inv(np.eye(len(A)) - A) - np.eye(len(A))


def slow_pairs(graphs: list[LabelledGraph]) -> dict[tuple[str, str], float]:
    """``G = L W Lᵀ`` entry by entry, by labels."""
    G: dict[tuple[str, str], float] = {}
    for graph in graphs:
        for i, j in product(range(len(graph.labels)), repeat=2):
            for a, b in product(graph.labels[i], graph.labels[j]):
                G[a, b] = G.get((a, b), 0.0) + graph.sums[i, j]
    return {labels: value for labels, value in G.items() if value}


def test_a_tiny_graph_by_hand():
    scene = scene_of("Ras binds Raf", [(1, 0, "nsubj"), (1, 2, "dobj")])
    graph = dependency_graph(scene)
    # binds → nsubj → Ras and binds → dobj → Raf, all on the shortest path: 0.9 a step
    expected = np.zeros((5, 5))
    expected[1, 3] = expected[1, 4] = expected[3, 0] = expected[4, 2] = 0.9
    expected[1, 0] = expected[1, 2] = 0.81
    np.testing.assert_allclose(graph.sums, expected)
    assert graph.labels == [("ip:<E1>",), ("ip:binds", "ip:<pos:VB>"), ("ip:<E2>",), ("ip:nsubj>",), ("ip:dobj>",)]
    order = linear_graph(scene)
    np.testing.assert_allclose(order.sums, [[0, 0.9, 0.81], [0, 0, 0.9], [0, 0, 0]])
    assert order.labels == [("<E1>",), ("m:binds", "m:<pos:VB>"), ("<E2>",)]


def test_sums_of_paths_equal_the_inverse_of_the_whole_matrix():
    words = "thus Ras binds the Raf here"
    arcs = [(2, 0, "advmod"), (2, 1, "nsubj"), (2, 4, "dobj"), (4, 3, "det"), (2, 5, "advmod"), (1, 5, "rcmod"), (1, 0, "dep")]
    scene = scene_of(words, arcs)
    on_path = {frozenset((1, 2)), frozenset((2, 4))}
    graph = dependency_graph(scene)
    np.testing.assert_allclose(graph.sums, slow_sums(scene, on_path), atol=1e-12)
    assert graph.labels[3] == ("the", "<pos:VB>")  # not on the path
    assert graph.labels[6 + 1] == ("ip:nsubj>",)
    assert linear_graph(scene).labels[0][0] == "b:thus"
    assert linear_graph(scene).labels[5][0] == "a:here"


def test_cycles_do_not_blow_up():
    A = np.array([[0.0, 0.81, 0.81], [0.81, 0.0, 0.81], [0.81, 0.81, 0.0]])  # radius 1.62
    closed = _closure(A)
    assert (closed >= 0).all()
    assert np.isfinite(closed).all()
    gentle = A / 3
    np.testing.assert_allclose(_closure(gentle), sum(np.linalg.matrix_power(gentle, k) for k in range(200)))


def test_inner_products_are_the_kernel():
    candidates, _ = toy_pairs(12)
    graphs = AllPathsGraphs(cut=1e-12, min_sentences=1)
    X = graphs.fit_transform(candidates).toarray().astype(float)
    slow = [slow_pairs([dependency_graph(scene), linear_graph(scene)]) for scene in scenes(candidates)]
    expected = [[sum(value * other.get(labels, 0.0) for labels, value in one.items()) for other in slow] for one in slow]
    np.testing.assert_allclose(X @ X.T, expected, rtol=1e-5)
    np.testing.assert_allclose(graphs.transform(candidates).toarray(), X, rtol=1e-6)


def test_pairs_of_one_sentence_and_unknown_labels_are_left_out():
    graphs = AllPathsGraphs()
    sentences = ["Ras binds Raf", "Ras binds Raf here", "Ras dissolves Raf"]
    X = graphs.fit_transform([pair(number, words.split()) for number, words in enumerate(sentences)])
    everything = AllPathsGraphs(min_sentences=1).fit_transform(
        [pair(number, words.split()) for number, words in enumerate(sentences)]
    )
    assert 0 < X.shape[1] < everything.shape[1]
    unknown = graphs.transform([pair(9, ["unheard", "Ras", "melts", "Raf"])])
    assert unknown.shape == (1, X.shape[1])
    assert 0 < unknown.nnz < X[0].nnz


@pytest.mark.parametrize("words", ["Ras binds Raf", "Ras binds Raf ."])
def test_a_sentence_without_arcs_still_has_its_order(words):
    graphs = AllPathsGraphs(min_sentences=1)
    assert graphs.fit_transform([scene_of(words, []).candidate]).nnz > 0


def test_least_squares_against_the_normal_equations():
    from scipy import sparse

    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 5))
    y = X[:, 0] > 0.3
    weights, constant = least_squares(sparse.csr_matrix(X), y, 0.7)
    with_constant = np.column_stack([X, np.ones(30)])
    expected = np.linalg.solve(with_constant.T @ with_constant + 0.7 * np.eye(6), with_constant.T @ np.where(y, 1.0, -1.0))
    np.testing.assert_allclose([*weights, constant], expected, atol=1e-3)


def test_words_and_walks_of_the_rich_vector():
    scene = scene_of("thus Ras binds the Raf here")
    assert list(placed_words(scene)) == ["before thus", "between binds", "between the", "after here"]
    assert list(path_walks(scene)) == ["v <E1> <nsubj binds", "v binds dobj> <E2>", "e <nsubj binds dobj>"]
    apart = scene_of("Ras binds Raf", [(1, 0, "nsubj")])
    assert list(path_walks(apart)) == ["disconnected"]
