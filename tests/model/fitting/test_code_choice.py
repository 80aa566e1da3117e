"""Of several kinds of hash functions the one that serves held-out training labels is taken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from relhash.candidates import PathSet, StructureSet
from relhash.model.fitting import fit_features
from relhash.model.recipe import preset


@pytest.fixture
def structures():
    rng = np.random.default_rng(0)
    words = [["<E1>", str(rng.choice(["binds", "activates"])), "<E2>"] for _ in range(300)]
    y = np.array([sequence[1] == "binds" for sequence in words], object)
    told = PathSet.from_sequences([[*sequence, *rng.choice(["a", "the", "of"], 2).tolist()] for sequence in words])
    noise = PathSet.from_sequences([["<E1>", *rng.choice(["x", "y", "z", "w"], 3).tolist(), "<E2>"] for _ in words])
    return StructureSet({"path+edges": told, "between": noise}), y


def choosing(*choices):
    paper = preset("KLSH-NU-RF")
    return replace(paper, views=("path+edges", "between"), learner={**paper.learner, "n_bits": 12}, learner_choices=choices)


@pytest.mark.parametrize("order", [1, -1])
def test_the_better_kind_wins_wherever_it_stands(structures, order):
    X, y = structures
    made = fit_features(choosing(*[{"n_bits": 1}, {"n_bits": 24}][::order]), X, None, y, np.arange(300) // 3)
    assert made.settings.learner["n_bits"] == made.features.code.n_bits == 24
    assert made.settings.learner_choices == ()
    assert made.rows.shape == (300, 24)
    assert made.target_rows is None


def test_too_few_labels_take_the_first(structures):
    X, y = structures
    few = np.where(np.arange(300) < 60, y, None)
    made = fit_features(choosing({"hash_function": "margin"}, {"hash_function": "nearest"}), X, None, few, np.arange(300))
    assert made.settings.learner["hash_function"] == "margin"


def test_documents_decide_and_not_their_copies():
    """A code that only recognises documents looks perfect where candidates are held out at random, and is not taken."""
    rng = np.random.default_rng(0)
    documents = np.repeat(np.arange(60), 5)
    y = rng.integers(0, 2, 60)[documents].astype(bool).astype(object)
    weak = [["binds" if rng.uniform() < (0.9 if label else 0.1) else "sees"] for label in y]
    X = StructureSet(
        {
            "path+edges": PathSet.from_sequences(weak),
            "between": PathSet.from_sequences([[f"only{document}"] for document in documents]),
        }
    )
    made = {}
    for name, groups in (("documents", documents), ("candidates", np.arange(300))):
        preset = replace(choosing(), learner_choices=({"views": ["between"]}, {"views": ["path+edges"]}))
        made[name] = fit_features(preset, X, None, y, groups).settings.learner["views"]
    assert made == {"documents": ["path+edges"], "candidates": ["between"]}
