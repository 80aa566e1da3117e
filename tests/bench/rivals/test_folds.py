"""Parameters chosen by folds of documents."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench.rivals.baseline import best_held_out
from relhash.errors import ParameterError

Y = np.arange(40) % 2 == 1
DOCUMENTS = np.repeat([f"d{number}" for number in range(10)], 4)


def test_no_row_is_scored_by_a_model_that_saw_its_document_and_earlier_settings_win_ties():
    def scores_of(setting, train, test):
        assert not set(DOCUMENTS[train]) & set(DOCUMENTS[test])
        return setting * Y[test] + 0.0

    chosen = best_held_out([0.0, 2.0, 1.0], scores_of, Y, DOCUMENTS)
    assert chosen.setting == 2.0
    assert chosen.average_precision[2.0] == chosen.average_precision[1.0] == 1.0
    np.testing.assert_array_equal(chosen.scores, 2.0 * Y)


def test_without_settings_there_is_nothing_to_choose():
    with pytest.raises(ParameterError, match="at least one setting"):
        best_held_out([], lambda *_: np.empty(0), Y, DOCUMENTS)
