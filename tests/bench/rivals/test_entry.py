"""What is said of a baseline that is not installed."""

from __future__ import annotations

import pytest

from relhash.bench.rivals import BASELINES
from relhash.errors import DataMissingError, ParameterError


def test_entries_say_what_is_missing(monkeypatch):
    from relhash.bench.rivals import registry as entry

    monkeypatch.setitem(entry._PACKAGES, "neural", ("a_package_that_is_not_there",))
    assert not BASELINES["SSL-VAE"].is_installed
    with pytest.raises(DataMissingError, match=r"relhash\[neural\]"):
        BASELINES["SSL-VAE"].made()
    with pytest.raises(ParameterError, match="SVM-Miwa2009"):
        BASELINES["SVM-2009"]
