from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.candidates.graph import Connection, DependencyGraph
from relhash.corpus import Dependency


@st.composite
def graphs(draw):
    size = draw(st.integers(2, 12))
    token = st.integers(0, size - 1)
    arcs = draw(st.lists(st.builds(Dependency, token, token, st.sampled_from(["nsubj", "dobj", "prep_of", "nn"])), max_size=20))
    start, goal = (tuple(sorted(draw(st.sets(token, min_size=1, max_size=3)))) for _ in range(2))
    return size, arcs, start, goal


def all_distances(size, arcs):
    """Floyd and Warshall: slow, and plainly right."""
    far = float("inf")
    distance = [[0 if i == j else far for j in range(size)] for i in range(size)]
    for arc in arcs:
        if arc.head != arc.dependent:
            distance[arc.head][arc.dependent] = distance[arc.dependent][arc.head] = 1
    for k in range(size):
        for i in range(size):
            for j in range(size):
                distance[i][j] = min(distance[i][j], distance[i][k] + distance[k][j])
    return distance


@settings(max_examples=200)
@given(graphs())
def test_the_path_is_shortest_and_made_of_arcs(drawn):
    size, arcs, start, goal = drawn
    path = DependencyGraph(size, arcs).shortest_path(start, goal)
    shortest = min(all_distances(size, arcs)[a][b] for a in start for b in goal)
    if set(start) & set(goal):
        assert path.connection is Connection.SHARED_TOKEN
        return
    if shortest == float("inf"):
        assert path.connection is Connection.DISCONNECTED
        return
    assert path.connection is Connection.PATH
    assert len(path.edges) == len(path.tokens) - 1 == shortest
    assert path.tokens[0] in start
    assert path.tokens[-1] in goal
    known = {(arc.head, arc.dependent, arc.label) for arc in arcs}
    for here, there, edge in zip(path.tokens, path.tokens[1:], path.edges):
        arc = (there, here, edge[1:]) if edge[0] == "<" else (here, there, edge[:-1])
        assert arc in known


@given(graphs(), st.randoms())
def test_the_choice_does_not_depend_on_the_order_of_arcs(drawn, shuffler: random.Random):
    size, arcs, start, goal = drawn
    shuffled = list(arcs)
    shuffler.shuffle(shuffled)
    assert DependencyGraph(size, arcs).shortest_path(start, goal) == DependencyGraph(size, shuffled).shortest_path(start, goal)


@given(graphs())
def test_one_search_serves_many_starts(drawn):
    size, arcs, _, goal = drawn
    shared = DependencyGraph(size, arcs)
    for token in range(size):
        assert shared.shortest_path((token,), goal) == DependencyGraph(size, arcs).shortest_path((token,), goal)


def test_the_head_of_a_mention_is_preferred():
    # "the Ras protein binds": both tokens of the mention hang on the verb, "protein" governs "Ras"
    arcs = [Dependency(3, 1, "nsubj"), Dependency(3, 2, "nsubj"), Dependency(2, 1, "nn"), Dependency(3, 4, "dobj")]
    graph = DependencyGraph(5, arcs)
    assert graph.shortest_path((1, 2), (4,)).tokens == (2, 3, 4)
    assert graph.shortest_path((4,), (1, 2)).tokens == (4, 3, 2)


def test_of_parallel_arcs_the_first_by_name_counts():
    arcs = [Dependency(1, 0, "xsubj"), Dependency(0, 1, "rcmod"), Dependency(1, 0, "nsubj")]
    assert DependencyGraph(2, arcs).shortest_path((0,), (1,)).edges == ("<nsubj",)
