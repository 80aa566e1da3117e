"""Objects of other libraries as documents: data frames, and Docs of spaCy. None of these libraries is needed until one comes.

A data frame (pandas, polars, pyarrow, DuckDB, anything with the Arrow C stream or the dataframe interchange protocol) is read
as a spreadsheet with the same columns is (:mod:`relhash.corpus.tables`): texts, or pairs with labels.

A Doc brings its text, its sentences and, where a parser has run, its trees. Its entities count if they are of biomedical types;
those of news text (``ORG``, ``DATE``) are left aside, so that the model looks for names itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from relhash.corpus.document import Dependency, Document, Mention, Sentence, Token
from relhash.corpus.label_scheme import detect_scheme
from relhash.corpus.remarks import Remarks
from relhash.corpus.tables.columns import meaning_of_heading, table_of
from relhash.corpus.tables.reader import table_documents
from relhash.corpus.tables.rows import Record
from relhash.corpus.tables.workbook import text_of_cell
from relhash.errors import CorpusError, DataMissingError, ParameterError

FRAME = Path("data frame")
"""How errors name it."""
_OF_NEWS = {
    "CARDINAL", "DATE", "EVENT", "FAC", "GPE", "LANGUAGE", "LAW", "LOC", "MISC", "MONEY", "NORP", "ORDINAL", "ORG", "PER",
    "PERCENT", "PERSON", "PRODUCT", "QUANTITY", "TIME", "WORK_OF_ART",
}  # fmt: skip
"""Types of entities that models of general English find."""


def is_frame(given: object) -> bool:
    """Whether it is a data frame of some library."""
    is_column = type(given).__name__ in ("Series", "ChunkedArray")
    return any(hasattr(given, name) for name in ("__arrow_c_stream__", "__dataframe__")) and not is_column


def is_doc(given: object) -> bool:
    """Whether it is a Doc of spaCy."""
    return any(f"{kind.__module__}.{kind.__name__}" == "spacy.tokens.doc.Doc" for kind in type(given).__mro__)


def frame_documents(frame: object, text: str | None = None, id: str | None = None) -> Iterator[Document]:
    """The documents of a data frame; ``text`` and ``id`` name its columns, if their names do not say it."""
    columns = _columns(frame)
    for wanted in (text, id):
        if wanted is not None and wanted not in columns:
            raise ParameterError(f"the data frame has no column {wanted!r}; it has {', '.join(map(repr, columns))}")
    headings = []
    for name in columns:
        meaning = meaning_of_heading(name)
        if name in (text, id):
            headings.append("text" if name == text else "id")
        elif (text and meaning in ("text", "marked", "title", "abstract")) or (id and meaning == "id"):
            headings.append("")  # it was said which column is meant
        else:
            headings.append(name)
    rows = zip(*columns.values(), strict=True)
    records = (Record(n, f"row {n}", [_cell(value) for value in row]) for n, row in enumerate(rows))
    remarks = Remarks()

    def leave_out(error: CorpusError) -> None:
        if error.message != "the row has no text":
            raise error
        remarks.add("rows without text (left out)", FRAME, error.where)

    table = table_of([Record(0, "its columns", headings)], records, FRAME)
    yield from table_documents(table, "row", FRAME, leave_out, remarks)
    remarks.report()


def _columns(frame: Any) -> Mapping[str, Sequence[Any]]:
    """Name and values of each column, by the library's own way where it has one, else by Arrow."""
    kind = type(frame).__module__.partition(".")[0]
    if kind == "pandas":
        return {str(name): frame[name].tolist() for name in frame.columns}
    if kind == "polars" and hasattr(frame, "to_dict"):
        return dict(frame.to_dict(as_series=False))
    try:
        import pyarrow as pa
        import pyarrow.interchange as interchange
    except ImportError as error:
        raise DataMissingError(f"a data frame of {kind} is read with pyarrow; pip install 'relhash[parquet]'") from error
    table = pa.table(frame) if hasattr(frame, "__arrow_c_stream__") else interchange.from_dataframe(frame)
    columns: Mapping[str, Sequence[Any]] = table.to_pydict()
    return columns


def _cell(value: object) -> str:
    """A cell as a spreadsheet would show it; what is missing is empty, however the library says so."""
    if (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in ("NAType", "NaTType"):
        return ""
    return text_of_cell(value)


def doc_document(doc: Any, identifier: str) -> Document:
    """A Doc of spaCy as a document."""
    scheme = (detect_scheme(token.dep_ for token in doc) if doc.has_annotation("DEP") else None) or ""
    sentences = []
    for number, span in enumerate(doc.sents if doc.has_annotation("SENT_START") else ()):
        tokens = tuple(Token(t.idx, t.idx + len(t), t.text, t.tag_, t.lemma_) for t in span)
        heads = [(t.head.i - span.start, t.i - span.start, t.dep_) for t in span if scheme and t.head.i != t.i]
        arcs = tuple(Dependency(*head, scheme) for head in heads)
        parser = f"spacy {doc.vocab.lang}" if scheme else ""
        sentences.append(Sentence(f"{identifier}.s{number}", span.start_char, span.end_char, tokens, arcs, parser))
    entities = [span for span in doc.ents if span.label_ not in _OF_NEWS]
    mentions = tuple(
        Mention(
            f"T{number}",
            span.label_,
            ((span.start_char, span.end_char),),
            span.text,
            tuple(filter(None, (span.kb_id_ or span.id_,))),
        )
        for number, span in enumerate(entities, 1)
    )
    return Document(identifier, doc.text, tuple(sentences), mentions).check()
