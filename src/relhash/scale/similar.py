"""Sentences like this one: the codes nearest to that of a marked sentence, by exact search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from relhash.corpus.document import Document, Mention, Sentence, spanned_text
from relhash.corpus.tables.places import unmarked
from relhash.errors import CorpusError, ParameterError
from relhash.hashing.hamming import as_columns, nearest_in_columns
from relhash.models import FittedModel
from relhash.scale.code_table import CodeTable, read_code_table

SIMILAR_COLUMNS = ("query", "distance", "document", "entity1", "entity2", "marked")
"""Columns of the answer, in this order."""


def similar(
    model: FittedModel, path: Path, marked: Sequence[str], *, n: int = 10, types: tuple[str, str] | None = None
) -> Iterator[dict[str, Any]]:
    """For each marked sentence (``[E1]RAF1[/E1] binds [E2]MEK1[/E2]``) the ``n`` rows of the table with the nearest codes.

    Nearest first; among equally near ones that of the smaller row number. ``types`` are those of the two entities, by default
    one that the model knows.

    Raises
    ------
    ParameterError
        A sentence without two marked entities, or one in which they are no candidate of the model.
    CorpusError
        A table without codes, or with those of another model.
    """
    queries = [_document(number, text, types or _types(model)) for number, text in enumerate(marked)]
    hashed = {
        one.document.id: code for found, codes in model.hash_stream(queries) for one, code in zip(found, codes, strict=True)
    }
    for document in queries:
        if document.id not in hashed:
            raise ParameterError(
                f"the two entities of {document.text!r} are no candidate of this model: they must stand in one sentence, and "
                "be of types that it relates (--types)"
            )
    table = read_code_table(path, model.n_bits)
    _check_model(table, model)
    codes = np.stack([hashed[document.id] for document in queries])
    distances, indices = nearest_in_columns(codes, as_columns(table.codes), min(n, len(table)))
    rows = table.rows(indices.ravel().tolist())
    for text, near, found in zip(marked, distances.tolist(), indices.tolist(), strict=True):
        for distance, number in zip(near, found, strict=True):
            yield {**rows[number], "query": text, "distance": distance}


def _document(number: int, marked: str, types: tuple[str, str]) -> Document:
    try:
        text, *places = unmarked(marked)
    except CorpusError as error:
        raise ParameterError(f"{marked!r}: {error.message}; {error.remedy}") from None
    name = f"query{number + 1}"
    mentions = [
        Mention(f"{name}.e{place}", type, spans, spanned_text(text, spans))
        for place, (type, spans) in enumerate(zip(types, places, strict=True), 1)
    ]
    return Document(name, text, (Sentence(f"{name}.s", 0, len(text)),), tuple(mentions))


def _types(model: FittedModel) -> tuple[str, str]:
    """A pair of types that the model relates: what its card names first."""
    pairs = model.pair_types.as_list() or [model.card.get("entity_types") or ["protein"]]
    first = pairs[0]
    return str(first[0]), str(first[-1])


def _check_model(table: CodeTable, model: FittedModel) -> None:
    version = model.identity.version if model.identity else ""
    if version and table.versions and table.versions != {version}:
        raise CorpusError(
            f"its codes were made by version {', '.join(sorted(table.versions))} of a model, not by {version}; codes of two "
            "models cannot be compared",
            path=table.path,
            remedy="make them again: relhash hash MODEL TEXT -o codes.parquet",
        )
