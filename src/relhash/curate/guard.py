"""What stands between the network and the application: every request passes here first.

==============================  ==================================================================================
against                         what is done
==============================  ==================================================================================
strangers on the network        a token, needed by every address but ``/health``, if the server has one
other pages in the browser      what changes something needs the header ``X-RelHash``, and an ``Origin`` that is ours;
                                what other pages ask for (``Sec-Fetch-Site``) gets nothing but pages
DNS rebinding                   without a token only names of this machine are answered to
text that acts                  a Content-Security-Policy that allows our own files and nothing else
too much, too often, too slow   bounds for the size of a body, the time to send it, and requests per second
==============================  ==================================================================================
"""

from __future__ import annotations

import asyncio
import getpass
import hmac
import ipaddress
import os
import secrets
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode, urlsplit

from pydantic import TypeAdapter, ValidationError
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from relhash.curate.messages import CuratorName, PlainJSON
from relhash.errors import ParameterError

CLIENTS = 4096
"""Addresses whose rates are remembered."""
LONGER = {"/api/import": 32 << 20, "/inception/predict": 32 << 20, "/inception/train": 64 << 20}
"""Addresses that take longer bodies, in bytes."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a client may do: bytes of a body (``bodies``: of addresses that take more), seconds for a request to arrive as a
    whole, requests per second of one address in the long run, and at once (``burst``)."""

    body: int = 1 << 20
    bodies: Mapping[str, int] = field(default_factory=lambda: dict(LONGER))
    seconds: float = 20.0
    rate: float = 200.0
    burst: int = 400


class Rates:
    """A bucket per address that fills with time and empties with requests.

    >>> now = [0.0]
    >>> rates = Rates(1, 2, clock=lambda: now[0])
    >>> [rates.passes("a") for _ in range(3)], rates.passes("b")
    ([True, True, False], True)
    >>> now[0] = 1.0
    >>> rates.passes("a"), rates.passes("a")
    (True, False)
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def passes(self, address: str) -> bool:
        """Whether one more request of this address is within the rate; it is counted if so."""
        now = self._clock()
        left, seen = self._left.pop(address, (float(self.burst), now))
        left = min(self.burst, left + (now - seen) * self.rate)
        passes = left >= 1
        self._left[address] = (left - passes, now)
        if len(self._left) > CLIENTS:
            self._left.popitem(last=False)
        return passes


class _TooLongError(Exception):
    """The body is longer than it may be."""


class BodyLimit:
    """Refuses bodies that are too long or come too slowly; the application behind it sees whole requests only."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app, self.limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        at_most = self.limits.bodies.get(scope["path"], self.limits.body)
        try:
            async with asyncio.timeout(self.limits.seconds):
                body = await _whole(scope, receive, at_most)
        except _TooLongError:
            await _no(413, f"the body is longer than {at_most:,} bytes; send less at a time", Connection="close")(
                scope, receive, send
            )
        except TimeoutError:
            said = f"the request did not arrive within {self.limits.seconds:g} s"
            await _no(408, said, Connection="close")(scope, receive, send)
        else:
            if body is not None:
                await self.app(scope, _replay(body, receive), send)


async def _whole(scope: Scope, receive: Receive, at_most: int) -> bytes | None:
    """The body, once it is there; ``None`` if the client went away."""
    announced = Headers(scope=scope).get("content-length", "0")
    if not announced.isdecimal() or int(announced) > at_most:
        raise _TooLongError
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > at_most:
            raise _TooLongError
        if not message.get("more_body", False):
            return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A channel that gives the body that was read, then what the client does later."""
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


COOKIE = "relhash_token"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""Headers of every response."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_CHANGES_NOTHING = frozenset({"/api/predict", "/api/check", "/inception/predict", "/inception/train"})
_ANY_BODY = frozenset({"/api/import"})
_WITHOUT_TOKEN = frozenset({"/health"})


class Guard:
    """Lets through what may pass, and puts headers on all that comes back.

    ``token`` is what a request must know (``None``: anyone on this machine may ask), ``names`` are further names under which
    the server may be asked without one. ``rates`` are checked first, so that tokens cannot be tried one after the other.
    """

    def __init__(self, app: ASGIApp, *, rates: Rates, token: str | None = None, names: Iterable[str] = ()) -> None:
        self.app, self.token, self.rates = app, token, rates
        self.names = {"localhost", socket.gethostname().lower(), *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-cache" if scope["path"].startswith("/static/") else "no-store")
            await send(message)

        answer = self._refusal(scope) or self.app
        await answer(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        """What is answered in the place of the application."""
        if not self.rates.passes((scope.get("client") or [""])[0]):
            return _no(429, "too many requests; wait a second", **{"Retry-After": "1"})
        headers = Headers(scope=scope)
        host = _name_of(headers.get("host", ""))
        if self.token is None and not (host in self.names or _is_address(host)):
            return _no(421, f"this server is not called {host!r}; open it as localhost, or start it with --token")
        needs_token = self.token is not None and scope["path"] not in _WITHOUT_TOKEN
        return (self._without_token(scope, headers) if needs_token else None) or _foreign(scope, headers)

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["path"] == "/" and scope["method"] == "GET" and "token" in query:
            if not self._is_token(query.pop("token")[0]):
                return _no(401, "this is not the token; open the address that the server printed when it started")
            place = "/" + (f"?{urlencode(query, doseq=True)}" if query else "")
            # out of the address, so that it stays in no history and no picture of the screen
            said = f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"
            return Response(status_code=303, headers={"Location": place, "Set-Cookie": said})
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        if (kind.lower() == "bearer" and self._is_token(bearer.strip())) or self._is_token(_cookie(headers)):
            return None
        said = "a token is needed: open the address that the server printed, or send Authorization: Bearer TOKEN"
        return _no(401, said, **{"WWW-Authenticate": "Bearer"})

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), (self.token or "").encode())


def _foreign(scope: Scope, headers: Headers) -> Response | None:
    """A refusal of what another page asks the browser to do."""
    is_safe, path = scope["method"] in _SAFE, scope["path"]
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none") and (
        not is_safe or path.startswith("/api/")
    ):
        return _no(403, "another page asked for this; open the page of this server")
    if is_safe:
        return None
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower():
        return _no(403, f"a page of {origin[:100]} may change nothing here")
    if path not in _CHANGES_NOTHING and headers.get("x-relhash") != "1":
        return _no(403, "send the header X-RelHash: 1 with what changes something")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and path not in _ANY_BODY and scope["method"] != "DELETE":
        return _no(415, "send the header Content-Type: application/json")
    return None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server there.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _name_of(host: str) -> str:
    """The host of a Host header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(host: str) -> bool:
    """Numbers cannot be made to point elsewhere, as names of an attacker can."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _no(status: int, detail: str, **headers: str) -> Response:
    return PlainJSON({"detail": detail}, status_code=status, headers=headers)


TOKEN_VARIABLE = "RELHASH_TOKEN"
"""A token that is given rather than made; in the environment, because what stands on a command line others can read."""
SHORTEST = 16


def curator_name(given: str | None) -> str:
    """A name for answers: the one that was given, or the login name."""
    try:
        name = given or getpass.getuser()
    except (KeyError, OSError):  # a container may know no user
        name = "curator"
    try:
        return str(TypeAdapter(CuratorName).validate_python(name))
    except ValidationError:
        raise ParameterError(f"--curator: {name!r} is no name; give 1 to 80 characters that can be seen") from None


def token_for(host: str, *, wanted: bool) -> str | None:
    """The token of the server: needed if it can be reached from elsewhere, new each time unless the environment has one."""
    given = os.environ.get(TOKEN_VARIABLE, "")
    if given and (len(given) < SHORTEST or not given.isascii() or not given.replace("-", "").replace("_", "").isalnum()):
        raise ParameterError(f"{TOKEN_VARIABLE}: at least {SHORTEST} letters, digits, - or _ are needed")
    if given:
        return given
    return secrets.token_urlsafe(24) if wanted or not is_loopback(host) else None
