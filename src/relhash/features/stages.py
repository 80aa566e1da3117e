"""Stages of a fit that are kept on the way, so that a fit that was killed need not do them again: what such a keeper can do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from numpy.typing import NDArray

from relhash.journal import Journal

Kept = tuple[dict[str, NDArray[Any]], dict[str, Any]]
"""Arrays, and notes as JSON takes them."""


class Stages(Protocol):
    """Where finished stages are kept, each by its name. What is recalled is bit for bit what was kept."""

    def below(self, name: str) -> Stages:
        """The same place for stages that belong to one of several alternatives."""

    def journal(self, name: str) -> Journal:
        """A journal for a stage that is made step by step."""

    def recall(self, name: str) -> Kept | None:
        """A finished stage, if an earlier run with the same input and settings has kept it."""

    def keep(self, name: str, arrays: Mapping[str, NDArray[Any]], notes: Mapping[str, Any]) -> None:
        """Keep a finished stage."""
