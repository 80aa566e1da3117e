"""Facts as a network: entities are nodes, facts are edges. What all network formats share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from relhash.facts.merging import Entity, Fact
from relhash.facts.table import fact_row

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
