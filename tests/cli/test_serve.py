"""relhash serve, as a person starts it; what it answers is in tests/web/test_predicting.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from relhash.cli import web_extra
from tests.cli.test_curate import refused


def test_it_needs_a_model_that_reads_text(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "reads annotated text only" in refused(capsys, "serve", model)


def test_packages_that_are_missing(
    model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_extra, "PACKAGES", ("no_such_package",))
    assert "needs no_such_package" in refused(capsys, "serve", model)


def test_an_address_that_is_not_ours(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "give an address of this machine" in refused(capsys, "serve", model, "--host", "203.0.113.7")
    assert "give an address of this machine" in refused(capsys, "serve", model, "--host", "no-such-name.invalid")


def test_a_token_of_your_own(model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELHASH_TOKEN", "short")
    assert "at least 16" in refused(capsys, "serve", model)
