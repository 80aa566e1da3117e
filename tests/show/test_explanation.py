from __future__ import annotations

import numpy as np
import pytest

from relhash.show.explanation import explain
from tests.model.conftest import part


@pytest.fixture(scope="module")
def texts():
    return part("abstracts", 40), part("fulltext", 15)


@pytest.fixture(scope="module")
def found(small_model, texts):
    return explain(small_model.fitted, texts[1], top=20, labelled=texts[0])


def test_accepted_rows_come_first_by_probability(found):
    accepted = [row.prediction.is_relation for row in found.rows]
    assert accepted == sorted(accepted, reverse=True)
    probabilities = [row.prediction.probability for row in found.rows if row.prediction.is_relation]
    assert probabilities == sorted(probabilities, reverse=True)
    assert len(found.rows) == 20
    assert found.accepted["accepted"] >= sum(accepted)


def test_the_probability_is_that_of_pair_and_names(found):
    for row in found.rows:
        assert row.pair_probability * row.names_probability == pytest.approx(row.prediction.probability)


def test_neighbours_are_the_most_similar_labelled_candidates(found, small_model, texts):
    from relhash.model.answers.alike import Alike
    from relhash.model.answers.teaching import Teaching

    known, asked = (Teaching.of(small_model.fitted, text) for text in texts)
    alike = Alike.of(small_model.fitted, [*known.scenes, *asked.scenes], np.concatenate([known.codes, asked.codes]))
    n = len(known.candidates)
    for row in found.rows[:5]:
        exact = alike.among(n + asked.row_of[row.prediction.candidate.key], range(n))
        assert [one.similarity for one in row.neighbours] == pytest.approx(np.sort(exact)[::-1][:5], abs=0.05)
        assert all("[E1]" in one.sentence for one in row.neighbours)


def test_without_a_corpus_neighbours_come_from_the_model_file(small_model, texts):
    found = explain(small_model.fitted, texts[1], top=3)
    assert "no sentences" in found.labelled
    assert all(not one.sentence and one.similarity is None for row in found.rows for one in row.neighbours)
    assert all(row.seen in ("often", "rarely", "never") for row in found.rows)


def test_a_look_at_the_model(found, small_model):
    view = found.view
    assert len(view.bits) == 24
    assert view.redundancy.shape == (24, 24)
    np.testing.assert_allclose(view.redundancy, view.redundancy.T)
    assert ((view.redundancy >= 0) & (view.redundancy <= 1 + 1e-9)).all()
    moved = [bit.moved for bit in view.bits]
    assert moved == sorted(moved, reverse=True)
    assert len(view.trace["objective"]) >= 24
    trials = len(view.trace["objective"]) - len(view.trace["deleted"]) - len(view.trace["rejected"])
    assert trials == 24


def test_gold_labels_of_the_text_are_used(found, small_model, texts):
    measured = found.view.gold.measured
    assert measured.auc == pytest.approx(small_model.evaluate(texts[1]).auc)
    assert sum(one["n"] for one in found.view.gold.bins) == found.accepted["candidates"]
