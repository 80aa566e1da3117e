"""A dependency path as a drawing."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from relhash.candidates.evidence import Station
from relhash.show.sentence_drawing import draw_path


@pytest.mark.parametrize("kinds", [("up", "down"), ("down",), ("up",), ("up", "up", "down", "down", "down")])
def test_arcs_lead_from_governors_to_dependents(kinds):
    stations = [Station("first", "participant")]
    for number, kind in enumerate(kinds):
        stations += [Station(f"a long label {number}", kind), Station(f"Word{number}", "word")]
    drawing = draw_path(stations)
    boxes = [(float(x), float(x) + float(w)) for x, w in re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', drawing)]
    assert all(before[1] < after[0] for before, after in pairwise(boxes)), "no box lies on another"
    arcs = re.findall(r'<path d="M([\d.]+),[^"]* ([\d.]+),[\d.]+"/>.*?<text class="small" x="([\d.]+)"[^>]*>([^<]*)<', drawing)
    arcs.sort(key=lambda arc: arc[3])
    for number, kind in enumerate(kinds):
        start, end, middle, label = arcs[number]
        assert label == f"a long label {number}"
        assert (float(start) > float(end)) == (kind == "up")
        assert boxes[number][0] < float(middle) < boxes[number + 1][1]
