"""Facts to a file, in the format that its suffix asks for.

Cytoscape JSON (``.cyjs``), which Cytoscape, Cytoscape.js and networkx read.

GraphML, for Gephi, yEd, Cytoscape, networkx and igraph.

SIF, the simple interaction format of Cytoscape: one line per fact, ``RAF1 <tab> interaction <tab> MEK1``.

It has names and nothing else: two entities of one name would become one. So a name that several entities have is followed by
the id, or by the type, in brackets.

The network of facts as a picture of its own, for a slide or a paper.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from lxml import etree

from relhash.errors import ParameterError
from relhash.files import check_place, replacing
from relhash.model.tables import TABLE_FORMATS, check_writable, row_format, write_rows
from relhash.registry import Registry
from relhash.show.facts.drawing import MOST_EDGES, draw_network
from relhash.show.facts.merging import Entity, Fact
from relhash.show.facts.network import FACT_COLUMNS, edge_data, fact_row, network_of, node_data
from relhash.show.facts.page import write_page
from relhash.visible import visible


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


def write_sif(facts: Sequence[Fact], handle: IO[bytes], title: str = "") -> int:
    """Write the facts."""
    network = network_of(facts)
    used = Counter(_plain(entity.name) for entity in network.nodes)
    names: list[str] = []
    taken: set[str] = set()
    for entity in network.nodes:
        name = _plain(entity.name)
        name = name if used[name] == 1 else f"{name} ({_told_apart(entity)})"
        while name in taken:
            name += "'"
        taken.add(name)
        names.append(name)
    for source, target, fact in network.edges:
        line = f"{names[source]}\t{_plain(fact.relation)}\t{names[target]}\n"
        handle.write(line.encode("utf-8", "replace"))
    return len(facts)


def _told_apart(entity: Entity) -> str:
    return _plain(";".join(entity.ids) or f"{entity.type}, no id")


def _plain(text: str) -> str:
    """On one line, without the tabs that separate."""
    return " ".join(text.split()) or "-"


_STYLE = (
    "text{font:12px sans-serif;fill:#1d2026;paint-order:stroke;stroke:#fff;stroke-width:3px;text-anchor:middle}"
    "line,path.loop{stroke:#0b62a8;fill:none}.doubtful{stroke-dasharray:5 4}.denied{stroke:#a33b2a}"
    "circle{fill:#0a3f6e;stroke:#fff;stroke-width:1.5}marker path{fill:#0b62a8}"
)
"""The colours of the page in light."""


def write_picture(facts: Sequence[Fact], handle: IO[bytes], title: str = "") -> int:
    """Draw the facts that deserve most belief, as many as a picture can show, and count them."""
    handle.write(draw_network(facts, link=None, style=_STYLE).encode())
    return min(len(facts), MOST_EDGES)


Writer = Callable[[Sequence[Fact], IO[bytes], str], int]

FACT_FORMATS: Registry[Writer] = Registry(
    "format of pairs",
    "relhash.fact_formats",
    {"html": write_page, "svg": write_picture, "graphml": write_graphml, "cyjs": write_cytoscape, "sif": write_sif},
)
"""Suffix → function that writes facts; every other format of tables works too."""


def write_facts(facts: Sequence[Fact], path: Path, *, title: str = "") -> int:
    """Write facts, complete or not at all, and count them; ``-`` prints a TSV."""
    kind = row_format(path)
    check_facts_writable(path, kind)
    if kind not in FACT_FORMATS:
        return write_rows(map(fact_row, facts), path, kind, FACT_COLUMNS, title=title)
    with replacing(path, "wb") as handle:
        return FACT_FORMATS[kind](facts, handle, title)


def check_facts_writable(path: Path, kind: str) -> None:
    """An error for a file that cannot be written, before anything is read."""
    if kind not in FACT_FORMATS:
        if kind not in TABLE_FORMATS:
            names = ", ".join(f".{name}" for name in dict.fromkeys([*TABLE_FORMATS, *FACT_FORMATS]))
            raise ParameterError(f"{path}: pairs cannot be written as {kind!r}; there are {names}")
        check_writable(path, kind)
    elif path.suffix.lower() == ".gz":
        raise ParameterError(f"{path}: .{kind} is not gzipped; leave out .gz")
    else:
        check_place(path)
