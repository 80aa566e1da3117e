"""A loaded model may be shared: what threads read at the same time is what they read one after the other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import relhash
from relhash.corpus.document import Document, Mention, Sentence, Token
from relhash.errors import LanguageError
from relhash.language import ParseSource, Pipeline
from relhash.language.spacy_model import load_model
from relhash.model import FittedModel
from relhash.resources import resource_path
from tests.language.test_pipeline import NASTY, assert_consistent
from tests.language.tiny_language_model import tiny_pipeline

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
    model = FittedModel.load("ppi", cache=False)

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


PROMISED = "Ras catalyzes phosphorylation of Raf, and GTP-bound CDC42 interacts with the PAK1 kinase."


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline()


def arcs(document: Document, sentence: int = 0) -> set[tuple[str, str, str]]:
    words = [token.text for token in document.sentences[sentence].tokens]
    return {(words[arc.head], arc.label, words[arc.dependent]) for arc in document.sentences[sentence].dependencies}


CLAUSES = {
    ("catalyzes", "nsubj", "Ras"), ("catalyzes", "dobj", "phosphorylation"), ("phosphorylation", "prep", "of"),
    ("of", "pobj", "Raf"), ("interacts", "nsubj", "CDC42"), ("CDC42", "amod", "bound"), ("interacts", "prep", "with"),
    ("with", "pobj", "kinase"), ("kinase", "compound", "PAK1"), ("kinase", "det", "the"),
}  # fmt: skip


def test_reads_the_promised_sentence(pipeline):
    document = pipeline(PROMISED)
    assert len(document.sentences) == 1
    assert arcs(document) >= CLAUSES
    assert [(mention.text, mention.type) for mention in document.mentions] == [
        ("Ras", "protein"), ("Raf", "protein"), ("GTP", "chemical"), ("CDC42", "protein"), ("PAK1", "protein"),
    ]  # fmt: skip
    assert {token.text: token.lemma for token in document.sentences[0].tokens}["catalyzes"] == "catalyze"


def test_reads_it_without_a_mistake_when_entities_are_blinded():
    found = arcs(Pipeline(blind=True)(PROMISED))
    assert found >= CLAUSES | {("catalyzes", "conj", "interacts"), ("catalyzes", "cc", "and")}


def test_finds_names_of_each_type(pipeline):
    text = "Aspirin and ibuprofen reduced TNF-alpha expression in patients with breast cancer and diabetes."
    found = {(mention.text, mention.type) for mention in pipeline(text).mentions}
    assert {("Aspirin", "chemical"), ("ibuprofen", "chemical"), ("breast cancer", "disease"), ("diabetes", "disease")} <= found
    assert pipeline.entity_types == ("cell", "chemical", "disease", "protein", "species")


def test_a_drug_is_found_where_chemicals_are_asked_for():
    text = "Imatinib inhibits BCR-ABL and is used to treat chronic myeloid leukemia."
    found = {(mention.text, mention.type) for mention in Pipeline(types=("chemical",))(text).entities}
    assert ("Imatinib", "chemical") in found
    assert not Pipeline(types=("disease",))("Imatinib was given.").entities


def test_splits_sentences_and_names_its_source(pipeline):
    document = pipeline("IL-2 binds IL-2R (Fig. 2A). This was shown by Smith et al. in 1999. We agree.")
    assert [document.text[s.start : s.end] for s in document.sentences][-1] == "We agree."
    source = ParseSource.from_text(document.sentences[0].parser)
    assert (source.name, source.scheme) == ("biomed_en", "craft")


@pytest.mark.parametrize("blind", [False, True])
def test_nasty_text(blind):
    documents = [Document(f"d{number}", text) for number, text in enumerate(NASTY)]
    for document in Pipeline(blind=blind).annotate(documents):
        assert_consistent(document)


def test_batches_do_not_matter(pipeline):
    texts = [PROMISED, "We agree.", *NASTY[3:7], "p53 was phosphorylated by ATM after irradiation (P < 0.05). " * 6] * 2
    documents = [Document(f"d{number}", text) for number, text in enumerate(texts)]
    alone = [pipeline(document) for document in documents]
    for batch_size in (2, 5, 64):
        assert list(Pipeline(batch_size=batch_size).annotate(documents)) == alone


def test_gold_mentions_and_sentences_are_kept(pipeline):
    mention = Mention("T1", "Protein", ((0, 3),), "Ras", ("UniProt:P01112",))
    document = pipeline(Document("d", PROMISED, (Sentence("s", 0, len(PROMISED)),), (mention,)))
    assert document.mentions == (mention,)
    assert document.sentences[0].id == "s"
    assert document.sentences[0].is_parsed


def test_a_model_without_parser_is_refused(tmp_path):
    tiny_pipeline(parser=False).to_disk(tmp_path / "ner_only")
    with pytest.raises(LanguageError, match=r"no dependency parser .*embedded"):
        Pipeline(tmp_path / "ner_only")


def test_an_unknown_model_names_the_remedy(tmp_path):
    with pytest.raises(LanguageError, match="pip install"):
        Pipeline("no_such_package_xyz")
    with pytest.raises(LanguageError, match="no folder with a spaCy model"):
        Pipeline(tmp_path)


def test_scheme_can_be_given(tiny_model):
    assert Pipeline(tiny_model, scheme="stanford-basic").source.scheme == "stanford-basic"
