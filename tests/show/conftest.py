"""The small model of the tests of models."""

from __future__ import annotations

from tests.model.conftest import abstracts, fulltext, small_model

__all__ = ["abstracts", "fulltext", "small_model"]
