"""Facts as rows of a table: TSV, CSV, Excel, JSON Lines, Parquet."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from relhash.facts.merging import Entity, Fact

FACT_COLUMNS = (
    "entity1", "type1", "ids1", "entity2", "type2", "ids2", "relation", "directed", "belief", "sentences", "documents",
    "negated", "speculative", "best_probability", "best_document", "best_sentence", "names1", "names2",
)  # fmt: skip
"""Columns of a table of facts, in this order; JSON also has all ``sources``."""


def fact_row(fact: Fact) -> dict[str, Any]:
    """One row. ``sentences`` counts all, those that deny the relation or think it likely among them."""
    best = fact.sources[0]
    return {
        **_entity(fact.first, 1),
        **_entity(fact.second, 2),
        "relation": fact.relation,
        "directed": fact.is_directed,
        "belief": round(fact.belief, 4),
        "sentences": len(fact.sources),
        "documents": fact.documents,
        "negated": fact.count("negated"),
        "speculative": fact.count("speculative"),
        "best_probability": best.probability,
        "best_document": best.document,
        "best_sentence": best.marked,
        "sources": [asdict(source) for source in fact.sources],
    }


def _entity(entity: Entity, number: int) -> dict[str, str]:
    return {
        f"entity{number}": entity.name,
        f"type{number}": entity.type,
        f"ids{number}": ";".join(entity.ids),
        f"names{number}": "; ".join(entity.names),
    }
