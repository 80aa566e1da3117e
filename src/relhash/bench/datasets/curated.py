"""Sentences whose pairs curators judged, as labelled text: what a model can learn from :mod:`relhash.bench.datasets.judged`."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, product
from pathlib import Path

from relhash.bench.datasets.judged import JudgedStatement, judged_statements, means
from relhash.corpus.document import Argument, CandidatePair, Document, Mention, Relation
from relhash.model.reading.reader import EMBEDDED, ParseSettings, Reader

JUDGED_BY_CURATORS = "judged by curators"
"""The ``source`` of such documents."""


def is_aside(paper: str) -> bool:
    """Whether a paper is in the quarter that no model learns from: what is said of judged statements is said of these."""
    return zlib.crc32(paper.encode()) % 4 == 0


def judged_documents(root: Path, source: str) -> Iterator[Document]:
    """The sentences of a source with the names that a recogniser finds in them, and the pairs that statements are about.

    Of several pairs of names that may be meant, it is the one whose names stand nearest to each other.
    """
    statements = sorted(dict.fromkeys(judged_statements(root, source)), key=lambda one: (one.paper, one.text))
    texts = [(paper, text, list(own)) for (paper, text), own in groupby(statements, lambda one: (one.paper, one.text))]
    reader = Reader(ParseSettings(EMBEDDED, types=("protein",)), ground=True)
    read = reader.recognised([Document(f"{paper}.{number}", text) for number, (paper, text, _) in enumerate(texts)])
    for document, (paper, _, own) in zip(read, texts, strict=True):
        judged: dict[tuple[str, str], bool] = {}
        for statement in own:
            pair = _meant(statement, document.mentions)
            if pair:
                judged[pair] = judged.get(pair, False) or statement.is_right
        yield replace(
            document,
            mentions=tuple(replace(mention, certainty=1.0) for mention in document.mentions),
            candidates=tuple(CandidatePair(f"P{number}", *pair) for number, pair in enumerate(judged)),
            relations=tuple(
                Relation(f"R{number}", "interaction", (Argument("e1", pair[0]), Argument("e2", pair[1])))
                for number, (pair, is_right) in enumerate(judged.items())
                if is_right
            ),
            metadata={"pmid": paper, "source": JUDGED_BY_CURATORS},
        )


def _meant(statement: JudgedStatement, mentions: Sequence[Mention]) -> tuple[str, str] | None:
    first, second = ([one for one in mentions if means(one, symbol)] for symbol in (statement.first, statement.second))
    pairs = [(one, two) if one.start < two.start else (two, one) for one, two in product(first, second) if one.id != two.id]
    nearest = min(pairs, key=lambda pair: pair[1].start - pair[0].end, default=None)
    return nearest and (nearest[0].id, nearest[1].id)
