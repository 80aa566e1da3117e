"""The frozen model: shared by threads, changed only into another one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from relhash.errors import ParameterError
from relhash.learn.end_to_end import SOMETHING_ELSE, EndToEnd
from relhash.model import FittedModel
from relhash.model.reading.found_names import names_of


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
    from relhash.model import RelationExtractor

    model = RelationExtractor(parts=("raw-descriptors",), classifier="forest").fit(abstracts).model_
    with pytest.raises(ParameterError, match="no hash functions"):
        model.hashcodes(fulltext)


def test_it_says_what_it_is(model):
    assert repr(model).startswith("FittedModel('best', learned from ")


@pytest.fixture(scope="module")
def doubtful(fulltext):
    """The same text, as if a tagger had found the names in it."""

    def doubted(document):
        mentions = tuple(replace(m, certainty=0.5 if n % 2 else 0.98) for n, m in enumerate(document.mentions))
        return replace(document, mentions=mentions)

    return [doubted(document) for document in fulltext.documents]


class TestNamesThatATaggerFound:
    def test_their_certainty_enters_the_probability(self, model, fulltext, doubtful):
        sure, unsure = model.predict_proba(fulltext), model.predict_proba(doubtful)
        found = model.candidates(doubtful)
        certainty = [np.prod([m.certainty for m in one.mentions]) for one in found]
        expected = np.clip(sure, 1e-4, 1 - 1e-4) * certainty
        # names that the words around them make something else (a domain, an antibody) are doubted beyond that
        names = names_of(found)
        are_doubted = names.hints[..., [names.of_names.index(hint) for hint in SOMETHING_ELSE]].any(axis=(1, 2))
        np.testing.assert_allclose(unsure[~are_doubted], expected[~are_doubted])
        assert are_doubted.any()
        assert (unsure[are_doubted] < expected[are_doubted]).all()
        assert model.predict_proba(doubtful[3:4]).tolist() == [
            p for p, one in zip(unsure, model.candidates(doubtful), strict=True) if one.document.id == doubtful[3].id
        ]

    def test_names_more_likely_wrong_than_right_are_not_accepted(self, model, fulltext, doubtful):
        accepted = {one.candidate.key for one in model.predict(fulltext)}
        found = model.predict(doubtful)
        assert found
        certainty = {one.candidate.key: np.prod([m.certainty for m in one.candidate.mentions]) for one in found}
        assert accepted.issuperset(certainty)
        assert min(certainty.values()) >= 0.5

    def test_a_threshold_acts_on_the_probability_that_is_shown(self, model, doubtful):
        strict = model.accepting_from(0.4).keeping("negated", "questioned")
        everything = strict.predict(doubtful, all_candidates=True)
        assert {one.is_relation for one in everything if one.probability >= 0.4} == {True}
        assert {one.is_relation for one in everything if one.probability < 0.4} == {False}

    def test_a_calibration_of_its_own_is_kept_in_the_file(self, model, doubtful, tmp_path):
        own = replace(model, end_to_end=EndToEnd(1.2, -0.5, 0.9, 0.1, {"id": 0.3}, {"fusion": -2.0}, {"binds": 0.5}, 0.35))
        own.save(tmp_path / "own.relhash")
        again = FittedModel.load(tmp_path / "own.relhash")
        assert again.end_to_end == own.end_to_end
        np.testing.assert_array_equal(again.predict_proba(doubtful), own.predict_proba(doubtful))
        assert all(one.probability >= 0.35 for one in again.predict(doubtful))


def test_only_the_types_that_were_asked_for_are_related(small_model, fulltext):
    model = small_model.model_
    assert len(model.relating([("gene", "protein")]).candidates(fulltext)) == len(model.candidates(fulltext)) > 0
    assert model.relating([("protein", "chemical")]).candidates(fulltext) == []
