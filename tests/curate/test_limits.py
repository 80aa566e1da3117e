from __future__ import annotations

import asyncio

import pytest
from fastapi.testclient import TestClient

from relhash.curate.application import ServerSettings, create_application
from relhash.curate.guard import BodyLimit, Limits, Rates
from tests.curate.conftest import CHANGING


def opened(teaching, curation, **limits):
    app = create_application(teaching.model, curation, ServerSettings(limits=Limits(**limits)))
    return TestClient(app, base_url="http://localhost", headers=CHANGING)


def test_a_body_that_is_too_long_is_refused(teaching, curation):
    with opened(teaching, curation, body=1000) as client:
        reply = client.post("/api/answers", json={"key": "x" * 1000, "answer": "yes", "curator": "a"})
        assert reply.status_code == 413
        assert "1,000 bytes" in reply.json()["detail"]

        def pieces():
            for _ in range(20):
                yield b" " * 100

        # without a length it is counted as it comes
        reply = client.post("/api/answers", content=pieces(), headers={"Content-Type": "application/json"})
        assert reply.status_code == 413


def test_who_asks_too_often_has_to_wait(teaching, curation):
    with opened(teaching, curation, rate=0.001, burst=5) as client:
        found = [client.get("/api/progress").status_code for _ in range(7)]
        assert found == [200] * 5 + [429] * 2
        assert client.get("/api/progress").headers["retry-after"] == "1"
        assert "x-frame-options" in client.get("/api/progress").headers


def test_tokens_are_not_guessed_at_any_rate(teaching, curation):
    """The rate was counted behind the check of the token, so that guesses were free."""
    token = "a-token-of-sixteen-letters"
    app = create_application(teaching.model, curation, ServerSettings(token=token, limits=Limits(rate=0.001, burst=5)))
    with TestClient(app, base_url="http://localhost") as client:
        guesses = [client.get("/api/progress", headers={"Authorization": f"Bearer {n:032}"}).status_code for n in range(7)]
        assert guesses == [401] * 5 + [429] * 2
        assert client.get("/api/progress", headers={"Authorization": f"Bearer {token}"}).status_code == 429


@pytest.mark.parametrize("length", ["-1", "x", "1e3", "99999999999999999999"])
def test_lengths_that_are_none(client, length):
    assert client.post("/api/answers", headers={"Content-Length": length}).status_code in (400, 413, 415, 422)


def test_a_body_that_does_not_come_is_not_waited_for():
    async def never(*_):
        raise AssertionError("the application must not see half a request")

    async def receive():
        await asyncio.sleep(600)

    sent = []

    async def send(message):
        sent.append(message)

    limiter = BodyLimit(never, Limits(seconds=0.05))
    scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"content-length", b"5")], "client": ("1.2.3.4", 5)}
    asyncio.run(asyncio.wait_for(limiter(scope, receive, send), 300))
    assert sent[0]["status"] == 408


def test_who_was_silent_for_long_may_not_ask_more_at_once():
    now = [0.0]
    rates = Rates(1, 3, clock=lambda: now[0])
    assert [rates.passes("a") for _ in range(4)] == [True, True, True, False]
    now[0] = 1000.0
    assert [rates.passes("a") for _ in range(4)] == [True, True, True, False]
