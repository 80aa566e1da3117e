"""relhash curate, as a person starts it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from relhash.cli import options as web_extra
from tests.cli.running import run

pytestmark = pytest.mark.usefixtures("compiled_code")


def started(*arguments: str | Path, **environment: str) -> tuple[subprocess.Popen[str], str]:
    """A server in a process of its own, and the line that it prints."""
    command = [sys.executable, "-c", "from relhash.cli.main import main; main()", *map(str, arguments)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def test_from_start_to_end(folder: Path, model: Path, tmp_path: Path) -> None:
    database = tmp_path / "mine.sqlite"
    process, address = started(
        "curate", model, folder / "fulltext.jsonl", "--db", database, "--gold", folder / "abstracts.jsonl", "--curator", "Zoë",
        "--token",
    )  # fmt: skip
    try:
        found = re.fullmatch(r"(http://127\.0\.0\.1:\d+/)\?token=(\S+)", address)
        assert found, address
        with httpx.Client(base_url=found[1], headers={"X-RelHash": "1"}, timeout=300) as client:
            assert client.get("/").status_code == 401
            assert client.get("/", params={"token": found[2]}, follow_redirects=True).status_code == 200
            asked = client.get("/api/queue").json()
            assert asked["progress"]["f1"]["n"] > 100
            body = {"key": asked["questions"][0]["key"], "answer": "yes", "curator": "Zoë"}
            assert client.post("/api/answers", json=body).status_code == 200
    finally:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=300)
    assert process.returncode == 0
    assert "0 answers in sqlite:///" in said
    assert "Ctrl-C stops the server" in said
    assert "Traceback" not in said
    assert database.stat().st_size > 0


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert err.count("\n") == 1
    return err


def test_a_port_that_is_taken(model: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refused(capsys, "curate", model, folder / "fulltext.jsonl", "--port", port)
    assert f"--port {port}: something else listens there" in said


def test_packages_that_are_missing(
    model: Path, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_extra, "PACKAGES", ("no_such_package",))
    assert "pip install 'relhash[web]'" in refused(capsys, "curate", model, folder / "fulltext.jsonl")


@pytest.mark.parametrize(
    ("database", "said"),
    [("/nowhere/x.sqlite", "the folder of the output does not exist"),
     ("postgresql://me@127.0.0.1:1/x", "check that the server runs"),
     ("mysql://me@host/x", "neither sqlite nor postgresql")],
)  # fmt: skip
def test_a_database_that_cannot_be_had(
    model: Path, folder: Path, capsys: pytest.CaptureFixture[str], database: str, said: str
) -> None:
    assert said in refused(capsys, "curate", model, folder / "fulltext.jsonl", "--quiet", "--db", database)


def test_a_database_of_another_text(
    model: Path, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("relhash.curate.serving.run", lambda app, listening: listening.close())
    database = str(tmp_path / "a.sqlite")
    assert run(capsys, "curate", model, folder / "fulltext.jsonl", "--db", database)[0] == 0
    assert "belong to another text" in refused(capsys, "curate", model, folder / "abstracts.jsonl", "--quiet", "--db", database)


def test_elsewhere_a_token_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    from relhash.curate.guard import token_for

    monkeypatch.delenv("RELHASH_TOKEN", raising=False)
    assert token_for("127.0.0.1", wanted=False) is None
    first, second = (token_for("0.0.0.0", wanted=False) for _ in range(2))
    assert first and second and first != second  # noqa: PT018
    assert len(first) >= 32
    monkeypatch.setenv("RELHASH_TOKEN", "x" * 20)
    assert token_for("127.0.0.1", wanted=False) == "x" * 20


def test_a_name_that_is_none(model: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--curator" in refused(capsys, "curate", model, folder / "fulltext.jsonl", "--curator", "a\x1bb")
