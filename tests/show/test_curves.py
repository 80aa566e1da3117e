"""Precision-recall curves as SVG."""

from __future__ import annotations

import re
from itertools import pairwise

from relhash.show.drawings import draw_curves

CURVE = [(0.0, 1.0), (0.5, 0.8), (1.0, 0.3)]


def test_curve_goes_in_steps_to_the_given_points():
    drawing = draw_curves([(CURVE, (0.5, 0.8), "red")])
    (curve,) = re.findall(r'class="curve"[^>]* d="M([^"]*)"', drawing)
    points = [tuple(map(float, point.split(","))) for point in curve.split("L")]
    assert len(points) == 5
    for (x1, y1), (x2, y2) in pairwise(points):
        assert x1 == x2 or y1 == y2
    (x, y) = re.findall(r'<circle[^>]* cx="([\d.]+)" cy="([\d.]+)"', drawing)[0]
    assert (float(x), float(y)) in points


def test_a_long_curve_is_thinned_but_keeps_its_ends():
    curve = [(i / 50_000, 1 - 0.7 * i / 50_000) for i in range(50_001)]
    drawing = draw_curves([(curve, (0, 1), "red")])
    assert len(drawing) < 40_000
    for end in (0, -1):
        assert draw_curves([([curve[end]], (0, 1), "red")]).count('class="curve"') == 1
    whole = re.findall(r'class="curve"[^>]* d="M([^"]*)"', drawing)[0].split("L")
    last = re.findall(r'class="curve"[^>]* d="M([^"]*)"', draw_curves([([curve[-1]], (0, 1), "red")]))[0]
    assert whole[-1] == last
