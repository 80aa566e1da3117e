"""The middle of numbers that lie in parts is the middle of all of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from relhash.hashing.balanced_margin import cut_beside, median_cut
from relhash.scale.medians import digit_counts, middles, neighbours

numbers = st.lists(
    st.tuples(st.floats(allow_nan=False, allow_infinity=False, width=64), st.integers(1, 4)), min_size=1, max_size=60
)


@given(numbers, st.integers(1, 5))
def test_cuts_of_parts_are_cuts_of_the_whole(drawn, n_parts):
    values = np.array([value for value, _ in drawn]) + 0.0
    counts = np.array([count for _, count in drawn])
    lists = [values, -values[::-1]]  # two directions with the same counts, as a family has
    parts = [([own[n::n_parts] for own in lists], counts[n::n_parts]) for n in range(n_parts)]
    lists[1] = -values[::-1]

    def counting(prefixes, shift, width):
        return sum(digit_counts(own, times, prefixes, shift, width) for own, times in parts)

    found, total = middles(2, counting)
    assert total == counts.sum()
    for own, middle in zip(lists, found, strict=True):
        assert middle == np.sort(np.repeat(own, counts))[total // 2]
    beside = np.stack([neighbours(own, times, found) for own, times in parts])
    below, above = beside[..., :2].sum(axis=0).T
    low, high = beside[..., 2].max(axis=0), beside[..., 3].min(axis=0)
    for number, own in enumerate(lists):
        cut = cut_beside(found[number], total, int(below[number]), int(above[number]), low[number], high[number])
        assert cut == median_cut(own, counts)


def test_no_number_has_no_middle():
    assert middles(1, lambda prefixes, shift, width: np.zeros((1, 1 << width), np.int64))[1] == 0
