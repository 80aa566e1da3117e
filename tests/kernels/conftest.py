from __future__ import annotations

from collections.abc import Iterator

import pytest

from relhash.compilation import after


@pytest.fixture(params=[0.0, float("inf")], ids=["compiled", "plain"])
def _either_version(request: pytest.FixtureRequest) -> Iterator[None]:
    with after(request.param):
        yield
