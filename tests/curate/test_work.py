"""Work beside the server: in turn, with a deadline, ended when the client leaves, never longer than a reply may be."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from relhash.curate.work import BusyError, InProcesses, InThreads, Turns
from relhash.errors import RelHashError


def load() -> Any:
    return "model"


def hello(model: Any, name: str) -> Iterator[bytes]:
    yield json.dumps([model, name]).encode()


def load_and_say() -> Any:
    with open(os.environ["RELHASH_LOADED"], "a", encoding="utf-8") as said:
        said.write("loaded ")
    return "model"


def refused(model: Any) -> Iterator[bytes]:
    raise RelHashError("not with this model")


def left_alone(model: Any) -> Iterator[bytes]:
    yield json.dumps(gc.get_freeze_count()).encode()


def forever(model: Any, begun: str) -> Iterator[bytes]:
    Path(begun).touch()
    while True:
        time.sleep(0.01)
        yield b""


def busy(model: Any, begun: str) -> Iterator[bytes]:
    Path(begun).touch()
    while True:
        sum(range(1000))
        yield b""


def long(model: Any, size: int) -> Iterator[bytes]:
    yield from (b"x" * 100 for _ in range(size))


SHARED = """
from tests.curate.test_work import hello, load_and_say
from relhash.curate.work import InProcesses
work = InProcesses(load_and_say, 2, seconds=300)
work.warm_up(hello, "ann")
work.close()
"""


def test_a_model_is_loaded_once_for_all_processes(tmp_path):
    """In a program of its own: the process that others are forked from is there once."""
    said = tmp_path / "said"
    subprocess.run([sys.executable, "-c", SHARED], check=True, env={**os.environ, "RELHASH_LOADED": str(said)})
    assert said.read_text() == "loaded "


class Asked:
    """As much of a request as work looks at."""

    def __init__(self, leaves: asyncio.Event | None = None, host: str = "1.2.3.4", size: int = 10) -> None:
        self.leaves, self.headers = leaves or asyncio.Event(), {"content-length": str(size)}
        self.client = type("Client", (), {"host": host})

    async def receive(self) -> dict[str, str]:
        await self.leaves.wait()
        return {"type": "http.disconnect"}


@pytest.fixture(scope="module")
def processes() -> Iterator[InProcesses]:
    work = InProcesses(load, 1, seconds=300, reply=1000)
    yield work
    work.close()


def ask(work: Any, *args: Any) -> Any:
    return asyncio.run(work(Asked(), *args))


def test_a_function_gets_the_model_of_the_process(processes):
    reply = ask(processes, hello, "ann")
    assert (reply.status_code, json.loads(reply.body)) == (200, ["model", "ann"])


def test_what_a_process_has_loaded_is_left_alone_by_the_collector_of_garbage(processes):
    ask(processes, hello, "ann")
    assert json.loads(ask(processes, left_alone).body) > 10_000


def test_what_a_model_cannot_do_is_said_at_the_start():
    with pytest.raises(RelHashError, match="not with this model"):
        InProcesses(load, 1, seconds=300).warm_up(refused)


def test_a_reply_that_grows_too_long_is_given_up(processes):
    reply = ask(processes, long, 10**5)
    assert reply.status_code == 413
    assert "longer than 1,000 bytes" in json.loads(reply.body)["detail"]
    assert ask(processes, long, 10).status_code == 200


def test_what_takes_too_long_is_ended_and_others_go_on(processes, tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "seconds", 1.0)
    reply = ask(processes, forever, str(tmp_path / "begun"))
    assert (reply.status_code, reply.headers["retry-after"]) == (503, "5")
    monkeypatch.setattr(processes, "seconds", 300)
    assert ask(processes, hello, "bob").status_code == 200


def test_work_ends_when_the_client_leaves(processes, tmp_path):
    """It went on for minutes, and others waited for it."""

    async def leaving() -> int:
        asked = Asked()
        work = asyncio.ensure_future(processes(asked, forever, str(tmp_path / "begun")))
        while not (tmp_path / "begun").exists():
            await asyncio.sleep(0.01)
        asked.leaves.set()
        return (await work).status_code

    assert asyncio.run(leaving()) == 499
    assert ask(processes, hello, "cid").status_code == 200  # there is one process only


@pytest.mark.parametrize(("size", "quick"), [(10, 0.05), (10**6, 300.0)])
def test_a_text_that_takes_long_keeps_nobody_waiting(processes, tmp_path, monkeypatch, size, quick):
    """One client that sends such texts made the others wait five times as long."""
    monkeypatch.setattr(processes, "quick", quick)
    begun = tmp_path / "begun"

    async def both() -> int:
        asked = Asked(size=size)
        work = asyncio.ensure_future(processes(asked, busy, str(begun)))
        while not begun.exists():
            await asyncio.sleep(0.01)
        monkeypatch.setattr(processes, "quick", 300.0)
        found = (await processes(Asked(), hello, "ann")).status_code  # there is one process beside that of long texts
        assert not work.done()
        asked.leaves.set()
        await work
        return found

    assert asyncio.run(both()) == 200


def test_addresses_take_turns():
    async def order() -> list[str]:
        turns, found = Turns(1), []

        async def one(address: str) -> None:
            async with turns.turn(address):
                found.append(address)
                await asyncio.sleep(0)

        async with turns.turn("first"):
            waiting = [asyncio.ensure_future(one(address)) for address in ("greedy",) * 3 + ("ann", "bob")]
            await asyncio.sleep(0)
            assert len(turns) == 5
        await asyncio.gather(*waiting)
        assert (turns.free, len(turns)) == (1, 0)
        return found

    assert asyncio.run(order()) == ["greedy", "ann", "bob", "greedy", "greedy"]


def test_who_waits_may_leave_and_too_many_may_not_come():
    async def run() -> None:
        turns = Turns(1, waiting=1)
        async with turns.turn("a"):
            waiting = asyncio.ensure_future(turns.turn("b").__aenter__())
            await asyncio.sleep(0)
            with pytest.raises(BusyError):
                await turns.turn("c").__aenter__()
            waiting.cancel()
            await asyncio.sleep(0)
            assert len(turns) == 0
        assert turns.free == 1

    asyncio.run(run())


def test_a_place_is_not_given_to_who_has_just_left():
    async def run() -> None:
        turns = Turns(1)
        async with turns.turn("a"):
            leaving, staying = (asyncio.ensure_future(turns.turn(name).__aenter__()) for name in ("b", "c"))
            await asyncio.sleep(0)
            leaving.cancel()
        await staying
        assert (turns.free, len(turns), leaving.cancelled() or leaving.cancelling()) == (0, 0, 1)

    asyncio.run(run())


def test_threads_use_the_model_of_the_moment():
    models = ["one"]
    work = InThreads(lambda: models[-1], 1)
    models.append("two")
    assert json.loads(ask(work, hello, "ann").body) == ["two", "ann"]
    work.close()
