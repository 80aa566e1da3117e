"""Slow and broken clients, on a real socket."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import ExitStack, suppress

import pytest
import uvicorn

from relhash.curate import serving
from relhash.curate.serving import ServingError, address_of, listen


@pytest.fixture
def address(monkeypatch):
    """A server that says yes to everything, and is patient: a busy machine may take long to send the head of a request."""
    monkeypatch.setattr(serving, "HEADER_SECONDS", 600)

    async def app(scope, receive, send):
        if scope["type"] == "lifespan":
            while True:
                message = await receive()
                await send({"type": f"{message['type']}.complete"})
                if message["type"] == "lifespan.shutdown":
                    return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"3")]})
        await send({"type": "http.response.body", "body": b"yes"})

    servers = []
    own = uvicorn.Server

    def remembered(config):
        servers.append(own(config))
        return servers[-1]

    monkeypatch.setattr(uvicorn, "Server", remembered)
    listening = listen("127.0.0.1", 0)
    place = listening.getsockname()
    thread = threading.Thread(target=serving.run, args=(app, listening), daemon=True)
    thread.start()
    deadline = time.monotonic() + 120
    while not (servers and servers[0].started) and time.monotonic() < deadline:
        time.sleep(0.01)
    yield place
    servers[0].should_exit = True
    thread.join(120)


@pytest.fixture
def hurry(monkeypatch):
    """From now on the server waits for the head of a request a moment only."""
    return lambda: monkeypatch.setattr(serving, "HEADER_SECONDS", 0.3)


def received(client, seconds=120.0):
    """All that the server sends until it closes the connection; an error if it does not."""
    client.settimeout(seconds)
    found = b""
    while piece := client.recv(4096):
        found += piece
    return found


REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_a_whole_request_is_answered(address):
    with socket.create_connection(address) as client:
        client.sendall(REQUEST)
        client.settimeout(120)
        assert client.recv(4096).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("start", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: loc"])
def test_a_head_that_does_not_come_is_not_waited_for(address, hurry, start):
    hurry()
    with socket.create_connection(address) as client:
        client.sendall(start)
        assert received(client) == b""


def test_nor_is_that_of_a_second_request(address, hurry):
    with socket.create_connection(address) as client:
        client.sendall(REQUEST)
        client.settimeout(120)
        found = b""
        while not found.endswith(b"yes"):
            found += client.recv(4096)
        hurry()
        client.sendall(b"GET / HTTP/1.1\r\nHo")
        assert received(client) == b""


def test_unfinished_heads_lock_nobody_out(address, monkeypatch):
    """Two hundred of them did, for ten seconds."""
    monkeypatch.setattr(serving, "HEADLESS", 3)
    with ExitStack() as opened:
        waiting = [opened.enter_context(socket.create_connection(address)) for _ in range(5)]
        assert [received(client) for client in waiting[:2]] == [b"", b""]  # those that have waited longest
        test_a_whole_request_is_answered(address)


def test_250_clients_at_once_are_answered(address):
    """Between 3 and 68 were."""
    with ExitStack() as opened:
        clients = [opened.enter_context(socket.create_connection(address)) for _ in range(250)]
        for client in clients:
            client.sendall(REQUEST)
            client.settimeout(120)
        assert {client.recv(4096)[:12] for client in clients} == {b"HTTP/1.1 200"}


def test_what_is_no_http_and_heads_without_end(address):
    for sent in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 3 + b"\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + b"a" * 200_000):
        # it may close the connection while we are still sending
        with socket.create_connection(address) as client, suppress(ConnectionError):
            client.sendall(sent)
            assert b"200" not in received(client)
    test_a_whole_request_is_answered(address)


def test_addresses_for_people():
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        assert address_of(listening, "127.0.0.1") == f"http://127.0.0.1:{port}/"
        assert address_of(listening, "::1", "abc") == f"http://[::1]:{port}/?token=abc"
        assert address_of(listening, "0.0.0.0") == f"http://{socket.gethostname()}:{port}/"
        with pytest.raises(ServingError, match="something else listens"):
            listen("127.0.0.1", port)
