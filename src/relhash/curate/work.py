"""Predictions beside the server: a bounded number at a time, each with a deadline, ended when the client leaves.

``relhash serve`` works in processes (:class:`InProcesses`): what takes too long ends with its process, and the others go on.
On the page of ``relhash curate``, whose model changes with each answer, it works in threads (:class:`InThreads`). Who waits is
served in turn, one request per address, so that one that sends a thousand texts delays the others by one text. A text that is
long, or that a process has not done within some seconds, is worked on from the beginning in a single further process that gives
way to the others, so that no text keeps others waiting.
"""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import signal
import warnings
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from multiprocessing import get_context
from typing import Any

from fastapi import Request
from fastapi.responses import Response
from pebble import ProcessExpired, ProcessPool

from relhash.curate.messages import PlainJSON, as_json
from relhash.curate.ready import model_of, prepare
from relhash.errors import RelHashError
from relhash.model.fitted import FittedModel
from relhash.processes import end_with_parent, settle_once

SECONDS = 60.0
"""How long a request may wait and be worked on."""
WAITING = 1000
"""Requests that may wait."""
REPLY = 8 << 20
"""Bytes of a reply."""
QUICK = 5.0
"""Seconds of processor time after which a text is one that takes long. Ordinary text of some 100 KB is read in that time."""
LONG = 100_000
"""Bytes of a request that takes long, as is known before."""
NICE = 15
"""How far the process of such texts gives way."""

Function = Callable[..., Iterable[bytes]]
"""What is done with a model and further arguments: the pieces of a reply in JSON."""


class BusyError(Exception):
    """Too many wait already."""


class Turns:
    """A bounded number of ``places``, given to those who wait address by address; one more than ``waiting`` is a
    :class:`BusyError`."""

    def __init__(self, places: int, waiting: int = WAITING) -> None:
        self.free, self.at_most = places, waiting
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for a place, and hold it in the block."""
        if self.free:
            self.free -= 1
        else:
            await self._wait(address)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, address: str) -> None:
        if len(self) >= self.at_most:
            raise BusyError
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(called)
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._pass_on()  # called and gone at once
            elif address in self._waiting:
                with suppress(ValueError):
                    self._waiting[address].remove(called)
                if not self._waiting[address]:
                    del self._waiting[address]
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            address, own = next(iter(self._waiting.items()))
            called = own.popleft()
            del self._waiting[address]
            if own:
                self._waiting[address] = own  # behind all others
            if not called.done():  # else it has left and does not know it yet
                called.set_result(None)
                return
        self.free += 1


class Work(ABC):
    """Runs functions of a model for requests."""

    def __init__(self, places: int, seconds: float = SECONDS, reply: int = REPLY) -> None:
        self.places, self.seconds, self.reply = places, seconds, reply
        self.turns, self.long_turns = Turns(places), Turns(1)
        self.quick: float | None = None
        """Processor time after which a text takes long; ``None``: there is one place for all."""

    @abstractmethod
    def submit(self, function: Function, args: tuple[Any, ...], *, is_long: bool = False) -> Future[tuple[int, bytes]]:
        """Begin the work; cancelling the future ends it, where that can be done."""

    def problem(self) -> str:
        """Why nothing can be done; empty if all is well."""
        return ""

    @abstractmethod
    def close(self) -> None:
        """End all work."""

    async def __call__(self, request: Request, function: Function, *args: Any) -> Response:
        """The reply that the function makes of the model and ``args``, or why there is none."""
        address = request.client.host if request.client else ""
        is_long = int(request.headers.get("content-length", 0)) > LONG
        work = asyncio.ensure_future(self._in_turn(address, function, args, is_long=is_long))
        left = asyncio.ensure_future(_left(request))
        try:
            async with asyncio.timeout(self.seconds):
                await asyncio.wait({work, left}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                return Response(status_code=499)  # the client is gone
            status, content = work.result()
            return Response(content, status, media_type="application/json")
        except TimeoutError:
            return _later(f"not done within {self.seconds:g} s; send less text at a time, or try again", 5)
        except BusyError:
            return _later("too many requests are waiting; try again in a while", 5)
        except ProcessExpired:
            return _later("the process that worked on this text was ended, perhaps for want of memory; send less text", 1)
        finally:
            work.cancel()
            left.cancel()

    async def _in_turn(self, address: str, function: Function, args: tuple[Any, ...], *, is_long: bool) -> tuple[int, bytes]:
        if self.quick is None or not is_long:
            async with self.turns.turn(address):
                status, content = await asyncio.wrap_future(self.submit(function, args))
            if status != TAKES_LONG:
                return status, content
        async with self.long_turns.turn(address):
            return await asyncio.wrap_future(self.submit(function, args, is_long=True))


class InThreads(Work):
    """In threads of this process, with the model of the moment."""

    def __init__(self, model: Callable[[], FittedModel], places: int, seconds: float = SECONDS, reply: int = REPLY) -> None:
        super().__init__(places, seconds, reply)
        self._model, self._pool = model, ThreadPoolExecutor(places, thread_name_prefix="predict")

    def submit(self, function: Function, args: tuple[Any, ...], *, is_long: bool = False) -> Future[tuple[int, bytes]]:
        return self._pool.submit(_reply, function, self._model(), args, self.reply)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


class InProcesses(Work):
    """In processes: work that takes too long, or whose client has left, ends with its process."""

    def __init__(
        self, load: Callable[[], FittedModel], places: int | None = None, seconds: float = SECONDS, reply: int = REPLY
    ) -> None:
        super().__init__(places or len(os.sched_getaffinity(0)), seconds, reply)
        context: Any = get_context("forkserver")
        context.set_forkserver_preload(["relhash.curate.preloaded"])
        self.quick, self._load = QUICK, pickle.dumps(load)
        pools: list[Any] = [
            ProcessPool(number, initializer=_begin, initargs=(self._load, nice), context=context)
            for number, nice in ((self.places, 0), (1, NICE))
        ]
        self._pool, self._long_pool = pools  # processes begin with the first text

    def submit(self, function: Function, args: tuple[Any, ...], *, is_long: bool = False) -> Future[tuple[int, bytes]]:
        pool, quick = (self._long_pool, None) if is_long else (self._pool, self.quick)
        begun: Future[tuple[int, bytes]] = pool.schedule(_in_worker, (function, args, self.reply, quick), timeout=self.seconds)
        return begun

    def warm_up(self, function: Function, *args: Any) -> None:
        """Have the model loaded and do something with it in each process, so that the first clients need not wait.

        Raises
        ------
        RelHashError
            If the model cannot do it.
        """
        prepare(self._load, pickle.dumps((function, args)))
        for future in [self.submit(function, args) for _ in range(self.places)]:
            status, content = future.result()
            if status != 200:
                self.close()
                raise RelHashError(json.loads(content)["detail"])

    def problem(self) -> str:
        are_there = self._pool.active and self._long_pool.active
        return "" if are_there else "the processes that predict are gone; start relhash serve again"

    def close(self) -> None:
        for pool in (self._pool, self._long_pool):
            pool.stop()
            pool.join()


_loaded: list[FittedModel] = []
"""In a worker: its model."""


def _begin(load: bytes, nice: int) -> None:
    end_with_parent()
    os.nice(nice)
    warnings.simplefilter("ignore")  # what is odd about the text of others is no news of ours, and would fill a log
    _loaded[:] = [model_of(load)]


TAKES_LONG = 0
"""In the place of a status: begin again where such texts are worked on."""


class _TakesLongError(BaseException):
    """Raised by a signal; no ``except Exception`` on the way stops it."""


def _give_up(*_: object) -> None:
    raise _TakesLongError


def _in_worker(function: Function, args: tuple[Any, ...], at_most: int, quick: float | None) -> tuple[int, bytes]:
    """The reply, unless it takes more processor time than ``quick``: a busy machine makes no text a long one."""
    signal.signal(signal.SIGVTALRM, _give_up)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, quick or 0)
        found = _reply(function, _loaded[0], args, at_most)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except _TakesLongError:
        return TAKES_LONG, b""
    settle_once()
    return found


def _reply(function: Function, model: FittedModel, args: tuple[Any, ...], at_most: int) -> tuple[int, bytes]:
    """Status and body, which is given up as soon as it is too long."""
    content = bytearray()
    try:
        for piece in function(model, *args):
            content += piece
            if len(content) > at_most:
                said = f"the reply would be longer than {at_most:,} bytes"
                return 413, as_json({"detail": f"{said}; send less text at a time, or do not ask for all_candidates"})
    except RelHashError as error:
        return 422, as_json({"detail": str(error)})
    return 200, bytes(content)


async def _left(request: Request) -> None:
    """Until the client goes away."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _later(detail: str, seconds: int) -> Response:
    return PlainJSON({"detail": detail}, status_code=503, headers={"Retry-After": str(seconds)})
