"""Lemmas: rules, exceptions, and the way into a model's vocabulary and back."""

from __future__ import annotations

import pytest
import spacy

from relhash.language.lemmas import Lemmas

KNOWN = {"bind", "activate", "stop", "study", "kinase", "process", "express", "run"}


@pytest.mark.parametrize(
    ("form", "tag", "lemma"),
    [
        ("kinases", "NNS", "kinase"), ("studies", "VBZ", "study"), ("Studies", "NNS", "study"), ("odd", "JJ", "odd"),
        ("runting", "VBG", "runte"),
        ("activated", "VBN", "activate"),
        ("binding", "VBG", "bind"), ("stopped", "VBD", "stop"), ("expresses", "VBZ", "express"), ("process", "NN", "process"),
        ("running", "VBG", "run"), ("Ras", "NNP", "ras"), ("s", "NNS", "s"), ("apoptosis", "NNS", "apoptosis"), ("", "NN", ""),
    ],
)  # fmt: skip
def test_rules(form, tag, lemma):
    assert Lemmas(KNOWN, {})(form, tag) == lemma


def test_learned_exceptions_and_the_way_through_the_vocabulary(tmp_path):
    seen = [("was", "VBD", "be"), ("Was", "VBD", "be"), ("bound", "VBN", "bind"), ("bound", "VBN", "bind"), ("odd", "VBD", "x")]
    lemmas = Lemmas.learned(seen)
    assert lemmas("was", "VBD") == "be"
    assert lemmas("bound", "VBN") == "bind"
    assert Lemmas.learned([("2A", "NN", "0a")] * 3)("2A", "NN") == "2a"
    assert lemmas("odd", "VBD") == "odd"  # met once: no exception
    nlp = spacy.blank("en")
    assert Lemmas.of(nlp) is None
    lemmas.store_in(nlp)
    nlp.to_disk(tmp_path)
    restored = Lemmas.of(spacy.load(tmp_path))
    assert restored is not None
    assert restored("was", "VBD") == "be"
