"""A cluster of two workers on this machine for the tests of a file, and a model that its workers can read."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dask
import pytest

import relhash
from relhash.corpus import Corpus
from relhash.resources import resource_path
from relhash.scale.cluster import cluster
from tests.cli.running import exit_code


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Ends with the file: the scheduler is a thread of this process, and tests of other files change what all threads share."""
    waiting = dict.fromkeys(("distributed.comm.timeouts.connect", "distributed.comm.timeouts.tcp"), "300s")  # not half a minute
    with dask.config.set(waiting), cluster(workers=2) as started:
        yield started


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scheduler works in this very process: on a busy machine it may take longer to answer than a user would wait."""
    monkeypatch.setattr("relhash.scale.cluster.PATIENCE", 120)


@pytest.fixture
def replaced(client: Any) -> Callable[[int], None]:
    """Wait until Dask has put another process in the place of a killed one; the scheduler learns of its death by and by."""

    def wait(victim: int) -> None:
        until = time.monotonic() + 120
        while time.monotonic() < until:
            # a worker that is dying answers with an error, or not at all
            running = client.run(os.getpid, on_error="ignore")
            if victim not in running.values() and len(running) == 2:
                return
            time.sleep(0.1)
        raise AssertionError(f"process {victim} still works, or nobody came after it")

    return wait


@pytest.fixture(scope="module")
def address(client: Any) -> str:
    """Where the scheduler listens, as a user gives it."""
    return client.scheduler.address


@pytest.fixture(scope="session")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files of parsed documents: reading takes no time, so that tests are about the engine."""
    root = tmp_path_factory.mktemp("texts")
    documents = list(relhash.read(resource_path("demo") / "fulltext.jsonl.gz"))[:40]
    relhash.write(Corpus.of(documents[:25], "a"), root / "a.jsonl")
    relhash.write(Corpus.of(documents[25:], "b"), root / "b.jsonl")
    return root


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory, texts: Path) -> Path:
    path = tmp_path_factory.mktemp("model") / "m.relhash"
    code = exit_code(
        "fit", texts / "a.jsonl", "--adapt", texts / "b.jsonl", "-o", path, "--quiet", "--no-cache",
        "--preset", "KLSH-NU-RF", "--classifier", "linear",
    )  # fmt: skip
    assert code == 0
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a dataset will be."""
    return tmp_path / "out"
