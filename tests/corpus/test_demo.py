"""The shipped demo corpora: well-formed, and as hard as their README says."""

from __future__ import annotations

import pytest

from relhash.candidates import build_structures, candidates
from relhash.candidates.paths import PathSet
from relhash.corpus import Document, Sentence
from relhash.corpus.read_write import DEMO_CORPORA, demo_corpora
from relhash.resources import resource_path

CORPORA = demo_corpora()
SENTENCES = [(document, sentence) for corpus in CORPORA for document in corpus for sentence in document.sentences]


def test_size_is_small():
    assert sum(resource_path("demo", f"{name}.jsonl.gz").stat().st_size for name in DEMO_CORPORA) < 1_000_000


@pytest.mark.parametrize(("corpus", "rate"), list(zip(CORPORA, (0.20, 0.30), strict=True)), ids=DEMO_CORPORA)
def test_counts(corpus, rate):
    labels = [candidate.is_positive for candidate in candidates(corpus)]
    assert 100 <= len(corpus) <= 150
    assert 1400 <= len(labels) <= 1700
    assert abs(sum(labels) / len(labels) - rate) < 0.02
    assert all(document.candidates is None for document in corpus)
    assert any(mention.ids for document in corpus for mention in document.mentions)


def test_offsets_match_the_text():
    for document, sentence in SENTENCES:
        document.check()
        for token in sentence.tokens:
            assert document.text[token.start : token.end] == token.text
            assert token.pos
            assert token.lemma
        assert "".join(token.text for token in sentence.tokens) == _sentence_text(document, sentence).replace(" ", "")
    for corpus in CORPORA:
        for document in corpus:
            for mention in document.mentions:
                assert document.text[mention.start : mention.end] == mention.text


def test_every_parse_is_one_tree():
    for _, sentence in SENTENCES:
        heads = {arc.dependent: arc.head for arc in sentence.dependencies}
        assert len(heads) == len(sentence.dependencies) == len(sentence.tokens) - 1
        (root,) = set(range(len(sentence.tokens))) - set(heads)
        for token in range(len(sentence.tokens)):
            steps = 0
            while token != root:
                token, steps = heads[token], steps + 1
                assert steps <= len(heads), f"cycle in {sentence.id}"
        assert {arc.scheme for arc in sentence.dependencies} == {"craft"}
        assert sentence.parser == "demo-grammar"


def test_sentences_look_like_sentences():
    texts = [_sentence_text(document, sentence) for document, sentence in SENTENCES]
    assert len(set(texts)) > 0.99 * len(texts)
    for text in texts:
        assert text.endswith(".")
        assert not any(flaw in text for flaw in ("  ", " ,", " .", ",,", ",.", "( ", " )", "$", "*"))


def test_relations_lie_within_a_sentence():
    for corpus in CORPORA:
        for document in corpus:
            for relation in document.relations:
                first, second = (document.mention_by_id[target] for target in relation.targets)
                assert any(s.start <= first.start and second.end <= s.end for s in document.sentences)


def test_every_pair_has_a_path_and_labels_depend_on_it():
    """Where a path occurs more than once, knowing it leaves at most two thirds of the errors of guessing."""
    for corpus in CORPORA:
        pairs = list(candidates(corpus))
        paths = build_structures(pairs, ["path+edges"])["path+edges"]
        assert isinstance(paths, PathSet)
        assert not any(label in ("<SHARED>", "<DISCONNECTED>") for label in paths.vocabulary)
        by_path: dict[tuple[str, ...], list[bool]] = {}
        for path, pair in zip(paths, pairs, strict=True):
            by_path.setdefault(tuple(path), []).append(pair.is_positive)
        repeated = [labels for labels in by_path.values() if len(labels) > 1]
        errors = sum(min(sum(labels), len(labels) - sum(labels)) for labels in repeated)
        positive, total = sum(map(sum, repeated)), sum(map(len, repeated))
        assert errors < 2 / 3 * min(positive, total - positive)


def _sentence_text(document: Document, sentence: Sentence) -> str:
    return document.text[sentence.start : sentence.end]
