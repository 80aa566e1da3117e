"""A dependency path as a drawing."""

from __future__ import annotations

import re

import pytest

from relhash.candidates.evidence import Station
from relhash.show.drawings import draw_path


@pytest.mark.parametrize("kinds", [("up", "down"), ("down",), ("up",), ("up", "up", "down", "down", "down")])
def test_governors_stand_higher_and_arrows_point_at_dependents(kinds):
    stations = [Station("first", "participant")]
    for number, kind in enumerate(kinds):
        stations += [Station(f"edge{number}", kind), Station(f"Word{number}", "word")]
    drawing = draw_path(stations)
    tops = [float(y) for y in re.findall(r'<rect x="[\d.]+" y="([\d.]+)"', drawing)]
    lefts = [float(x) for x in re.findall(r'<rect x="([\d.]+)"', drawing)]
    assert lefts == sorted(lefts)
    arrows = re.findall(r'<g class="edge"><path d="M([\d.]+),[^"]* ([\d.]+),[\d.]+"/>', drawing)
    for kind, before, after, (start, end) in zip(kinds, tops[:-1], tops[1:], arrows, strict=True):
        assert (after < before) == (kind == "up")
        assert (float(start) > float(end)) == (kind == "up")
