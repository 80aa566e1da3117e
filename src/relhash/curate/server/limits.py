"""How much and how fast anybody may ask: size of a body, time to send it, requests per second."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from relhash.curate.messages import PlainJSON

CLIENTS = 4096
"""Addresses whose rates are remembered."""
LONGER = {"/api/import": 32 << 20, "/inception/predict": 32 << 20, "/inception/train": 64 << 20}
"""Addresses that take longer bodies, in bytes."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a client may do.

    Attributes
    ----------
    body
        Bytes of a request.
    bodies
        The same for addresses that take more.
    seconds
        Time for a request to arrive as a whole.
    rate, burst
        Requests per second of one address in the long run, and at once.
    """

    body: int = 1 << 20
    bodies: Mapping[str, int] = field(default_factory=lambda: dict(LONGER))
    seconds: float = 20.0
    rate: float = 200.0
    burst: int = 400

    def body_of(self, path: str) -> int:
        return self.bodies.get(path, self.body)


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
        at_most = self.limits.body_of(scope["path"])
        try:
            async with asyncio.timeout(self.limits.seconds):
                body = await _whole(scope, receive, at_most)
        except _TooLongError:
            said = f"the body is longer than {at_most:,} bytes; send less at a time"
            await PlainJSON({"detail": said}, status_code=413, headers={"Connection": "close"})(scope, receive, send)
            return
        except TimeoutError:
            said = f"the request did not arrive within {self.limits.seconds:g} s"
            await PlainJSON({"detail": said}, status_code=408, headers={"Connection": "close"})(scope, receive, send)
            return
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
