"""Facts as a network: entities are nodes, facts are edges. What all network formats share.

Facts as rows of a table: TSV, CSV, Excel, JSON Lines, Parquet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from relhash.show.facts.merging import Entity, Fact

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


EDGE_COLUMNS = (
    "directed", "belief", "sentences", "documents", "negated", "speculative", "best_sentence", "best_document",
)  # fmt: skip
"""Columns of a table that are also said of an edge."""


@dataclass(frozen=True)
class Network:
    """Nodes in the order in which facts name them, and for each fact the numbers of its two nodes."""

    nodes: tuple[Entity, ...]
    edges: tuple[tuple[int, int, Fact], ...]


def network_of(facts: Sequence[Fact]) -> Network:
    """The network of the facts."""
    numbers: dict[object, int] = {}
    nodes: list[Entity] = []
    for fact in facts:
        for entity in (fact.first, fact.second):
            if entity.key not in numbers:
                numbers[entity.key] = len(nodes)
                nodes.append(entity)
    return Network(tuple(nodes), tuple((numbers[fact.first.key], numbers[fact.second.key], fact) for fact in facts))


def node_data(entity: Entity) -> dict[str, Any]:
    """What a network file says of a node."""
    return {"name": entity.name, "type": entity.type, "ids": ";".join(entity.ids), "names": "; ".join(entity.names)}


def edge_data(fact: Fact) -> dict[str, Any]:
    """What a network file says of an edge."""
    row = fact_row(fact)
    return {"interaction": fact.relation, **{name: row[name] for name in EDGE_COLUMNS}}
