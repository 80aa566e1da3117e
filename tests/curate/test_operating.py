"""Is the server well?"""

from __future__ import annotations

from fastapi.testclient import TestClient

from relhash.curate.application import ServerSettings, create_application


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
    app = create_application(teaching.model, curation, ServerSettings(token="a" * 20))
    with TestClient(app, base_url="http://localhost") as client:
        assert client.get("/health").status_code == 200
        assert client.get("/metrics").status_code == 401


def test_health_tells_that_nothing_can_be_saved(client, curation, monkeypatch):
    """On a full disk all was said to be well: the database could still be read."""
    import sqlalchemy as sa

    assert client.get("/health").status_code == 200
    sa.event.listen(curation.store._engine, "begin", lambda one: one.execute(sa.text("PRAGMA query_only=1")))
    reply = client.get("/health")
    assert reply.status_code == 503
    assert "takes no answers" in reply.json()["status"]
