"""Tables and objects of other libraries as documents: data frames, Parquet files, Docs of spaCy. None of them is needed before.

A data frame (pandas, polars, pyarrow, DuckDB, anything with the Arrow C stream or the dataframe interchange protocol) is read
as a spreadsheet with the same columns is (:mod:`relhash.corpus.tables`): texts, or pairs with labels.

A Parquet file has its text in the column ``text``, or in ``title`` and ``abstract``, a line each. The id is in ``id``,
``document``, ``pmid`` or ``doc_id``; without such a column a document is called after the file and the row (``abstracts:12``).
A file with the columns of BigBIO's schema holds annotated documents. It is read some rows at a time.

A Doc brings its text, its sentences and, where a parser has run, its trees. Its entities count if they are of biomedical types;
those of news text (``ORG``, ``DATE``) are left aside, so that the model looks for names itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from relhash.corpus.bigbio import COLUMNS as BIGBIO
from relhash.corpus.bigbio import bigbio_document
from relhash.corpus.conllu import detect_scheme
from relhash.corpus.document import Dependency, Document, Mention, Sentence, Token
from relhash.corpus.remarks import OnError, Remarks, without_broken
from relhash.corpus.tables.columns import meaning_of_heading, table_of
from relhash.corpus.tables.reader import table_documents
from relhash.corpus.tables.sheets import Record, text_of_cell
from relhash.errors import CorpusError, DataMissingError, ParameterError

ROWS_AT_A_TIME = 1000
IDS = ("id", "document", "pmid", "doc_id")
TEXTS = (("text",), ("title", "abstract"), ("abstract",))
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
    mentions = tuple(
        Mention(f"T{n}", one.label_, ((one.start_char, one.end_char),), one.text, tuple(filter(None, (one.kb_id_ or one.id_,))))
        for n, one in enumerate((span for span in doc.ents if span.label_ not in _OF_NEWS), 1)
    )
    return Document(identifier, doc.text, tuple(sentences), mentions).check()


def read_parquet(path: Path, *, on_error: OnError = None, remarks: Remarks | None = None) -> Iterator[Document]:
    """The rows of a Parquet file as documents; memory does not grow with the file."""
    noted = remarks or Remarks()

    def convert(numbered: tuple[int, Mapping[str, Any]]) -> Document:
        number, row = numbered
        if row.keys() >= BIGBIO:
            return bigbio_document(row, path, number, noted)
        return _parquet_document(path, number, row)

    return without_broken(_parquet_rows(path), convert, on_error)


def _parquet_rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows with their numbers, cells by the names of columns in small letters; only the columns that count."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise DataMissingError(
            f"{path}: Parquet needs pyarrow, which is not installed; pip install 'relhash[parquet]'"
        ) from error
    try:
        with pq.ParquetFile(path) as file:
            names = {name.lower(): name for name in file.schema_arrow.names}
            texts = next((found for found in TEXTS if names.keys() >= set(found)), None)
            if texts is None and not names.keys() >= BIGBIO:
                raise CorpusError(
                    f"no column of text; it has {', '.join(names.values())}", path, remedy="call the column 'text'"
                )
            wanted = [*names] if names.keys() >= BIGBIO else [*(texts or ()), *(name for name in IDS if name in names)]
            batches = file.iter_batches(ROWS_AT_A_TIME, columns=[names[name] for name in wanted])
            rows = (row for batch in batches for row in batch.to_pylist())
            for number, row in enumerate(rows, 1):
                yield number, {name.lower(): value for name, value in row.items()}
    except (pa.ArrowException, OSError) as error:
        raise CorpusError(f"not a Parquet file ({error})", path) from error


def _parquet_document(path: Path, number: int, row: Mapping[str, Any]) -> Document:
    texts = next(found for found in TEXTS if row.keys() >= set(found))
    parts = [row[name] for name in texts]
    if not all(part is None or isinstance(part, str) for part in parts):
        raise CorpusError(f"column {texts[0]!r} holds no text", path, number)
    text = "\n".join(part for part in parts if part)
    if not text.strip():
        raise CorpusError("a row without text", path, number)
    named = next((row[name] for name in IDS if name in row), None)
    return Document(f"{path.stem}:{number}" if named is None else str(named), text).check(str(path))
