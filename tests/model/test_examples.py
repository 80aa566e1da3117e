"""Labelled sentences that ship."""

import re

import numpy as np
import pytest

import relhash
from relhash.model.answers.alike import learned_examples, shipped_examples
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
    marked = next(one.marked for one in shipped_examples()[0] if one.source == "BioInfer" and len(one.marked) < 90)
    candidates = model.candidates(re.sub(r"\[/?E[12]\]", "", marked))
    found = learned_examples(model, candidates, 1)
    assert max(value for ((_, value),) in found) == pytest.approx(1, abs=1e-5)


def test_a_model_that_has_learned_none_of_them_shows_none():
    candidates = relhash.load("ppi", encoder=False).candidates("RAF1 binds to MEK1.")
    assert learned_examples(relhash.load("events"), candidates, 3) == []
