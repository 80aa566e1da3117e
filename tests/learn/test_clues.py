"""Clues of interactions as columns of unit spread."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates import StructureSet
from relhash.candidates.statements.links import CLUES
from relhash.errors import ModelFileError
from relhash.learn import CluesPart, Text


def text(table, columns=CLUES) -> Text:
    return Text(StructureSet({"clues": np.asarray(table, np.float32)}, columns={"clues": columns}))


def test_columns_have_mean_0_and_spread_1_on_the_training_text():
    table = np.random.default_rng(0).normal(3, 2, (50, len(CLUES)))
    table[:, 4] = 7
    part = CluesPart().fit(text(table))
    rows = part.transform(text(table)).toarray()
    np.testing.assert_allclose(rows.mean(axis=0), 0, atol=1e-5)
    np.testing.assert_allclose(np.delete(rows.std(axis=0), 4), 1, atol=1e-5)
    assert not rows[:, 4].any()
    again = CluesPart.from_arrays(part.to_arrays(), part.parameters, None)
    np.testing.assert_array_equal(again.transform(text(table[:3])).toarray(), rows[:3])
    assert again.columns == part.columns


def test_other_clues_are_refused():
    part = CluesPart().fit(text([[1, 2], [3, 4]], ("a", "b")))
    with pytest.raises(ModelFileError, match="other clues"):
        CluesPart.from_arrays(part.to_arrays(), part.parameters, None)
    with pytest.raises(ModelFileError, match="missing"):
        CluesPart.from_arrays({}, part.parameters, None)
