"""The frozen model: shared by threads, changed only into another one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from relhash.errors import ParameterError
from relhash.models import FittedModel


@pytest.fixture(scope="module")
def model(rich_model) -> FittedModel:
    return rich_model.model_


def test_nothing_can_be_assigned(model):
    with pytest.raises(FrozenInstanceError):
        model.decision = None


def test_threads_may_share_it(model, fulltext):
    """Four threads at once say of each document what one says of it alone."""
    documents = [[document] for document in fulltext.documents] * 3
    alone = [model.scores(one) for one in documents[: len(fulltext.documents)]] * 3
    with ThreadPoolExecutor(4) as threads:
        for given, expected in zip(threads.map(model.scores, documents), alone, strict=True):
            np.testing.assert_array_equal(given, expected)


def test_another_threshold_is_another_model(model, fulltext):
    everything = model.predict(fulltext, all_candidates=True)
    strict = model.accepting_from(0.8)
    assert [p.candidate.key for p in strict.predict(fulltext)] == [p.candidate.key for p in everything if p.probability >= 0.8]
    assert model.decision.threshold.strategy == "fraction"


def test_fewer_pairs_are_another_model(model, fulltext):
    with pytest.warns(UserWarning, match="pairs"):
        assert len(model.with_max_pairs(1).candidates(fulltext)) < len(model.candidates(fulltext))


def test_hashcodes_of_a_model_without_hash_functions(abstracts, fulltext):
    from relhash.models import RelationExtractor

    model = RelationExtractor(parts=("raw-descriptors",), classifier="forest").fit(abstracts).model_
    with pytest.raises(ParameterError, match="no hash functions"):
        model.hashcodes(fulltext)


def test_it_says_what_it_is(model):
    assert repr(model).startswith("FittedModel('best', learned from ")
