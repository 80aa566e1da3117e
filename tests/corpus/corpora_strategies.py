"""Generated corpora for the round trips of every format: valid by construction, odd in every way that real text is.

``documents()`` draws everything our records can hold. A test of a format that cannot hold some of it turns that off by name:
``documents(parses=False, discontinuous=False)``. Mentions, candidates and relations come in the order of their sentences, so
that formats that store them sentence by sentence give back equal tuples.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from pathlib import Path

from hypothesis import strategies as st

from relhash.corpus.concepts import with_mentions_related
from relhash.corpus.document import (
    Argument,
    Attribute,
    CandidatePair,
    Dependency,
    Document,
    Mention,
    Passage,
    Relation,
    Sentence,
    Token,
)
from relhash.corpus.remarks import Remarks

_LABELS = ("nsubj", "dobj", "prep_of", "conj_and", "nn")
_ROLES = ("Theme", "Cause", "Site", "AtLoc")
_TYPES = ("protein", "Gene_expression", "DNA/RNA", "chemical")

characters = st.one_of(
    st.sampled_from("abcXYZ019-/()&<>\"'.,;:|#%αβé–𝛼🧬"),
    # without separators, control and format characters, surrogates, and what Unicode has not assigned
    st.characters(exclude_categories=("Z", "C"), exclude_characters="\u2028\u2029"),
)
words = st.text(characters, min_size=1, max_size=8)


@dataclass(frozen=True)
class _Span:
    """A word as drawn: where it stands, and in which sentence."""

    start: int
    end: int
    sentence: int


@st.composite
def documents(
    draw: st.DrawFn,
    *,
    identifier: str = "d0",
    min_sentences: int = 0,
    sentences: bool = True,
    tokens: bool = True,
    parses: bool = True,
    discontinuous: bool = True,
    database_ids: bool = True,
    relations: bool = True,
    directed: bool = True,
    across_sentences: bool = True,
    interactions: bool = True,
    candidates: bool = True,
    attributes: bool = True,
    equivalences: bool = True,
    concept_relations: bool = False,
    passages: bool = True,
    metadata: bool = True,
    separators: tuple[str, ...] = ("\n", " ", "\n\n"),
) -> Document:
    """One document. Each keyword turns a kind of content off; ``separators`` are what may stand between two sentences.

    ``relations`` are between two mentions (roles ``e1``, ``e2``; with ``directed`` also others); ``interactions`` adds
    triggers, n-ary and nested relations.
    """
    text, spans, bounds = _draw_text(draw, min_sentences, separators)
    mentions = _draw_mentions(draw, text, spans, discontinuous, database_ids)
    home = {mention.id: _sentence_at(bounds, mention.start) for mention in mentions}
    pairs = [
        (a.id, b.id)
        for a, b in itertools.combinations_with_replacement(mentions, 2)
        if across_sentences or home[a.id] == home[b.id]
    ]
    pairs.sort(key=lambda pair: home[pair[0]])
    drawn_relations = _draw_relations(draw, pairs, directed) if relations else []
    triggers: list[Mention] = []
    if interactions and mentions:
        triggers, more = _draw_interactions(draw, text, spans, mentions)
        drawn_relations += more
    listed: tuple[CandidatePair, ...] | None = None
    if candidates and draw(st.booleans()):
        chosen = [pair for pair in pairs if draw(st.booleans())][:6]
        listed = tuple(CandidatePair(f"C{i}", *pair) for i, pair in enumerate(chosen))
    targets = [mention.id for mention in mentions] + [relation.id for relation in drawn_relations]
    drawn_attributes: list[Attribute] = []
    if attributes and targets:
        for number in range(draw(st.integers(0, 2))):
            kind = draw(st.sampled_from(("Negation", "Speculation", "Confidence")))
            drawn_attributes.append(
                Attribute(f"A{number + 1}", kind, draw(st.sampled_from(targets)), draw(st.sampled_from(("", "L1"))))
            )
    groups: tuple[tuple[str, ...], ...] = ()
    if equivalences and len(mentions) > 1 and draw(st.booleans()):
        groups = (tuple(mention.id for mention in mentions[: draw(st.integers(2, len(mentions)))]),)
    document = Document(
        id=identifier,
        text=text,
        sentences=_draw_sentences(draw, identifier, text, spans, bounds, tokens, parses) if sentences else (),
        mentions=(*mentions, *triggers),
        relations=tuple(drawn_relations),
        candidates=listed,
        attributes=tuple(drawn_attributes),
        equivalences=groups,
        passages=_draw_passages(draw, bounds) if passages else (),
        metadata=draw(st.dictionaries(st.sampled_from(("origId", "year", "journal")), words)) if metadata else {},
    ).check()
    if not concept_relations:
        return document
    ids = st.sampled_from(("7157", "NCBIGene:7157", "MESH:D1", "D1|C2", "c|SUB|C|677|T"))
    stated = tuple(
        Relation(f"C{number}", "Association", (Argument("e1", draw(ids)), Argument("e2", draw(ids))))
        for number in range(draw(st.integers(0, 3)))
    )
    return with_mentions_related(replace(document, concept_relations=stated), Remarks(), Path("x"), 1).check()


@st.composite
def corpora(draw: st.DrawFn, *, max_documents: int = 3, **kinds: object) -> list[Document]:
    """A few documents with different ids; keywords as in :func:`documents`."""
    return [
        draw(documents(identifier=f"d{number}", **kinds))  # type: ignore[arg-type]
        for number in range(draw(st.integers(1, max_documents)))
    ]


def _draw_text(
    draw: st.DrawFn, min_sentences: int, separators: tuple[str, ...]
) -> tuple[str, list[_Span], list[tuple[int, int]]]:
    """Text, the words in it, and where its sentences begin and end."""
    parts: list[str] = []
    spans: list[_Span] = []
    bounds: list[tuple[int, int]] = []
    position = 0
    for number in range(draw(st.integers(min_sentences, max(3, min_sentences)))):
        if number:
            parts.append(draw(st.sampled_from(separators)))
            position += len(parts[-1])
        start = position
        for index, word in enumerate(draw(st.lists(words, min_size=1, max_size=6))):
            if index:
                parts.append(" ")
                position += 1
            parts.append(word)
            spans.append(_Span(position, position + len(word), number))
            position += len(word)
        bounds.append((start, position))
    return "".join(parts), spans, bounds


def _sentence_at(bounds: list[tuple[int, int]], position: int) -> int:
    return next(number for number, (start, end) in enumerate(bounds) if start <= position < end)


def _draw_mentions(
    draw: st.DrawFn, text: str, spans: list[_Span], discontinuous: bool, database_ids: bool, *, most: int = 5
) -> list[Mention]:
    mentions: list[Mention] = []
    for _, group in itertools.groupby(spans, key=lambda span: span.sentence):
        in_sentence = list(group)
        for _ in range(draw(st.integers(0, most // 2))):
            size = draw(st.integers(1, min(len(in_sentence), 5)))
            first = draw(st.integers(0, len(in_sentence) - size))
            run = in_sentence[first : first + size]
            parts = ((run[0].start, run[-1].end),)
            if discontinuous and size > 2 and draw(st.booleans()):
                parts = ((run[0].start, run[0].end), (run[2].start, run[-1].end))
            elif run[-1].end - run[0].start > 1 and draw(st.booleans()):  # a part of a word: "GTP" in "GTP-bound"
                parts = ((run[0].start, run[-1].end - 1),)
                if text[parts[0][1] - 1].isspace():
                    parts = ((run[0].start, run[-1].end),)
            ids = draw(st.sampled_from(((), ("NCBIGene:7157",), ("MESH:D1", "UMLS:C2")))) if database_ids else ()
            mentions.append(
                Mention(
                    f"T{len(mentions) + 1}",
                    draw(st.sampled_from(_TYPES)),
                    parts,
                    " ".join(text[start:end] for start, end in parts),
                    ids,
                )
            )
    return mentions


def _draw_relations(draw: st.DrawFn, pairs: list[tuple[str, str]], directed: bool) -> list[Relation]:
    relations = []
    numbers = draw(st.lists(st.integers(0, len(pairs) - 1), max_size=4)) if pairs else []
    for pair in (pairs[number] for number in sorted(numbers)):  # the same pair may be related twice
        roles = draw(st.sampled_from((("e1", "e2"), ("Arg1", "Arg2"), ("agent", "target")))) if directed else ("e1", "e2")
        kind = draw(st.sampled_from(("interaction", "effect", "binds to")))
        ends = pair if draw(st.booleans()) else pair[::-1]
        relations.append(Relation(f"R{len(relations) + 1}", kind, tuple(map(Argument, roles, ends))))
    return relations


def _draw_interactions(
    draw: st.DrawFn, text: str, spans: list[_Span], mentions: list[Mention]
) -> tuple[list[Mention], list[Relation]]:
    triggers: list[Mention] = []
    interactions: list[Relation] = []
    for number in range(draw(st.integers(0, 3))):
        word = draw(st.sampled_from(spans))
        kind = draw(st.sampled_from(("Binding", "Positive_regulation")))
        trigger = Mention(
            f"T{len(mentions) + number + 1}", kind, ((word.start, word.end),), text[word.start : word.end], is_trigger=True
        )
        targets = [mention.id for mention in mentions] + [interaction.id for interaction in interactions]
        chosen = draw(st.lists(st.sampled_from(targets), min_size=1, max_size=len(_ROLES)))
        arguments = tuple(Argument(role, target) for role, target in zip(_ROLES, chosen, strict=False))
        triggers.append(trigger)
        interactions.append(Relation(f"E{number + 1}", kind, arguments, trigger=trigger.id))
    return triggers, interactions


def _draw_sentences(
    draw: st.DrawFn,
    identifier: str,
    text: str,
    spans: list[_Span],
    bounds: list[tuple[int, int]],
    with_tokens: bool,
    with_parses: bool,
) -> tuple[Sentence, ...]:
    sentences = []
    for number, (start, end) in enumerate(bounds):
        tokens: tuple[Token, ...] = ()
        dependencies: tuple[Dependency, ...] = ()
        parser = ""
        if with_tokens and draw(st.booleans()):
            tokens = tuple(
                Token(
                    span.start,
                    span.end,
                    text[span.start : span.end],
                    draw(st.sampled_from(("", "NN", "-LRB-"))),
                    draw(st.sampled_from(("", "bind"))),
                )
                for span in spans
                if span.sentence == number
            )
            if with_parses and draw(st.booleans()):
                parser = draw(st.sampled_from(("file:split_parse", "relhash-biomed_en 0.1")))
                scheme = draw(st.sampled_from(("stanford-collapsed", "craft")))
                ends = st.integers(0, len(tokens) - 1)
                arcs = draw(st.lists(st.tuples(ends, ends, st.sampled_from(_LABELS)), max_size=4))
                dependencies = tuple(Dependency(*arc, scheme) for arc in arcs)
        sentences.append(Sentence(f"{identifier}.s{number}", start, end, tokens, dependencies, parser))
    return tuple(sentences)


def _draw_passages(draw: st.DrawFn, bounds: list[tuple[int, int]]) -> tuple[Passage, ...]:
    if not bounds or draw(st.booleans()):
        return ()
    title = Passage("title", *bounds[0])
    return (title, Passage("abstract", bounds[1][0], bounds[-1][1])) if len(bounds) > 1 else (title,)
