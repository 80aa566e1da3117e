"""Small parts of the embedded corpora and a model that is fitted in a moment."""

from __future__ import annotations

import pytest

import relhash
from relhash.corpus import Corpus
from relhash.learn import ForestClassifier, LinearClassifier
from relhash.model import RelationExtractor
from relhash.resources import resource_path

SMALL = {"learner": {"n_bits": 24}, "classifier": ForestClassifier(15)}


def part(name: str, n: int) -> Corpus:
    return Corpus.of(list(relhash.read(resource_path("demo") / f"{name}.jsonl.gz"))[:n], name)


@pytest.fixture(scope="session")
def abstracts() -> Corpus:
    return part("abstracts", 40)


@pytest.fixture(scope="session")
def fulltext() -> Corpus:
    return part("fulltext", 25)


@pytest.fixture(scope="session")
def small_model(abstracts, fulltext) -> RelationExtractor:
    return RelationExtractor("KLSH-NU-RF", **SMALL, random_state=1).fit(abstracts, adapt_to=fulltext)


@pytest.fixture(scope="session")
def rich_model(abstracts, fulltext) -> RelationExtractor:
    """All feature parts in one linear model."""
    extractor = RelationExtractor(
        "best",
        views=("path+edges", "between", "descriptors"),
        parts=("bits", "descriptors", "ngrams"),
        learner={"n_bits": 12, "n_references": (4,), "split": "random"},
        classifier=LinearClassifier(0.1),
    )
    return extractor.fit(abstracts, adapt_to=fulltext)
