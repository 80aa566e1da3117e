"""Strangers, other pages, and names that point elsewhere."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from relhash.curate.application import ServerSettings, create_application
from relhash.curate.guard import COOKIE, HEADERS
from tests.curate.conftest import CHANGING

TOKEN = "a-token-that-nobody-guesses"


@pytest.fixture
def guarded(teaching, curation):
    app = create_application(teaching.model, curation, ServerSettings(token=TOKEN))
    with TestClient(app, base_url="http://somewhere.example", headers=CHANGING) as client:
        yield client


def skip(client, **headers):
    key = client.get("/api/queue").json()["questions"][0]["key"]
    return client.post("/api/answers", json={"key": key, "answer": "skip", "curator": "a"}, headers=headers)


@pytest.mark.parametrize("address", ["/", "/api/queue", "/static/nothing.css", "/no/such/page", "/api/queue?n=x"])
def test_every_response_has_the_headers(client, address):
    found = client.get(address).headers
    for name, value in HEADERS.items():
        assert found[name] == value
    assert "unsafe" not in found["content-security-policy"]
    assert "server" not in found


def test_no_page_runs_or_styles_anything_of_its_own(client):
    page = client.get("/").text.lower()
    assert "<style" not in page
    assert " style=" not in page
    assert " onclick=" not in page


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "", "localhost.evil.example", "127.0.0.1.evil.example"])
def test_names_that_are_not_ours_are_refused(client, host):
    assert client.get("/api/progress", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:1234", "127.0.0.1:80", "[::1]:8000", "LOCALHOST"])
def test_names_of_this_machine(client, host):
    assert client.get("/api/progress", headers={"Host": host}).status_code == 200


def test_what_changes_something_needs_our_header(client):
    assert skip(client, **{"X-RelHash": ""}).status_code == 403
    assert client.delete("/api/answers/last", headers={"X-RelHash": "0"}).status_code == 403
    assert skip(client).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:9999", "https://localhost.evil.example"])
def test_other_origins_change_nothing(client, origin):
    assert skip(client, Origin=origin).status_code == 403


def test_our_own_origin_may(client):
    assert skip(client, Origin="http://localhost").status_code == 200


def test_forms_of_other_pages_are_no_json(client):
    body = b'{"key": "k", "answer": "yes", "curator": "a"}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        assert client.post("/api/answers", content=body, headers={"Content-Type": kind}).status_code == 415


def test_a_browser_that_says_who_asks_is_believed(client):
    assert client.get("/api/queue", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert client.get("/api/queue", headers={"Sec-Fetch-Site": "same-site"}).status_code == 403
    assert client.get("/api/queue", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200
    assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200  # a link to the page


def test_a_token_opens_the_door_once_and_leaves_the_address(guarded):
    assert guarded.get("/").status_code == 401
    assert guarded.get("/api/queue").status_code == 401
    assert guarded.get("/static/curate.js").status_code == 401
    assert guarded.get("/", params={"token": "wrong"}).status_code == 401
    opened = guarded.get("/", params={"token": TOKEN, "order": "pair"}, follow_redirects=False)
    assert opened.status_code == 303
    assert opened.headers["location"] == "/?order=pair"
    cookie = opened.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}={TOKEN};")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert guarded.get("/").status_code == 200
    assert skip(guarded).status_code == 200


def test_programs_bring_the_token_themselves(guarded):
    assert guarded.get("/api/progress", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert guarded.get("/api/progress", headers={"Authorization": "Bearer nonsense"}).status_code == 401
    assert guarded.get("/api/progress", headers={"Authorization": f"Basic {TOKEN}"}).status_code == 401
    assert guarded.get("/api/progress", headers={"Cookie": "["}).status_code == 401
    assert guarded.get("/api/progress", params={"token": TOKEN}).status_code == 401  # only the page takes it from the address


def test_no_name_from_a_client_opens_a_file(client):
    for name in ("../templates/curate.html", "..%2f..%2fstore.py", "%2e%2e/store.py", "/etc/passwd", "store.py", ".gitkeep"):
        assert client.get(f"/static/{name}").status_code == 404
    for name in ("../../etc/passwd", "%2fetc%2fpasswd", "..%2f..%2f"):
        assert client.get(f"/documents/{name}").status_code == 404
