"""kill -9 in the middle of work: every answer that was acknowledged is there when the server comes back."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

import relhash

HERE = Path(__file__).parents[2]


@pytest.fixture
def server(small_model, fulltext, tmp_path):
    """Starts a server on the same database; gives its process and its address."""
    model, corpus = tmp_path / "model.relhash", tmp_path / "text.jsonl"
    small_model.fitted.save(model)
    relhash.write(fulltext, corpus)
    environment = {**os.environ, "PYTHONPATH": f"{HERE / 'src'}:{HERE}"}
    command = [
        sys.executable,
        "-m",
        "tests.curate.restarting_server",
        str(model),
        str(corpus),
        str(tmp_path / "answers.sqlite"),
    ]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=HERE)
    assert process.stdout.readline() == "ready\n"
    children = []

    def start():
        process.stdin.write("\n")
        process.stdin.flush()
        child, port = map(int, process.stdout.readline().split())
        children.append(child)
        return child, f"http://127.0.0.1:{port}"

    yield start
    for child in children:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    process.stdin.close()
    process.kill()
    process.wait()


def answer_until_it_dies(address, curator, acknowledged):
    try:
        with httpx.Client(base_url=address, headers={"X-RelHash": "1"}, timeout=120) as client:
            asked = client.get("/api/queue", params={"curator": curator}).json()["questions"][0]
            while asked:
                said = "yes" if len(acknowledged) % 3 else "no"
                reply = client.post("/api/answers", json={"key": asked["key"], "answer": said, "curator": curator})
                if reply.status_code == 200:
                    acknowledged[asked["key"], curator] = said
                asked = reply.json()["next"]
    except (httpx.HTTPError, ValueError):
        pass


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_no_acknowledged_answer_is_lost(server, tmp_path, kills):
    acknowledged: dict[tuple[str, str], str] = {}
    for number in range(kills):
        before = len(acknowledged)
        process, address = server()
        people = [
            threading.Thread(target=answer_until_it_dies, args=(address, name, acknowledged)) for name in ("ann", "bob", "cy")
        ]
        for one in people:
            one.start()
        deadline = time.monotonic() + 120
        while len(acknowledged) < before + 3 + number % 5 and time.monotonic() < deadline:
            time.sleep(0.005)
        os.kill(process, signal.SIGKILL)
        for one in people:
            one.join()
        assert len(acknowledged) > before
        with sqlite3.connect(tmp_path / "answers.sqlite") as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            rows = database.execute("SELECT key, curator, answer FROM relhash_answers WHERE undone IS NULL").fetchall()
        kept = {(key, curator): answer for key, curator, answer in rows}
        assert acknowledged.items() <= kept.items()
    _, address = server()
    with httpx.Client(base_url=address, timeout=120) as client:
        progress = client.get("/api/progress").json()
    assert progress["answered"] + progress["skipped"] >= len({key for key, _ in acknowledged})
