"""RelHash in a pipeline of spaCy: ``nlp.add_pipe("relhash", config={"model": "ppi"})``, then ``doc._.relations``.

The model reads the text of the Doc in its sentences. Entities of biomedical types that the pipeline has found are taken as they
are; without any the model looks for names itself. Trees of the pipeline are used by models that were fitted on trees of files;
a model that parses by itself does so here too, because another parser's trees would mislead it.

What was found is kept in the Doc as plain data and spans, so that it passes through ``nlp.pipe(n_process=2)``, ``Doc.to_bytes``
and ``DocBin(store_user_data=True)``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from spacy.language import Language
from spacy.tokens import Doc, Span

from relhash.corpus.objects import doc_document
from relhash.model.fitted import FittedModel
from relhash.model.tables.columns import table_columns

KEY = "relhash"
"""Of ``doc.user_data`` (rows of relations) and ``doc.spans`` (their participants, with ids)."""


@dataclass(frozen=True, slots=True)
class DocRelation:
    """A relation of a Doc: two spans (``span.label_`` is the type, ``span.kb_id_`` the id) and what is said of them."""

    first: Span
    second: Span
    row: dict[str, Any]
    """All that a table of ``relhash predict`` has in a row."""

    @property
    def relation(self) -> str:
        return str(self.row["relation"])

    @property
    def probability(self) -> float:
        return float(self.row["probability"])

    def __repr__(self) -> str:
        return f"<{self.first.text} – {self.relation} – {self.second.text} ({self.probability:.2f})>"


class RelHashComponent:
    """The component; its model is loaded when the first Doc comes."""

    def __init__(self, model: str, threshold: float | None, types: str | None, all_candidates: bool) -> None:
        self.path, self.threshold, self.types, self.all_candidates = model, threshold, types, all_candidates

    @cached_property
    def model(self) -> FittedModel:
        return FittedModel.load(self.path).adjusted(threshold=self.threshold, types=self.types)

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Docs in their order; a batch of them is read at a time."""
        docs = iter(stream)
        while batch := list(itertools.islice(docs, batch_size)):
            documents = (doc_document(doc, f"doc{number}") for number, doc in enumerate(batch))
            judged = self.model.annotate(documents, all_candidates=self.all_candidates)
            for doc, (_, predictions) in zip(batch, judged, strict=True):
                columns = [name for name in table_columns() if name != "document"]
                rows = [{name: row.get(name) for name in columns} for row in (one.as_row() for one in predictions)]
                doc.user_data[KEY] = rows
                doc.spans[KEY] = [_span(doc, row, end) for row in rows for end in (1, 2)]
                yield doc


def _span(doc: Doc, row: dict[str, Any], end: int) -> Span:
    """The words of a participant; names that are parts of words take the whole word."""
    start, stop = int(row[f"start{end}"]), int(row[f"end{end}"])
    identifier = str(row[f"ids{end}"]).partition(";")[0]
    found = doc.char_span(start, stop, label=row[f"type{end}"], kb_id=identifier, alignment_mode="expand")
    return cast(Span, found)  # there is one wherever the text is not empty


def _relations(doc: Doc) -> list[DocRelation]:
    spans = list(doc.spans.get(KEY, ()))
    rows = doc.user_data.get(KEY, ())
    return [DocRelation(first, second, row) for first, second, row in zip(spans[::2], spans[1::2], rows, strict=True)]


Doc.set_extension("relations", getter=_relations, force=True)


@Language.factory(
    "relhash",
    assigns=["doc._.relations"],
    default_config={"model": "ppi", "threshold": None, "types": None, "all_candidates": False},
)
def make_component(
    nlp: Language, name: str, model: str, threshold: float | None, types: str | None, all_candidates: bool
) -> RelHashComponent:
    """The factory behind ``nlp.add_pipe("relhash", config=…)``: ``model``, ``threshold`` and ``types`` are those of
    ``relhash predict``, ``all_candidates`` shows also what is not accepted."""
    return RelHashComponent(model, threshold, types, all_candidates)
