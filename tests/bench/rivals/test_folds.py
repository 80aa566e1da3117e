"""Parameters chosen by folds of documents."""

from __future__ import annotations

import numpy as np

from relhash.bench.rivals.baseline import best_held_out

Y = np.arange(40) % 2 == 1
DOCUMENTS = np.repeat([f"d{number}" for number in range(10)], 4)


def test_no_row_is_scored_by_a_model_that_saw_its_document_and_earlier_settings_win_ties():
    def scores_of(setting, train, test):
        assert not set(DOCUMENTS[train]) & set(DOCUMENTS[test])
        return setting * Y[test] + 0.0

    chosen, scores = best_held_out([0.0, 2.0, 1.0], scores_of, Y, DOCUMENTS)
    assert chosen == 2.0
    np.testing.assert_array_equal(scores, 2.0 * Y)  # as good as the third
