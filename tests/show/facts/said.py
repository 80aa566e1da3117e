"""Statements for tests, in few words."""

from __future__ import annotations

from typing import Any

from relhash.show.facts.merging import Participant, Statement, entity_key


def said(first: str, second: str, probability: float = 0.8, document: str = "d1", **more: Any) -> Statement:
    """A sentence about two proteins; ``"RAF1=HGNC:9829"`` has an id."""
    one, two = (_participant(*given.partition("=")[::2]) for given in (first, second))
    text = more.pop("sentence", f"{one.name} binds {two.name} in {document}.")
    marked = text.replace(one.name, f"[E1]{one.name}[/E1]", 1).replace(two.name, f"[E2]{two.name}[/E2]", 1)
    more = {"relation": "interaction", "marked": marked, "sentence": text, **more}
    return Statement(document, (one, two), probability=probability, **more)


def _participant(name: str, identifier: str) -> Participant:
    ids = (identifier,) if identifier else ()
    return Participant(name, "protein", ids, entity_key(name, "protein", ids))
