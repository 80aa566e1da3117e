"""Running the application: a socket of our own, so that the port is known before the first request, and uvicorn."""

from __future__ import annotations

import asyncio
import errno
import logging
import resource
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from relhash.errors import RelHashError

HEADER_SECONDS = 10.0
"""How long the head of a request may take to arrive."""
CONNECTIONS = 2000
HEADLESS = 500
"""Connections that may wait for the head of a request; of more, the one that has waited longest is closed."""
HEADER_BYTES = 16 << 10


class ServingError(RelHashError):
    """A port or address that cannot be had."""


class PatientProtocol(H11Protocol):
    """HTTP/1.1 that closes a connection whose request head does not arrive: uvicorn itself would wait forever."""

    _waiting: asyncio.TimerHandle | None = None
    _headless: ClassVar[dict[PatientProtocol, None]] = {}

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _watch(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._stop()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(HEADER_SECONDS, self._give_up)
            self._headless[self] = None
            if len(self._headless) > HEADLESS:
                next(iter(self._headless))._give_up()

    def _give_up(self) -> None:
        self._stop()
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.transport.close()

    def _stop(self) -> None:
        self._headless.pop(self, None)
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes any that is free."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ServingError(f"--host {host}: {error.strerror or error}; give an address of this machine") from error
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(1024)
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            raise ServingError(f"--port {port}: something else listens there; give another, or 0 for any") from error
        if error.errno == errno.EACCES:
            raise ServingError(f"--port {port}: not allowed; give one above 1023") from error
        raise ServingError(f"--host {host}: {error.strerror or error}; give an address of this machine") from error
    return found


def address_of(listening: socket.socket, host: str, token: str | None = None) -> str:
    """What a person opens in a browser."""
    port = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    if host in ("0.0.0.0", "::"):
        shown = socket.gethostname()
    return f"http://{shown}:{port}/" + (f"?token={token}" if token else "")


def run(app: Any, listening: socket.socket, *, started: Callable[[], None] = lambda: None, behind_proxy: bool = False) -> None:
    """Serve until it is ended; requests that are under way get a few seconds.

    ``behind_proxy``: a proxy on this machine says in ``X-Forwarded-For`` whom it asks for; turns and rates are theirs.
    """
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # broken requests of others are not our news
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=behind_proxy,
        forwarded_allow_ips=["127.0.0.1", "::1"],
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
        h11_max_incomplete_event_size=HEADER_BYTES,
    )
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each connection is a file
    server = uvicorn.Server(config)
    started()
    with suppress(KeyboardInterrupt):  # uvicorn has shut down in order, and raises the signal once more
        server.run(sockets=[listening])
