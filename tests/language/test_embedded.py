"""The shipped model without spaCy: its numbers, tags and trees are spaCy's own."""

from __future__ import annotations

import subprocess
import sys
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc
from thinc.api import NumpyOps

import relhash
from relhash.corpus import Document
from relhash.errors import LanguageError
from relhash.language import ParseCache, Pipeline
from relhash.language.embedded import ShippedModel, network
from relhash.language.words import words_of_text
from relhash.language.words_alone import Strings, hashed
from relhash.resources import resource_path
from tests.language.spacy_reference import shipped_in_spacy


def spacys(words):
    """What spaCy says of the words: (tag, head, label) of each, and where sentences start."""
    nlp = shipped_in_spacy()
    doc = Doc(nlp.vocab, words=list(words.texts), spaces=list(words.spaces), sent_starts=list(words.starts))
    for name in ("tok2vec", "tagger", "parser"):
        doc = nlp.get_pipe(name)(doc)
    return [(token.tag_, token.head.i, token.dep_) for token in doc], [sentence.start for sentence in doc.sents]


def test_abstracts_are_read_as_by_spacy():
    model = ShippedModel()
    for document in list(relhash.read(resource_path("demo") / "abstracts.jsonl.gz"))[:12]:
        words = words_of_text(Document("d", document.text), model.tokenize)
        ours = model.network.read(words)
        assert (list(zip(ours.tags, ours.heads, ours.labels, strict=True)), ours.starts) == spacys(words)
        assert len(ours.starts) > 1


@settings(max_examples=300, deadline=None)
@given(st.text(min_size=1, max_size=12))
def test_any_word_has_the_numbers_of_spacy(word):
    lexeme = shipped_in_spacy().vocab[word]
    strings = Strings.shipped()
    assert strings.of_parts([word]).tolist() == [[lexeme.norm, lexeme.prefix, lexeme.suffix, lexeme.shape]]
    assert strings.number(word) == lexeme.orth


@pytest.mark.parametrize(
    "word", ["nsubj", "case", "NOUN", "X", "“", "--", "Mex$", "x" * 99, "X" * 100, "aaaaabaaaaa", " ", "İ"]
)
def test_words_that_spacy_numbers_in_another_way(word):
    lexeme = shipped_in_spacy().vocab[word]
    assert Strings.shipped().of_parts([word]).tolist() == [[lexeme.norm, lexeme.prefix, lexeme.suffix, lexeme.shape]]


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1), st.integers(0, 2**32 - 1))
def test_numbers_are_hashed_as_by_spacy(numbers, seed):
    given_numbers = np.array(numbers, np.uint64)
    np.testing.assert_array_equal(hashed(given_numbers, seed), NumpyOps().hash(given_numbers, seed))


def test_raw_text_is_read_without_spacy():
    program = (
        "import sys; from relhash.language import Pipeline; print(len(Pipeline()('Ras binds to Raf.').entities), "
        "{'spacy', 'thinc'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "2 set()\n"


def test_spacy_can_be_imported_afterwards():
    program = (
        "from relhash.language import Pipeline; Pipeline()('Ras binds to Raf.'); import spacy; "
        "print([token.text for token in spacy.blank('en')('Ras binds.')], len(spacy.blank('en').to_bytes()) > 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "['Ras', 'binds', '.'] True\n"


def test_a_kept_parse_does_not_load_it(tmp_path, monkeypatch):
    document = Document("d", "Ras binds to Raf.")
    first = Pipeline(cache=ParseCache(tmp_path))(document)
    monkeypatch.setattr(ShippedModel, "network", property(lambda self: pytest.fail("loaded")))
    assert Pipeline(cache=ParseCache(tmp_path))(document) == first


@pytest.mark.parametrize("name", ["meta.json", "config.cfg"])
def test_the_fingerprint_changes_with_each_file(name):
    shipped, changed = ShippedModel(), ShippedModel()
    own = resource_path("biomed_en", name).read_bytes()
    changed._files = [content + b" " if content == own else content for content in changed._files]
    assert changed.fingerprint != shipped.fingerprint


def test_its_types_are_those_of_the_taggers():
    assert {"protein", "chemical", "disease", "cell", "species"} == set(ShippedModel().entity_labels)


def test_what_is_not_asked_for_changes_nothing():
    text = "Aspirin inhibits PTGS2 in patients with asthma. MEK1 binds to ERK2."
    proteins, everything = Pipeline(types=["protein"])(text), Pipeline()(text)
    assert proteins.sentences == everything.sentences
    assert [one.text for one in proteins.mentions] == [one.text for one in everything.mentions if one.type == "protein"]


@pytest.mark.parametrize("content", [b"nothing", zlib.compress(b"nothing")])
def test_a_damaged_folder_names_the_remedy(tmp_path, content):
    (tmp_path / "pipeline.msgpack.z").write_bytes(content)
    with pytest.raises(LanguageError, match=r"damaged .*reinstall"):
        network(tmp_path)
