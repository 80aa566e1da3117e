"""A question is lent to one person at a time."""

from __future__ import annotations

from fastapi.testclient import TestClient

from relhash.curate.application import ServerSettings, create_application
from tests.curate.asked import ask
from tests.curate.conftest import CHANGING
from tests.curate.gold import answer


def test_nobody_is_asked_what_somebody_else_is_asked(client):
    asked = [ask(client, curator=name, n=5) for name in ("ann", "bob", "cy")]
    keys = [one["key"] for own in asked for one in own]
    assert len(set(keys)) == 15
    # who asks again gets the same, as long as the model has learned nothing
    assert [one["key"] for one in ask(client, curator="bob", n=5)] == keys[5:10]


def test_what_is_held_does_not_come_again(client):
    first, second = ask(client, n=2)
    reply = answer(client, first["key"], "no", holding=[second["key"]])
    assert reply["next"]["key"] not in (first["key"], second["key"])
    [other] = ask(client, curator="bob")
    assert other["key"] not in (second["key"], reply["next"]["key"])


def test_a_lease_ends(teaching, open_curation):
    app = create_application(teaching.model, open_curation(), ServerSettings(lease_seconds=0.0))
    with TestClient(app, base_url="http://localhost", headers=CHANGING) as client:
        first, second = (ask(client, curator=name)[0]["key"] for name in ("ann", "bob"))
    assert first == second
