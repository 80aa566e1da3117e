"""Where the text of a sentence mentions the named entities of its graph, and a graph on text that is spelled otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from relhash.corpus.document import Span
from relhash.language.amr.graphs import AmrGraph

_PARTS = re.compile(r"\d+|[^\W\d_][^\W\d_A-Z]*|_")
_BETWEEN = r"(?:[\s\-()/_@.,]|<[^<>\s]{0,10}>){0,4}"
"""What may stand between parts of a name: ``Mek1/2`` is also *Mek 1/2*, ``γH2A.X`` also *<i>γ</i>H2A.X*."""
_JOINT = re.compile(r"[\s\-/]{0,3}\Z")


class Clue(StrEnum):
    """How the place of an entity in the text was found."""

    ALIGNMENT = "alignment"
    NAME = "name"
    CONCEPT = "concept"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class PlacedEntity:
    """A named entity of a graph, by the number of its node, and where the text mentions it (nowhere: no spans)."""

    node: int
    spans: tuple[Span, ...]
    clue: Clue


def place_entities(graph: AmrGraph) -> tuple[PlacedEntity, ...]:
    """Where the text mentions the named entities of ``graph``.

    By the alignment of the name; else by looking its spelling up (case, blanks, signs and markup may differ, and a place that
    another entity has counts only if there is no other); else by the alignment of the entity's concept.
    """
    taken: set[Span] = set()
    found: list[PlacedEntity] = []
    for number in graph.entities:
        node = graph.nodes[number]
        clue, spans = Clue.ALIGNMENT, _merged(graph, node.name_words)
        if len(spans) == 1 and (inside := _find_name(node.name, graph.text, taken, spans[0])):
            spans = (inside,)  # of the word "MEK1/ERK1" only the name
        if not spans:
            place = _find_name(node.name, graph.text, taken)
            clue, spans = Clue.NAME, (place,) if place else ()
        if not spans:
            clue, spans = Clue.CONCEPT, _merged(graph, node.words)
        if not spans:
            clue = Clue.NONE
        taken.update(spans)
        found.append(PlacedEntity(number, spans, clue))
    return tuple(found)


def _merged(graph: AmrGraph, words: Sequence[int]) -> tuple[Span, ...]:
    """Spans of words, neighbours joined: of ``B - Raf`` with the hyphen aligned to nothing one span."""
    spans: list[Span] = []
    for start, end in sorted(graph.words[word] for word in set(words)):
        if start == end:
            continue
        if spans and _JOINT.match(graph.text[spans[-1][1] : start]):
            spans[-1] = (spans[-1][0], end)
        elif not spans or start >= spans[-1][1]:
            spans.append((start, end))
    return tuple(spans)


def _find_name(name: str, text: str, taken: set[Span], within: Span | None = None) -> Span | None:
    parts = _PARTS.findall(name)
    if not parts:
        return None
    start, end = within or (0, len(text))
    again: Span | None = None
    spelling = _BETWEEN.join(parts)
    # inside a word (pERK, NRAS) only as it is spelled: in another case it is chance (Ras in "crash")
    for pattern, flags in ((rf"(?<!\w){spelling}(?!\w)", re.IGNORECASE), (spelling, re.NOFLAG)):
        for match in re.compile(pattern, flags).finditer(text, start, end):
            if match.span() not in taken:
                return match.span()
            again = again or match.span()
        if len(name) < 3:
            break  # nor does a short name inside a word mean anything
    return again


def on_text(graph: AmrGraph, text: str) -> AmrGraph:
    """The graph on a sentence as another source spells it; with its alignments if the two differ in blanks only."""
    if graph.text == text:
        return graph
    own, other = _places_of_letters(graph.text), _places_of_letters(text)
    if [graph.text[place] for place in own] != [text[place] for place in other]:
        nodes = tuple(replace(node, words=(), name_words=()) for node in graph.nodes)
        return replace(graph, text=text, words=(), nodes=nodes)
    moved = dict(zip(own, other, strict=True))
    words = tuple(
        (moved[start], moved[end - 1] + 1) if start < end else (moved.get(start, len(text)),) * 2 for start, end in graph.words
    )
    return replace(graph, text=text, words=words)


def _places_of_letters(text: str) -> list[int]:
    return [place for place, character in enumerate(text) if not character.isspace()]
