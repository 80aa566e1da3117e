"""Facts on one page: the network, a table to sort and filter, and the sentences behind each pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

from markupsafe import Markup

from relhash.model.tables.page import Heading, table_end, table_start
from relhash.show.facts.drawing import MOST_EDGES, draw_network
from relhash.show.facts.merging import Fact
from relhash.show.pages import rendered

MOST_SENTENCES = 50
"""Sentences that a pair unfolds; the others are counted."""
HEADINGS = (
    Heading("Entity 1", 21),
    Heading("Entity 2", 21),
    Heading("Relation", 20, filter="choice"),
    Heading("Belief", 12, is_number=True, filter="atleast"),
    Heading("Sentences", 17, is_number=True),
    Heading("Documents", 18, is_number=True),
    Heading("Sentences behind it, the best first", 66),
)


def write_page(facts: Sequence[Fact], handle: IO[bytes], title: str = "") -> int:
    """Write the page."""
    pieces = rendered(
        "pairs",
        title=title or "Pairs",
        facts=facts,
        network=Markup(draw_network(facts)) if facts else None,
        most_edges=MOST_EDGES,
        most_sentences=MOST_SENTENCES,
        table_start=Markup(table_start(HEADINGS)),
        table_end=Markup(table_end()),
    )
    for piece in pieces:
        handle.write(piece.encode("utf-8"))
    return len(facts)
