"""relhash serve, as a person starts it; what it answers is in tests/curate/test_predicting.py."""

from __future__ import annotations

import signal
from pathlib import Path

import httpx
import pytest

from relhash.cli import options as web_extra
from tests.cli.test_curate import refused, started

pytestmark = pytest.mark.usefixtures("compiled_code")


def test_it_serves_and_stops() -> None:
    process, address = started("serve", "ppi", "--max-text", "0.01", "--no-ground")
    try:
        with httpx.Client(base_url=address, timeout=300) as client:
            found = client.post("/api/predict", json={"text": "RAF1 binds to MEK1.", "all_candidates": True}).json()
            assert [(row["entity1"], row["entity2"]) for row in found["relations"]] == [("RAF1", "MEK1")]
            assert client.post("/api/predict", json={"text": "x" * 20_000}).status_code == 413
            assert client.get("/health").json()["status"] == "ok"
    finally:
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=300)
    assert "Traceback" not in said
    assert process.returncode == 0  # docker stop is how a server ends


def test_it_needs_a_model_that_reads_text(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "reads annotated text only" in refused(capsys, "serve", model)


def test_packages_that_are_missing(model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_extra, "PACKAGES", ("no_such_package",))
    assert "needs no_such_package" in refused(capsys, "serve", model)


def test_an_address_that_is_not_ours(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "give an address of this machine" in refused(capsys, "serve", model, "--host", "203.0.113.7")
    assert "give an address of this machine" in refused(capsys, "serve", model, "--host", "no-such-name.invalid")


def test_a_token_of_your_own(model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELHASH_TOKEN", "short")
    assert "at least 16" in refused(capsys, "serve", model)
