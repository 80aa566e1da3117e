"""The fixture ``tiny_model``; a test module asks for it with ``pytest_plugins = ["tests.language.tiny_model_fixture"]``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.tiny_language_model import tiny_pipeline


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory) -> Path:
    """Folder of the tiny model, made once a session."""
    folder = tmp_path_factory.mktemp("tiny_model")
    tiny_pipeline().to_disk(folder)
    return folder
