"""The shipped model of pairs of any types: by itself, and as the prior of text that ppi does not fit."""

from __future__ import annotations

import pytest

from relhash.corpus import Corpus, Document, Mention
from relhash.corpus.read_write import demo_corpora
from relhash.model import FittedModel, RelationExtractor
from relhash.model.model_file import shipped_models
from tests.model.changed_text import of_chemicals


@pytest.fixture(scope="module")
def model() -> FittedModel:
    return FittedModel.load("related", cache=False)


def test_it_is_small_and_says_what_it_was_made_from() -> None:
    assert shipped_models()["related"].stat().st_size <= 2_500_000
    assert "NERO" in (shipped_models()["related"].parent / "README.md").read_text()


def test_it_tells_statements_from_neighbours_whatever_they_are(model: FittedModel) -> None:
    def marked(text: str) -> Document:
        start, end = text.index("Alpha"), text.index("Beta")
        mentions = (
            Mention("T1", "gadget", ((start, start + 5),), "Alpha"),
            Mention("T2", "widget", ((end, end + 4),), "Beta"),
        )
        return Document(text[:20], text, mentions=mentions)

    texts = ("Alpha strongly inhibits Beta in cells.", "We bought Alpha, Beta and tubes.")
    stated, beside = model.scores([marked(text) for text in texts])
    assert stated > beside


def test_it_is_the_prior_of_text_about_other_things_than_proteins() -> None:
    corpus = of_chemicals(demo_corpora()[0].documents[:40])
    fitted = RelationExtractor(learner={"n_bits": 10}, views=["between"], parses="embedded").fit(corpus, labels=60).model_
    assert fitted.card["prior"]["name"] == "related"
    plain = RelationExtractor(learner={"n_bits": 10}, views=["between"], parses="embedded")
    proteins = plain.fit(Corpus.of(demo_corpora()[0].documents[:40]), labels=60).model_
    assert proteins.card["prior"]["name"] == "ppi"
