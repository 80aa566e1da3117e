"""The shipped language model by its files: the same that is loaded, and not loaded before it has to work."""

from __future__ import annotations

import pytest

from relhash.corpus import Document
from relhash.language import ParseCache, Pipeline
from relhash.language.spacy_model import ShippedModel
from relhash.resources import resource_path


def test_its_files_say_what_the_loaded_model_says():
    shipped = ShippedModel()
    loaded = shipped.loaded
    assert (shipped.name, shipped.version, shipped.scheme) == (loaded.name, loaded.version, loaded.scheme)
    assert shipped.entity_labels == loaded.entity_labels


def test_a_kept_parse_does_not_load_it(tmp_path, monkeypatch):
    document = Document("d", "Ras binds to Raf.")
    first = Pipeline(cache=ParseCache(tmp_path))(document)
    monkeypatch.setattr(ShippedModel, "loaded", property(lambda self: pytest.fail("loaded")))
    assert Pipeline(cache=ParseCache(tmp_path))(document) == first


@pytest.mark.parametrize("name", ["meta.json", "config.cfg"])
def test_the_fingerprint_changes_with_each_file(name):
    shipped, changed = ShippedModel(), ShippedModel()
    own = resource_path("biomed_en", name).read_bytes()
    changed._files = [content + b" " if content == own else content for content in changed._files]
    assert changed.fingerprint != shipped.fingerprint


def test_recognizers_that_taggers_have_replaced_are_not_loaded():
    model = Pipeline()._model
    assert "chemicals_diseases" not in model.loaded._nlp.pipe_names
    assert {"protein", "chemical", "disease", "cell", "species"} == set(model.entity_labels)


def test_what_is_not_loaded_changes_nothing():
    text = "Aspirin inhibits PTGS2 in patients with asthma. MEK1 binds to ERK2."
    proteins, everything = Pipeline(types=["protein"])(text), Pipeline()(text)
    assert proteins.sentences == everything.sentences
    assert [one.text for one in proteins.mentions] == [one.text for one in everything.mentions if one.type == "protein"]
