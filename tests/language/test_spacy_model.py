"""A loaded model may be shared: what threads read at the same time is what they read one after the other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import relhash
from relhash.corpus.document import Document, Sentence, Token
from relhash.language import Pipeline
from relhash.language.spacy_model import load_model
from relhash.models import RelationExtractor
from relhash.resources import resource_path

pytest_plugins = ["tests.language.tiny_model_fixture"]

THREADS = 4


@pytest.fixture(scope="module")
def texts() -> list[Document]:
    documents = relhash.read(resource_path("demo") / "abstracts.jsonl.gz").documents[:24]
    return [Document(document.id, document.text) for document in documents]


def test_threads_share_a_pipeline(texts: list[Document]) -> None:
    """Regression: 19 of 24 calls failed, because ``select_pipes`` of one thread switched the parser of another off."""
    pipeline = Pipeline()
    one_by_one = [pipeline(text) for text in texts]
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(pipeline, texts)) == one_by_one


def test_threads_share_a_model_that_reads_raw_text(texts: list[Document]) -> None:
    model = RelationExtractor.load("ppi", cache=False)

    def rows(text: Document) -> list[tuple[str, ...]]:
        return [(str(one.candidate), one.relation, repr(one.probability)) for one in model.predict([text], all_candidates=True)]

    one_by_one = [rows(text) for text in texts]
    assert sum(map(len, one_by_one)) > 20
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(rows, texts)) == one_by_one


def test_threads_that_make_their_own_pipeline_share_what_is_loaded(tiny_model: Path) -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        models = list(pool.map(lambda _: load_model(tiny_model), range(THREADS)))
    assert len({id(model._nlp) for model in models}) == 1
    assert len({id(model._lock) for model in models}) == 1
    with ThreadPoolExecutor(THREADS) as pool:
        read = list(pool.map(lambda _: Pipeline(tiny_model)("Ras binds Raf. Raf binds MEK."), range(3 * THREADS)))
    assert all(document == read[0] for document in read)


def test_the_vocabulary_does_not_grow_with_what_is_parsed(tiny_model: Path) -> None:
    pipeline = Pipeline(tiny_model)
    strings = pipeline._model._nlp.vocab.strings
    pipeline(_tokenized("unheard"))
    before = len(strings)
    for number in range(5):
        pipeline(_tokenized(f"unseen{number}"))
    assert len(strings) == before


def _tokenized(word: str) -> Document:
    """A sentence that brings its tokens: the tokenizer, which remembers words for speed, has nothing to do."""
    text = f"{word} binds {word}x"
    ends = [len(word), len(word) + 6, len(text)]
    starts = [0, len(word) + 1, len(word) + 7]
    tokens = tuple(Token(start, end, text[start:end]) for start, end in zip(starts, ends, strict=True))
    return Document(word, text, (Sentence("s", 0, len(text), tokens),))
