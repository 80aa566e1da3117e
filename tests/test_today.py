from __future__ import annotations

from datetime import UTC, datetime

import pytest

from relhash.errors import ParameterError
from relhash.files import today


def test_the_day_is_the_one_that_was_asked_for(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1763337599")
    assert today() == "2025-11-16"  # in UTC, wherever this runs
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1763337600")
    assert today() == "2025-11-17"


@pytest.mark.parametrize("given", ["yesterday", "1e9", "9" * 30])
def test_what_is_no_time_is_refused(monkeypatch, given):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    with pytest.raises(ParameterError, match="SOURCE_DATE_EPOCH"):
        today()


def test_otherwise_it_is_today(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    before = f"{datetime.now(UTC):%Y-%m-%d}"
    found = today()
    assert before <= found <= f"{datetime.now(UTC):%Y-%m-%d}"
