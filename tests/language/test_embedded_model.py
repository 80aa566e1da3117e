"""The model that ships: it reads the sentences we promise, anything else without error, and the same in any batch."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest

from relhash.corpus.document import Document, Mention, Sentence
from relhash.errors import LanguageError
from relhash.language import ParseSource, Pipeline
from relhash.language.compact import is_compact, load_compact
from relhash.resources import resource_path
from tests.language.test_pipeline import NASTY, assert_consistent

PROMISED = "Ras catalyzes phosphorylation of Raf, and GTP-bound CDC42 interacts with the PAK1 kinase."
FOLDER = resource_path("biomed_en")


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
        ("Ras", "protein"), ("Raf", "protein"), ("CDC42", "protein"), ("PAK1 kinase", "protein"),
    ]  # fmt: skip
    assert {token.text: token.lemma for token in document.sentences[0].tokens}["catalyzes"] == "catalyze"


def test_reads_it_without_a_mistake_when_entities_are_blinded():
    found = arcs(Pipeline(blind=True)(PROMISED))
    assert found >= CLAUSES | {("catalyzes", "conj", "interacts"), ("catalyzes", "cc", "and")}


def test_finds_the_three_types(pipeline):
    text = "Aspirin and ibuprofen reduced TNF-alpha expression in patients with breast cancer and diabetes."
    found = {(mention.text, mention.type) for mention in pipeline(text).mentions}
    assert {("Aspirin", "chemical"), ("ibuprofen", "chemical"), ("breast cancer", "disease"), ("diabetes", "disease")} <= found
    assert pipeline.entity_types == ("chemical", "disease", "protein")


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


def test_the_folder_is_small_and_says_where_it_comes_from():
    assert is_compact(FOLDER)
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 15_000_000
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    for word in ("CRAFT", "BC2GM", "BC5CDR", "CC BY", "train_language_model.py", "UAS", "LAS"):
        assert word in card
    meta = json.loads((FOLDER / "meta.json").read_text(encoding="utf-8"))
    assert (meta["name"], meta["dependency_scheme"]) == ("biomed_en", "craft")


def test_a_damaged_folder_names_the_remedy(tmp_path: Path):
    for path in FOLDER.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "pipeline.msgpack.z").write_bytes(zlib.compress(b"nothing"))
    with pytest.raises(LanguageError, match=r"damaged .*reinstall"):
        load_compact(tmp_path)
    (tmp_path / "pipeline.msgpack.z").write_bytes(b"nothing")
    with pytest.raises(LanguageError, match=r"damaged .*reinstall"):
        Pipeline(tmp_path)
