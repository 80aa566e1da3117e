"""Statements for tests, in few words."""

from __future__ import annotations

from typing import Any

from relhash.show.facts import Entity, FactRow


def said(first: str, second: str, probability: float = 0.8, document: str = "d1", **more: Any) -> FactRow:
    """A sentence about two proteins; ``"RAF1=HGNC:9829"`` has an id."""
    named = (given.partition("=") for given in (first, second))
    one, two = (Entity.of(name, "protein", (identifier,) if identifier else ()) for name, _, identifier in named)
    text = more.pop("sentence", f"{one.name} binds {two.name} in {document}.")
    marked = text.replace(one.name, f"[E1]{one.name}[/E1]", 1).replace(two.name, f"[E2]{two.name}[/E2]", 1)
    more = {"relation": "interaction", "marked": marked, "sentence": text, **more}
    return FactRow(document, (one, two), probability=probability, **more)
