"""Data frames of any library, and Docs of spaCy, as documents."""

from __future__ import annotations

from typing import Any

import pytest

from relhash.corpus import unlabelled_pairs
from relhash.corpus.objects import doc_document, frame_documents
from relhash.corpus.read_write import documents_of
from relhash.errors import CorpusError, ParameterError, RelHashWarning

TEXTS = {"pmid": [11, 12], "title": ["RAF1 binds MEK1.", "TNF."], "abstract": ["We show it.", None]}
PAIRS = {
    "sentence": ["Aspirin hits COX1.", "Aspirin meets TNF.", "Aspirin and p53."],
    "drug": ["Aspirin"] * 3,
    "gene": ["COX1", "TNF", "p53"],
    "label": [1, 0, None],
}


class _Interchange:
    """Only what the interchange protocol prescribes."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __dataframe__(self, *given: Any, **options: Any) -> Any:
        return self.table.__dataframe__(*given, **options)


def _frame(library: str, columns: dict[str, list[Any]]) -> Any:
    if library == "pandas":
        return pytest.importorskip("pandas").DataFrame(columns)
    if library == "polars":
        return pytest.importorskip("polars").DataFrame(columns)
    table = pytest.importorskip("pyarrow").table(columns)
    if library == "duckdb":
        return pytest.importorskip("duckdb").from_arrow(table)
    return _Interchange(table) if library == "interchange" else table


LIBRARIES = ["pandas", "polars", "pyarrow", "duckdb", "interchange"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_texts(library: str) -> None:
    first, second = documents_of(_frame(library, TEXTS))
    assert (first.id, first.text) == ("11", "RAF1 binds MEK1.\nWe show it.")
    assert [passage.type for passage in first.passages] == ["title", "abstract"]
    assert (second.id, second.text) == ("12", "TNF.")


@pytest.mark.parametrize("library", LIBRARIES)
def test_labelled_pairs(library: str) -> None:
    yes, no, unknown = documents_of(_frame(library, PAIRS))
    assert [len(document.relations) for document in (yes, no, unknown)] == [1, 0, 0]
    assert [mention.type for mention in yes.mentions] == ["drug", "gene"]
    assert [len(unlabelled_pairs(document)) for document in (yes, no, unknown)] == [0, 0, 1]
    assert yes.id == "row:0"


def test_columns_by_name() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"key": ["a", "b"], "body": ["TNF binds p53.", None], "text": ["not this", "nor this"]})
    with pytest.warns(RelHashWarning, match=r"rows without text \(left out\): 1 \(data frame \[row 1\]\)"):
        assert [(one.id, one.text) for one in frame_documents(frame, text="body", id="key")] == [("a", "TNF binds p53.")]
    with pytest.raises(ParameterError, match="no column 'abstract'; it has 'key', 'body', 'text'"):
        list(frame_documents(frame, text="abstract"))


def test_a_frame_without_text_says_which_columns_it_has() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(CorpusError, match=r"data frame .*no column holds a text \(columns found: 'a'\)"):
        list(documents_of(pandas.DataFrame({"a": [1]})))


def test_a_column_of_texts_is_a_list_of_texts() -> None:
    pandas = pytest.importorskip("pandas")
    texts = pandas.DataFrame(TEXTS)["title"]
    assert [document.text for document in documents_of(texts.iloc[:1])] == ["RAF1 binds MEK1."]


def test_a_parsed_doc_brings_its_trees() -> None:
    spacy = pytest.importorskip("spacy")
    vocab = spacy.blank("en").vocab
    words = ["TNF", "binds", "to", "p53", "."]
    doc = spacy.tokens.Doc(
        vocab, words=words, heads=[1, 1, 1, 2, 1], deps=["nsubj", "ROOT", "prep", "pobj", "punct"],
        tags=["NN"] * 5, sent_starts=[True, False, False, False, False],
    )  # fmt: skip
    (sentence,) = doc_document(doc, "d").sentences
    assert [token.text for token in sentence.tokens] == words
    assert not sentence.dependencies  # prep and pobj are of two schemes: a guess could mislead
    doc[0].dep_ = "compound"
    (sentence,) = doc_document(doc, "d").sentences
    assert [(arc.head, arc.dependent, arc.scheme) for arc in sentence.dependencies][:2] == [(1, 0, "craft"), (1, 2, "craft")]
