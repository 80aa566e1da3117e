"""What a client asks of the server."""

from __future__ import annotations

from urllib.parse import quote


def get(client, *parts, **more):
    reply = client.get("/api/" + "/".join(quote(part, safe="") for part in parts), params=more)
    assert reply.status_code == 200, reply.text
    return reply.json()


def ask(client, **more):
    return client.get("/api/queue", params=more).json()["questions"]
