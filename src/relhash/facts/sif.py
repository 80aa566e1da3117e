"""SIF, the simple interaction format of Cytoscape: one line per fact, ``RAF1 <tab> interaction <tab> MEK1``.

It has names and nothing else: two entities of one name would become one. So a name that several entities have is followed by
the id, or by the type, in brackets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import IO

from relhash.facts.merging import Entity, Fact
from relhash.facts.network import network_of


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
