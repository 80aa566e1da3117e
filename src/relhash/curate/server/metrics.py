"""Figures for those who watch a server, in the text format of Prometheus."""

from __future__ import annotations

import threading
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds at which the histogram of requests is cut."""


class Metrics:
    """Counts requests by route and status, and how long they took.

    >>> metrics = Metrics({"relhash_candidates": ("Candidates of the text.", lambda: 7)})
    >>> metrics.count("/api/queue", 200, 0.02)
    >>> print(metrics.text().splitlines()[2])
    relhash_requests_total{route="/api/queue",status="200"} 1
    """

    def __init__(self, gauges: dict[str, tuple[str, Callable[[], float]]] | None = None) -> None:
        self.gauges = gauges or {}
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._buckets: Counter[tuple[str, int]] = Counter()
        self._seconds: Counter[str] = Counter()

    def count(self, route: str, status: int, seconds: float) -> None:
        """One request more."""
        with self._lock:
            self._requests[route, status] += 1
            self._buckets[route, bisect_left(BOUNDS, seconds)] += 1
            self._seconds[route] += seconds  # type: ignore[assignment]

    def text(self) -> str:
        """All figures, as ``GET /metrics`` gives them."""
        with self._lock:
            requests, buckets, seconds = dict(self._requests), dict(self._buckets), dict(self._seconds)
        lines = ["# HELP relhash_requests_total Requests by route and status.", "# TYPE relhash_requests_total counter"]
        for (route, status), count in sorted(requests.items()):
            lines.append(f'relhash_requests_total{{route="{route}",status="{status}"}} {count}')
        lines += ["# HELP relhash_request_seconds How long requests took.", "# TYPE relhash_request_seconds histogram"]
        for route in sorted(seconds):
            total = 0
            for place, bound in enumerate((*map(str, BOUNDS), "+Inf")):
                total += buckets.get((route, place), 0)
                lines.append(f'relhash_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}')
            lines.append(f'relhash_request_seconds_sum{{route="{route}"}} {seconds[route]:.6f}')
            lines.append(f'relhash_request_seconds_count{{route="{route}"}} {total}')
        for name, (told, value) in self.gauges.items():
            lines += [f"# HELP {name} {told}", f"# TYPE {name} gauge", f"{name} {value():g}"]
        return "\n".join(lines) + "\n"


class Watcher:
    """Counts what passes. Routes are named by their pattern, so that nobody can make up names without end."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.perf_counter(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self.metrics.count(str(route), status, time.perf_counter() - start)
