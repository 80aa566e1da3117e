from __future__ import annotations

import numpy as np

from relhash.candidates.view import CompactTable

TABLE = np.array([[1, 0.5, 0, 2], [0, 1.5, 1, 3], [1, 2.5, 1, 4]], np.float32)
IS_FACT = np.array([True, False, True, False])
COMPACT = CompactTable(IS_FACT, TABLE[:, IS_FACT].astype(np.uint8), np.ascontiguousarray(TABLE[:, ~IS_FACT]))


def test_the_numbers_and_their_order_come_back():
    assert COMPACT.shape == TABLE.shape
    np.testing.assert_array_equal(COMPACT.dense(), TABLE)


def test_rows_are_selected_and_put_together_like_those_of_an_array():
    for index in ([2, 0], slice(1, None), np.array([True, False, True])):
        np.testing.assert_array_equal(COMPACT[index].dense(), TABLE[index])
    joined = CompactTable.concatenate([COMPACT[:1], COMPACT])
    np.testing.assert_array_equal(joined.dense(), np.concatenate([TABLE[:1], TABLE]))
