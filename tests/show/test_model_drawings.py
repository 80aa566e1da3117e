from __future__ import annotations

import numpy as np

from relhash.show.evidence_page import draw_calibration, draw_redundancy, draw_trace
from relhash.show.model_view import Calibrated


def test_calibration_has_a_dot_per_bin():
    drawn = draw_calibration([Calibrated(0.1, 0.2, 10), Calibrated(0.9, 0.7, 40)])
    assert drawn.count("<circle") == 2
    assert "40 candidates" in drawn


def test_trace_tells_what_did_not_stay():
    drawn = draw_trace({"objective": [1.0, 1.2, 0.9, 1.1], "rejected": [2], "deleted": [0]})
    assert drawn.count('class="gone"') == 2
    assert drawn.count('class="kept"') == 2


def test_a_trace_of_one_trial_can_be_drawn():
    assert "nan" not in draw_trace({"objective": [1.0], "rejected": [], "deleted": []})


def test_redundancy_leaves_out_what_is_not_redundant():
    matrix = np.array([[1.0, 0.01, 0.5], [0.01, 1.0, 0.3], [0.5, 0.3, 1.0]])
    assert draw_redundancy(matrix).count("<rect") == 5  # the diagonal and two pairs
