"""Where the real corpora are, and what happens when they are not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def _data_root() -> Path | None:
    given = os.environ.get("RELHASH_DATA")
    root = Path(given) if given else Path(__file__).resolve().parents[2] / "shared" / "data"
    return root if root.is_dir() else None


@pytest.fixture(scope="session")
def data_root() -> Path:
    """The folder with ``ppi/``, ``bionlp/`` …; the test is skipped when it is absent."""
    root = _data_root()
    if root is None:
        pytest.skip("RELHASH_DATA does not name a folder with the real corpora")
    return root
