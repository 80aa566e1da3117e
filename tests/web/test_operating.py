from __future__ import annotations

import re

from fastapi.testclient import TestClient

from relhash.web.application import Settings, create_application
from tests.web.gold import answer_by_gold


def test_health(client, curation):
    assert client.get("/health").json()["status"] == "ok"


def test_health_tells_that_the_database_is_gone(client, curation, monkeypatch):
    from sqlalchemy.exc import OperationalError

    def gone():
        raise OperationalError("select", {}, Exception("gone"))

    monkeypatch.setattr(curation.store, "check", gone)
    reply = client.get("/health")
    assert reply.status_code == 503
    assert "database" in reply.json()["status"]


def test_health_needs_no_token_but_figures_do(teaching, curation):
    app = create_application(teaching.model, curation, Settings(token="a" * 20))
    with TestClient(app, base_url="http://localhost") as client:
        assert client.get("/health").status_code == 200
        assert client.get("/metrics").status_code == 401


def test_figures_are_in_the_format_of_prometheus(client, teaching):
    answer_by_gold(client, teaching, 4)
    client.get("/no/such/page/1")
    client.get("/api/questions/nothing")
    text = client.get("/metrics").text
    assert 'relhash_requests_total{route="/api/answers",status="200"} 4' in text
    assert 'relhash_requests_total{route="other",status="404"} 1' in text
    assert "relhash_answers 4" in text
    assert 'relhash_request_seconds_count{route="/api/answers"} 4' in text
    assert "nothing" not in text  # what clients write becomes no label
    line = re.compile(r'(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [-+.e\d]+)')
    assert all(line.fullmatch(one) for one in text.splitlines())
