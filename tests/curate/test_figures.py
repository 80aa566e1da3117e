"""Figures for who runs the server."""

from __future__ import annotations

import re

from tests.curate.gold import answer_by_gold


def test_figures_are_in_the_format_of_prometheus(client, teaching):
    answer_by_gold(client, teaching, 4)
    client.get("/no/such/page/1")
    client.get("/api/questions/nothing")
    text = client.get("/metrics").text
    assert 'relhash_requests_total{route="/api/answers",status="200"} 4.0' in text
    assert 'relhash_requests_total{route="other",status="404"} 1.0' in text
    assert "relhash_answers 4.0" in text
    assert 'relhash_request_seconds_count{route="/api/answers"} 4.0' in text
    assert "nothing" not in text  # what clients write becomes no label
    line = re.compile(r'(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [-+.e\d]+)')
    assert all(line.fullmatch(one) for one in text.splitlines())
