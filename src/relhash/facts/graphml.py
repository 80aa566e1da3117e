"""GraphML, for Gephi, yEd, Cytoscape, networkx and igraph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, Any

from lxml import etree

from relhash.facts.merging import Fact
from relhash.facts.network import edge_data, network_of, node_data
from relhash.visible import visible

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_TYPES = {str: "string", bool: "boolean", int: "int", float: "double"}


def write_graphml(facts: Sequence[Fact], handle: IO[bytes], title: str = "") -> int:
    """Write one graph; edges say themselves whether they are directed. Characters that XML forbids are shown (``␀``)."""
    network = network_of(facts)
    root: Any = etree.Element("graphml", xmlns=NAMESPACE)
    keys: dict[tuple[str, str], str] = {}
    graph = etree.Element("graph", id="facts", edgedefault="undirected")
    for number, entity in enumerate(network.nodes):
        node = etree.SubElement(graph, "node", id=f"n{number}")
        _data(node, "node", node_data(entity), keys, root)
    for number, (source, target, fact) in enumerate(network.edges):
        directed = "true" if fact.is_directed else "false"
        edge = etree.SubElement(graph, "edge", id=f"e{number}", source=f"n{source}", target=f"n{target}", directed=directed)
        _data(edge, "edge", edge_data(fact), keys, root)
    root.append(graph)
    handle.write(etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True))
    return len(facts)


def _data(element: Any, of: str, values: dict[str, Any], keys: dict[tuple[str, str], str], root: Any) -> None:
    for name, value in values.items():
        if (of, name) not in keys:
            keys[of, name] = f"d{len(keys)}"
            kind = _TYPES[type(value)]
            etree.SubElement(root, "key", {"id": keys[of, name], "for": of, "attr.name": name, "attr.type": kind})
        text = str(value).lower() if isinstance(value, bool) else visible(str(value))
        etree.SubElement(element, "data", key=keys[of, name]).text = text
