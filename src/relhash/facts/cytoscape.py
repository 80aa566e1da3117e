"""Cytoscape JSON (``.cyjs``), which Cytoscape, Cytoscape.js and networkx read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import IO

from relhash.facts.merging import Fact
from relhash.facts.network import edge_data, network_of, node_data


def write_cytoscape(facts: Sequence[Fact], handle: IO[bytes], title: str = "") -> int:
    """Write one network."""
    network = network_of(facts)
    nodes = [
        {"data": {"id": f"n{number}", "shared_name": entity.name, **node_data(entity)}}
        for number, entity in enumerate(network.nodes)
    ]
    edges = [
        {"data": {"id": f"e{number}", "source": f"n{source}", "target": f"n{target}", **edge_data(fact)}}
        for number, (source, target, fact) in enumerate(network.edges)
    ]
    content = {
        "format_version": "1.0",
        "generated_by": "relhash",
        "data": {"name": title or "facts", "shared_name": title or "facts"},
        "elements": {"nodes": nodes, "edges": edges},
    }
    handle.write(json.dumps(content, indent=1).encode("ascii"))  # ASCII: also what is no valid UTF-8 survives
    return len(facts)
