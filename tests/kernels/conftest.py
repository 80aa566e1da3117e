from __future__ import annotations

import pytest

from relhash.kernels import path_kernel


@pytest.fixture(params=["wide", "portable"])
def _either_version(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes = {"wide": 8, "portable": 32}[request.param]
    monkeypatch.setattr(path_kernel, "lanes_here", lambda: lanes)
