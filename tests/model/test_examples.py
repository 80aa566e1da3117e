"""Labelled sentences that ship."""

import numpy as np
import pytest

import relhash
from relhash.candidates import build_structures
from relhash.model.examples import learned_examples, shipped_examples
from relhash.model.index import VIEWS
from relhash.show.explanation import explain


def test_shipped_models_show_sentences_that_they_have_learned():
    model = relhash.load("ppi", encoder=False)
    hashes = shipped_examples()[1]
    assert np.isin(hashes, model.training_sentences).mean() > 0.9, "ppi was trained anew: python tools/make_examples.py"
    row = explain(model, "RAF1 binds to MEK1.", top=1).rows[0]
    values = [one.similarity for one in row.neighbours]
    assert values == sorted(values, reverse=True)
    assert values[0] > 0.6
    assert all("[E1]" in one.sentence and one.source for one in row.neighbours)
    assert row.neighbours[0].is_related


def test_an_example_is_most_like_itself():
    model = relhash.load("ppi", encoder=False)
    _, hashes, structures = shipped_examples()
    row = int(np.flatnonzero(np.isin(hashes, model.training_sentences))[0])
    (found,) = learned_examples(model, structures[[row]], 1)
    assert found[0][1] == pytest.approx(1, abs=1e-5)


def test_a_model_that_has_learned_none_of_them_shows_none():
    model = relhash.load("events")
    candidates = relhash.load("ppi", encoder=False).candidates("RAF1 binds to MEK1.")
    assert learned_examples(model, build_structures(candidates, VIEWS), 3) == []
