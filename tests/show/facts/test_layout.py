"""Positions of a network: always the same, inside the picture, and never on top of each other."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.show.facts.drawing import ABOVE, BELOW, _apart, _hits, layout


@st.composite
def networks(draw):
    n = draw(st.integers(1, 25))
    edges = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=40))
    return [float(draw(st.integers(5, 150))) for _ in range(n)], edges


@settings(max_examples=40, deadline=None)
@given(networks())
def test_every_node_has_its_place_in_the_picture(network):
    widths, edges = network
    positions, width, height = layout(widths, edges)
    assert np.isfinite(positions).all()
    assert (positions >= 0).all()
    assert (positions <= (width, height)).all()
    apart = np.linalg.norm(positions[:, None] - positions[None], axis=2) + np.eye(len(widths)) * 99
    assert apart.min() > 8
    over = np.add.outer(widths, widths) / 2 - np.abs(np.subtract.outer(positions[:, 0], positions[:, 0]))
    beside = np.abs(np.subtract.outer(positions[:, 1], positions[:, 1])) < ABOVE + BELOW - 1
    assert not (np.triu(over > 0, 1) & beside).any()  # no label on another label or node
    assert (layout(widths, edges)[0] == positions).all()


def test_neighbours_are_closer_than_strangers():
    chain = [(number, number + 1) for number in range(9)]
    positions, _, _ = layout([20.0] * 10, chain)
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=1)
    assert steps.max() < np.linalg.norm(positions[0] - positions[-1]) / 2


def test_boxes_that_overlap_move_apart_the_shorter_way():
    side = np.full((2, 2), 5.0)  # from the middle
    beside = _apart(np.array([[0.0, 0.0], [8.0, 1.0]]), side)
    assert beside[:, 1].tolist() == [0.0, 1.0]
    assert 10 <= beside[1, 0] - beside[0, 0] <= 12
    above = _apart(np.array([[0.0, 0.0], [1.0, -8.0]]), side)
    assert above[:, 0].tolist() == [0.0, 1.0]
    assert 10 <= above[0, 1] - above[1, 1] <= 12


def test_a_corner_is_taken_where_boxes_would_cover_each_other():
    taken = [(0.0, 0.0, 10.0, 10.0)]
    free, covered = ((10.0, 0.0), (0.0, 10.0), (-5.0, 0.0)), ((9.0, 9.0), (-4.0, 2.0), (2.0, -4.0))
    assert [_hits(place, 5.0, 5.0, taken) for place in (*free, *covered)] == [False] * 3 + [True] * 3
