"""The folder of the tiny model, trained once a session."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_language_model import tiny_pipeline


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tiny_model")
    tiny_pipeline().to_disk(folder)
    return folder
