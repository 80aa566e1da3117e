"""Figures inside pages: made by matplotlib, as images that load nothing."""

from __future__ import annotations

import base64
import re

import numpy as np

from relhash.show.plots import draw_calibration, draw_curves, draw_redundancy, draw_trace

CURVE = [(0.0, 1.0), (0.5, 0.8), (1.0, 0.3)]


def svg(image):
    (content,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', image)
    return base64.b64decode(content).decode("utf-8")


def test_every_system_has_its_name_and_hostile_ones_are_harmless():
    drawn = svg(draw_curves({"ours": (CURVE, (0.5, 0.8)), "<b>&\u202e": (CURVE, (0.5, 0.8))}, 0.3))
    assert "ours" in drawn
    assert "&lt;b&gt;&amp;⟨U+202E⟩" in drawn
    assert "\u202e" not in drawn


def test_letters_that_the_font_lacks_are_the_browsers_and_no_warning(recwarn):
    assert "蛋白" in svg(draw_curves({"蛋白": (CURVE, (0.5, 0.8)), "ours": (CURVE, (0.5, 0.8))}))
    # what another test left open may be warned of at any time, when it is collected
    assert not [one for one in recwarn if issubclass(one.category, UserWarning)]


def test_a_long_curve_is_thinned():
    curve = [(i / 50_000, 1 - 0.7 * i / 50_000) for i in range(50_001)]
    assert len(draw_curves({"": (curve, (0, 1))})) < 200_000
    assert svg(draw_curves({"": (curve[:1], (0, 1))}))


def test_the_same_figure_is_the_same_bytes():
    bins = [{"probability": 0.1, "right": 0.2, "n": 10}]
    assert draw_calibration(bins) == draw_calibration(bins)
    assert 'alt="Calibration"' in draw_calibration([])


def test_traces_and_redundancy_of_any_size():
    assert svg(draw_trace({"objective": [1.0, 1.2, 0.9, 1.1], "rejected": [2], "deleted": [0]}))
    assert svg(draw_trace({"objective": [1.0], "rejected": [], "deleted": []}))
    assert svg(draw_redundancy(np.eye(3)))
