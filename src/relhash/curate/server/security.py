"""What stands between the network and the application: every request passes here first.

==============================  ==================================================================================
against                         what is done
==============================  ==================================================================================
strangers on the network        a token, needed by every address but ``/health``, if the server has one
other pages in the browser      what changes something needs the header ``X-RelHash``, and an ``Origin`` that is ours;
                                what other pages ask for (``Sec-Fetch-Site``) gets nothing but pages
DNS rebinding                   without a token only names of this machine are answered to
text that acts                  a Content-Security-Policy that allows our own files and nothing else
==============================  ==================================================================================

How much and how fast anybody may ask is :mod:`relhash.curate.server.limits`.
"""

from __future__ import annotations

import hmac
import ipaddress
import socket
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from relhash.curate.messages import PlainJSON
from relhash.curate.server.limits import Rates

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

    Parameters
    ----------
    token
        What a request must know; ``None`` if anyone on this machine may ask.
    names
        Further names under which the server may be asked without a token.
    rates
        How often an address may ask: checked first, so that tokens cannot be tried one after the other.
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
            return PlainJSON({"detail": "too many requests; wait a second"}, status_code=429, headers={"Retry-After": "1"})
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
        if kind.lower() == "bearer" and self._is_token(bearer.strip()):
            return None
        if self._is_token(_cookie(headers)):
            return None
        refusal = _no(401, "a token is needed: open the address that the server printed, or send Authorization: Bearer TOKEN")
        refusal.headers["WWW-Authenticate"] = "Bearer"
        return refusal

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
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


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


def _no(status: int, detail: str) -> Response:
    return PlainJSON({"detail": detail}, status_code=status)
