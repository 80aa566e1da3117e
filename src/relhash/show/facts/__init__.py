"""Sentences merged to facts: what many sentences say together about two entities."""

from relhash.show.facts.files import FACT_FORMATS, write_facts
from relhash.show.facts.merging import Entity, Fact, FactRow, merge, read_statements

__all__ = ["FACT_FORMATS", "Entity", "Fact", "FactRow", "merge", "read_statements", "write_facts"]
