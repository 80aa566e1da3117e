"""The corpora as files that spaCy trains from: trees, chemicals and diseases (genes have a tagger: ``tools/train_genes.py``).

The corpora of entities annotate different classes, so each trains its own recognizer: a chemical in a gene corpus is then no
counterexample. The last 30% of each development file choose the checkpoint, the rest is trained on; test files are never read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from language_model.entities import entity_document
from language_model.tokenization import use_biomedical_tokenizer
from language_model.treebank import laid_over
from relhash.bench.datasets.language_gold import entity_sentences, split_articles, tree_paragraphs
from relhash.corpus.document import Document, Sentence

RECOGNIZERS = {"chemicals_diseases": ("BC5CDR-IOB",)}
"""Recognizer → the corpora of ``ner/`` that annotate all of its classes."""
TOKENS_A_DOCUMENT = 90


def prepare(data: Path, work: Path) -> None:
    """Write ``NAME_train.spacy`` and ``NAME_dev.spacy`` for ``syntax`` and each recognizer to ``work``."""
    nlp = use_biomedical_tokenizer(spacy.blank("en"))
    train, dev, _ = split_articles(data / "treebank" / "craft")
    for part, articles in (("train", train), ("dev", dev)):
        pieces = (piece for path in articles for paragraph in tree_paragraphs(path) for piece in _pieces(paragraph))
        _write((doc for piece in pieces if (doc := laid_over(nlp, piece)) is not None), work / f"syntax_{part}.spacy")
    for name, folders in RECOGNIZERS.items():
        for part in ("train", "dev"):
            _write(_entity_documents(nlp, data, folders, part), work / f"{name}_{part}.spacy")


def _entity_documents(nlp: Language, data: Path, folders: Iterable[str], part: str) -> Iterator[Doc]:
    for folder in folders:
        development = list(entity_sentences(data / "ner" / folder / "devel.tsv"))
        cut = len(development) * 7 // 10
        chosen = [*entity_sentences(data / "ner" / folder / "train.tsv"), *development[:cut]]
        for sentence in chosen if part == "train" else development[cut:]:
            yield entity_document(nlp, sentence)


def _pieces(paragraph: Document) -> Iterator[Document]:
    """The paragraph in pieces of whole sentences: beyond a hundred tokens spaCy works out, at great cost, where to cut."""
    piece: list[Sentence] = []
    for sentence in paragraph.sentences:
        if piece and sum(len(kept.tokens) for kept in (*piece, sentence)) > TOKENS_A_DOCUMENT:
            yield Document(paragraph.id, paragraph.text, tuple(piece))
            piece = []
        piece.append(sentence)
    yield Document(paragraph.id, paragraph.text, tuple(piece))


def _write(docs: Iterable[Doc], path: Path) -> None:
    DocBin(docs=docs).to_disk(path)


def measured_sentences(data: Path) -> Iterator[str]:
    """Every sentence that something is measured or chosen on: word vectors must not have seen it."""
    for path in sorted(data.glob("ner/*/test.tsv")):
        yield from (sentence.text for sentence in entity_sentences(path))
    _, dev, held_out = split_articles(data / "treebank" / "craft")
    for path in (*dev, *held_out):
        for paragraph in tree_paragraphs(path):
            yield from (paragraph.text[sentence.start : sentence.end] for sentence in paragraph.sentences)


def tree_tokens(data: Path) -> Iterator[tuple[str, str, str]]:
    """(form, tag, lemma) of every token of the training articles."""
    for path in split_articles(data / "treebank" / "craft")[0]:
        for paragraph in tree_paragraphs(path):
            for sentence in paragraph.sentences:
                yield from ((token.text, token.pos, token.lemma) for token in sentence.tokens)
