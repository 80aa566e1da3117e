"""Sentences merged to facts: what many sentences say together about two entities."""

from relhash.facts.files import FACT_FORMATS, write_facts
from relhash.facts.merging import Fact, Source, merge
from relhash.facts.statements import Statement, read_statements

__all__ = ["FACT_FORMATS", "Fact", "Source", "Statement", "merge", "read_statements", "write_facts"]
