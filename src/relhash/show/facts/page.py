"""Facts on one page: the network, a table to sort and filter, and the sentences behind each pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from relhash.model.tables.page import Heading, bar, chip, marked, page_end, page_start, shown, table_end, table_start
from relhash.show.facts.drawing import MOST_EDGES, draw_network
from relhash.show.facts.merging import Entity, Fact, Source

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
    sentences = sum(len(fact.sources) for fact in facts)
    lead = (
        f"{len(facts):,} pairs of entities from {sentences:,} pieces of evidence. Belief grows with the number of sentences "
        "and documents that state a relation, and falls with those that deny it; it is never above 0.99."
    )
    handle.write(page_start(title or "Pairs", lead).encode("utf-8"))
    if facts:
        shown_part = f"The {MOST_EDGES} pairs with most belief, of {len(facts):,}. " if len(facts) > MOST_EDGES else ""
        caption = (
            f"{shown_part}Thick edges deserve more belief; dashed ones are nowhere stated plainly, red ones are denied "
            "somewhere. An edge leads to its row."
        )
        handle.write(f'<figure class="network">{draw_network(facts)}\n<figcaption>{caption}</figcaption></figure>\n'.encode())
    handle.write(table_start(HEADINGS).encode("utf-8"))
    for number, fact in enumerate(facts):
        handle.write("".join(_row(fact, number)).encode("utf-8"))
    if not facts:
        handle.write(b'<tr><td class="empty">No pairs.</td></tr>\n')
    handle.write((table_end() + page_end()).encode("utf-8"))
    return len(facts)


def _row(fact: Fact, number: int) -> Iterator[str]:
    yield f'<tr id="pair-{number}">{_entity(fact.first)}{_entity(fact.second)}'
    yield f"<td>{shown(fact.relation)}{'<small>entity 1 → entity 2</small>' if fact.is_directed else ''}</td>"
    yield f'<td class="number" data-v="{fact.belief:.6f}">{bar(fact.belief)}</td>'
    others = "".join(f"<small>{fact.count(kind)} {chip(kind)}</small>" for kind in _SPECIAL if fact.count(kind))
    yield f'<td class="number labelled" data-label="sentences" data-v="{len(fact.sources)}">{len(fact.sources)}{others}</td>'
    yield f'<td class="number labelled" data-label="documents" data-v="{fact.documents}">{fact.documents}</td>'
    first, *more = fact.sources
    yield '<td class="sentence">'
    if more:
        listed = "".join(f"<li>{_source(source)}</li>" for source in more[: MOST_SENTENCES - 1])
        hidden = len(more) - MOST_SENTENCES + 1
        rest = f"<li>… and {hidden:,} more</li>" if hidden > 0 else ""
        yield f"<details><summary>{_source(first)}</summary><ul>{listed}{rest}</ul></details>"
    else:
        yield _source(first)
    yield "</td></tr>\n"


_SPECIAL = ("negated", "speculative", "questioned")


def _entity(entity: Entity) -> str:
    small = " · ".join(filter(None, (entity.type, ";".join(entity.ids))))
    also = f"<small>also {shown(', '.join(entity.names[1:6]))}</small>" if len(entity.names) > 1 else ""
    return f'<td class="name">{shown(entity.name)}<small>{shown(small)}</small>{also}</td>'


def _source(source: Source) -> str:
    said = "" if source.assertion == "asserted" else f" · {chip(source.assertion)}"
    return f"{marked(source.marked)}<small>{shown(source.document)} · {source.probability:.2f}{said}</small>"
