"""Every page is there."""

from __future__ import annotations


def test_pages(client, teaching):
    for page in ("/", "/documents", f"/documents/{teaching.candidates[0].document.id}", "/pairs", "/api"):
        reply = client.get(page)
        assert reply.status_code == 200, page
        assert reply.headers["content-type"].startswith("text/html")
    assert client.get("/documents/nothing").status_code == 404
    assert client.get("/api/openapi.json").json()["paths"]["/api/answers"]
