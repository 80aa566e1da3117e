"""Questions about what the training text never had come first."""

from __future__ import annotations

import numpy as np

from relhash.model.adaptation import Seen
from relhash.model.answers.questions import Queue

KNOWN, STRANGE = 0, 2**60 - 1


def test_kinds_without_a_label_are_asked_first():
    codes = np.array([[KNOWN]] * 8 + [[STRANGE]] * 2, np.uint64)
    seen = Seen(np.array([[KNOWN]] * 6, np.uint64), np.array([1, 0, 1, 0, 1, 0], np.int8))
    queue = Queue([None] * 10, codes, seen=seen)
    p = np.full(10, 0.5)
    asked = queue.next(p, (), 4, order="new", drawn=0)
    assert {one.row for one in asked[:2]} == {8, 9}
    assert "nothing like it" in asked[0].why
    assert {one.row for one in asked[2:]} <= set(range(8))
    assert {one.row for one in queue.next(p, [8, 9], 1, order="new", drawn=0)} <= set(range(8))
    assert len(Queue([None] * 10, codes).next(p, (), 4, order="new")) == 4
