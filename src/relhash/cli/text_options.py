"""Options and remarks that every command with a text to read has in common."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from relhash.corpus import Document
    from relhash.models import RelationExtractor

__all__ = ["AmrOption", "CacheOption", "FormatOption", "LexiconOption", "MaxPairsOption", "no_entities", "with_graphs"]

FormatOption = Annotated[
    str | None,
    typer.Option("--format", metavar="FORMAT", help="Format of the input; by default found by suffix and content."),
]
LexiconOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Names to find in text without annotated entities, beside those that are recognised: a TSV of name, id, type.",
        dir_okay=False,
    ),
]
AmrOption = Annotated[
    Path | None,
    typer.Option(
        "--amr",
        metavar="DIR",
        help="Meaning graphs of the sentences, in the place of parses: a PENMAN file or a folder of them, found by '# ::snt'.",
    ),
]
MaxPairsOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="How many pairs of a sentence are looked at, the closest ones; a warning names a sentence that has more. By "
        "default 10,000, or what the model says.",
    ),
]
CacheOption = Annotated[
    bool, typer.Option("--cache/--no-cache", help="Keep parses in the cache folder (relhash info), so that they are made once.")
]


def with_graphs(documents: Iterable[Document], amr: Path | None) -> Iterable[Document]:
    """The documents, on the meaning graphs below ``amr`` if any are given."""
    if amr is None:
        return documents
    from relhash.language.amr.collection import GraphCollection

    return GraphCollection.read(amr).on_all(documents)


def no_entities(extractor: RelationExtractor, path: Path) -> str:
    """What to say when not one entity was met, so that nothing can have been found."""
    from relhash.models.parses import REMEDY

    if extractor.parses_.uses_pipeline:
        return f"{path}: no entity was recognised in this text; names that the pipeline does not know can be given (--lexicon)"
    return f"{path}: no entities are annotated in this text, so there is nothing to relate; for raw text {REMEDY}"
