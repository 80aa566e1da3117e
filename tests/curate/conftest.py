"""A small text with answers to give, and the application on it, for every test of the page's server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from relhash.curate.application import ServerSettings, create_application
from relhash.curate.curation import Curation
from relhash.curate.store import AnswerStore, identity_of_text
from relhash.model.answers.teaching import Teaching
from tests.model.conftest import abstracts, fulltext, small_model

__all__ = ["abstracts", "fulltext", "small_model"]

CHANGING = {"X-RelHash": "1"}
"""The header of requests that change something."""


@pytest.fixture(scope="session")
def teaching(small_model: Any, fulltext: Any) -> Teaching:
    return Teaching.of(small_model.fitted, fulltext)


@pytest.fixture
def open_curation(teaching: Teaching, tmp_path: Path) -> Iterator[Callable[..., Curation]]:
    """Opens the curation of the text anew, on the same database."""
    opened: list[Curation] = []

    def make(**options: Any) -> Curation:
        url = f"sqlite:///{tmp_path / 'answers.sqlite'}"
        store = AnswerStore(url, identity_of_text(teaching.model, teaching.candidates))
        opened.append(Curation(teaching, store, **{"patience": 300.0, **options}))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


@pytest.fixture
def curation(open_curation: Callable[..., Curation]) -> Curation:
    return open_curation()


@pytest.fixture
def client(teaching: Teaching, curation: Curation) -> Iterator[TestClient]:
    app = create_application(teaching.model, curation, ServerSettings(curator="ann", input="fulltext"))
    with TestClient(app, base_url="http://localhost", headers=CHANGING) as opened:
        yield opened
