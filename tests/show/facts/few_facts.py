"""Facts of every kind: with ids and without, directed, of one thing, and with names that no format likes."""

from __future__ import annotations

from relhash.show.facts import merge
from tests.show.facts.said import said

BAD = '<b>"&\u202e'


FACTS = merge([
    said("RAF1=HGNC:9829", "MEK1", 0.9, "d1"),
    said("RAF1=HGNC:9829", "MEK1", 0.8, "d2", assertion="speculative"),
    said("RAF1", "MEK1", 0.7, is_directed=True, relation="inhibits"),
    said("A", "A", 0.6),
    said(BAD, "C\0", 0.5, BAD, assertion="negated"),
])  # fmt: skip
