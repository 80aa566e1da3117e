"""Two sources of parses side by side: on which share of the candidate pairs do they show the same path?

Protein names break general parsers; whether it pays to replace them by a placeholder before parsing is answered by comparing,
on corpora that carry parses of another parser, the paths of both after collapsing to the same scheme.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from relhash.corpus.document import Document
from relhash.language import Pipeline
from relhash.language.schemes import collapse_document
from relhash.structures import build_structures, candidates


@dataclass(frozen=True, slots=True)
class PathAgreement:
    """Shares of the candidates, between 0 and 1."""

    same_words: float
    """The same words on the path."""
    same_path: float
    """The same words and the same dependencies."""
    n_candidates: int


def reparsed(documents: Sequence[Document], pipeline: Pipeline) -> list[Document]:
    """The documents with the pipeline's parses, collapsed; ``pipeline`` must be made with ``reparse=True``."""
    return [collapse_document(document) for document in pipeline.annotate(documents)]


def path_agreement(first: Sequence[Document], second: Sequence[Document]) -> PathAgreement:
    """Agreement of two parses of the same documents, both in one scheme (see :func:`reparsed`)."""
    views = ("path", "path+edges")
    left = build_structures(candidates(first), views)
    right = build_structures(candidates(second), views)
    total = len(left)
    if len(right) != total:
        raise ValueError(f"{total} and {len(right)} candidates: not two parses of the same documents")
    words, paths = (
        sum(a == b for a, b in zip(left[view], right[view], strict=True)) / max(total, 1) for view in views
    )  # fmt: skip
    return PathAgreement(words, paths, total)
