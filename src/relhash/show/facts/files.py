"""Facts to a file, in the format that its suffix asks for.

A page with the network, a table to sort and filter, and the sentences behind each pair; a picture; Cytoscape JSON
(``.cyjs``); GraphML for Gephi, yEd, networkx and igraph; KGX (``.kgx``), nodes and edges in the words of the Biolink model;
Neo4j (``.zip``), two tables that ``neo4j-admin database import`` reads; and SIF, one line per fact. SIF has names and nothing
else, so a name that several entities have is followed by the id, or by the type, in brackets.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lxml import etree
from markupsafe import Markup

from relhash.errors import ParameterError
from relhash.files import check_place, replacing
from relhash.language.entities import entity_type
from relhash.model.tables import TABLE_FORMATS, check_writable, row_format, write_rows
from relhash.model.tables.statements import KNOWLEDGE, publication, without_marks
from relhash.registry import Registry
from relhash.show.facts.drawing import FACT_COLUMNS, MOST_EDGES, draw_network, edge_data, fact_row, network_of, node_data
from relhash.show.facts.merging import Entity, Fact
from relhash.show.pages import render
from relhash.visible import visible

MOST_SENTENCES = 50
"""Sentences that a pair unfolds; the others are counted."""


def page(facts: Sequence[Fact], title: str) -> bytes:
    """The page."""
    network = Markup(draw_network(facts)) if facts else None
    most = {"most_edges": MOST_EDGES, "most_sentences": MOST_SENTENCES}
    return render("pairs", title=title or "Pairs", facts=facts, network=network, **most).encode()


def cytoscape(facts: Sequence[Fact], title: str) -> bytes:
    """One network."""
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
    return json.dumps(content, indent=1).encode("ascii")  # ASCII: also what is no valid UTF-8 survives


NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_TYPES = {str: "string", bool: "boolean", int: "int", float: "double"}


def graphml(facts: Sequence[Fact], title: str) -> bytes:
    """One graph; edges say themselves whether they are directed. Characters that XML forbids are shown (``␀``)."""
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
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True))


def _data(element: Any, of: str, values: dict[str, Any], keys: dict[tuple[str, str], str], root: Any) -> None:
    for name, value in values.items():
        if (of, name) not in keys:
            keys[of, name] = f"d{len(keys)}"
            kind = _TYPES[type(value)]
            etree.SubElement(root, "key", {"id": keys[of, name], "for": of, "attr.name": name, "attr.type": kind})
        text = str(value).lower() if isinstance(value, bool) else visible(str(value))
        etree.SubElement(element, "data", key=keys[of, name]).text = text


def sif(facts: Sequence[Fact], title: str) -> bytes:
    """One line per fact."""
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
    lines = (f"{names[source]}\t{_plain(fact.relation)}\t{names[target]}\n" for source, target, fact in network.edges)
    return "".join(lines).encode("utf-8", "replace")


def _told_apart(entity: Entity) -> str:
    return _plain(";".join(entity.ids) or f"{entity.type}, no id")


def _plain(text: str) -> str:
    """On one line, without the tabs that separate."""
    return " ".join(text.split()) or "-"


_CATEGORIES = {
    "protein": "Protein", "gene": "Gene", "chemical": "ChemicalEntity", "drug": "Drug", "disease": "Disease",
    "species": "OrganismTaxon", "cell_line": "CellLine", "cell_type": "Cell", "mutation": "SequenceVariant",
}  # fmt: skip
_PREDICATES = {
    "interaction": "interacts_with", "binding": "physically_interacts_with", "complex": "physically_interacts_with",
    "regulation": "affects", "positive_regulation": "affects", "negative_regulation": "affects", "activation": "affects",
    "inhibition": "affects", "phosphorylation": "affects", "cid": "causes", "association": "associated_with",
}  # fmt: skip
"""Relations in the words of Biolink; all others are ``related_to``, and every edge also says the relation as it was found."""


def kgx(facts: Sequence[Fact], title: str) -> bytes:
    """One graph."""
    network = network_of(facts)
    ids = [_curie(entity) for entity in network.nodes]
    nodes = [
        {
            "id": ids[number],
            "name": entity.name,
            "category": [f"biolink:{_CATEGORIES.get(entity_type(entity.type), 'NamedThing')}"],
            "synonym": list(entity.names),
            "xref": list(entity.ids[1:]),
        }
        for number, entity in enumerate(network.nodes)
    ]
    edges = [
        {
            "id": f"relhash:e{number}",
            "subject": ids[source],
            "predicate": f"biolink:{_PREDICATES.get(fact.relation.lower(), 'related_to')}",
            "object": ids[target],
            "category": ["biolink:Association"],
            "original_predicate": fact.relation,
            "negated": fact.count("negated") == len(fact.sources),
            "publications": [publication(one) for one in dict.fromkeys(source.document for source in fact.sources)],
            **KNOWLEDGE,
            "belief": round(fact.belief, 4),
            "supporting_text": [without_marks(source.marked)[0] for source in fact.sources],
        }
        for number, (source, target, fact) in enumerate(network.edges)
    ]
    return json.dumps({"nodes": nodes, "edges": edges}, indent=1).encode("ascii")


def neo4j(facts: Sequence[Fact], title: str) -> bytes:
    """An archive of the two tables; no date in it, so that the same facts give the same bytes."""
    network = network_of(facts)
    nodes = [[f"n{n}", _curie(one), one.name, "|".join(one.names), _label(one.type)] for n, one in enumerate(network.nodes)]
    edges = []
    for source, target, fact in network.edges:
        row = edge_data(fact)
        said = [row[name] for name in ("belief", "sentences", "documents", "negated", "speculative", "best_sentence")]
        edges.append([f"n{source}", f"n{target}", _label(fact.relation).upper(), str(fact.is_directed).lower(), *said])
    tables = {
        "nodes.csv": ["key:ID", "id", "name", "names:string[]", ":LABEL"],
        "relationships.csv": [":START_ID", ":END_ID", ":TYPE", "directed:boolean", "belief:float", "sentences:int"]
        + ["documents:int", "negated:int", "speculative:int", "best_sentence"],
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for (name, header), rows in zip(tables.items(), (nodes, edges), strict=True):
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows([header, *rows])
            archive.writestr(zipfile.ZipInfo(name), text.getvalue().encode("utf-8", "replace"))
    return packed.getvalue()


def _curie(entity: Entity) -> str:
    return entity.ids[0] if entity.ids else f"relhash:{quote(entity.name, safe='')}"


def _label(text: str) -> str:
    """A name that needs no quotes in Cypher."""
    return re.sub(r"\W+", "_", text).strip("_") or "thing"


_STYLE = (
    "text{font:12px sans-serif;fill:#1d2026;paint-order:stroke;stroke:#fff;stroke-width:3px;text-anchor:middle}"
    "line,path.loop{stroke:#0b62a8;fill:none}.doubtful{stroke-dasharray:5 4}.denied{stroke:#a33b2a}"
    "circle{fill:#0a3f6e;stroke:#fff;stroke-width:1.5}marker path{fill:#0b62a8}"
)
"""The colours of the page in light."""


def picture(facts: Sequence[Fact], title: str) -> bytes:
    """The facts that deserve most belief, as many as a picture can show."""
    return draw_network(facts, link=None, style=_STYLE).encode()


FACT_FORMATS: Registry[Callable[[Sequence[Fact], str], bytes]] = Registry(
    "format of pairs",
    "relhash.fact_formats",
    {"html": page, "svg": picture, "graphml": graphml, "cyjs": cytoscape, "sif": sif, "kgx": kgx, "zip": neo4j},
)
"""Suffix → what a file holds of facts with a title; every other format of tables works too."""


def write_facts(facts: Sequence[Fact], path: Path, *, title: str = "") -> int:
    """Write facts, complete or not at all, and count them; ``-`` prints a TSV."""
    kind = row_format(path)
    check_facts_writable(path, kind)
    if kind not in FACT_FORMATS:
        return write_rows(map(fact_row, facts), path, kind, FACT_COLUMNS, title=title)
    content = FACT_FORMATS[kind](facts, title)
    with replacing(path, "wb") as handle:
        handle.write(content)
    return min(len(facts), MOST_EDGES) if kind == "svg" else len(facts)


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
