"""The middle of numbers that lie in parts is the middle of all of them."""

from __future__ import annotations

from unittest import mock

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from relhash.hashing.balanced_margin import cut_beside, median_cut
from relhash.scale import medians
from relhash.scale.medians import digit_counts, listed, middles

numbers = st.lists(
    st.tuples(st.floats(allow_nan=False, allow_infinity=False, width=64), st.integers(1, 4)), min_size=1, max_size=60
)


@given(numbers, st.integers(1, 5), st.sampled_from([0, 2, medians.FEW]))
def test_cuts_of_parts_are_cuts_of_the_whole(drawn, n_parts, few):
    values = np.array([value for value, _ in drawn]) + 0.0
    counts = np.array([count for _, count in drawn])
    lists = [values, -values[::-1]]  # two directions with the same counts, as a family has
    parts = [([own[n::n_parts] for own in lists], counts[n::n_parts]) for n in range(n_parts)]
    lists[1] = -values[::-1]

    def counting(prefixes, shift, width):
        return sum(digit_counts(own, times, prefixes, shift, width) for own, times in parts)

    def listing(prefixes, shift):
        return [listed(own, times, prefixes, shift) for own, times in parts]

    with mock.patch.object(medians, "FEW", few):  # from all digits to none
        found, total = middles(2, counting, listing)
    assert total == counts.sum()
    for own, middle in zip(lists, found, strict=True):
        assert middle.value == np.sort(np.repeat(own, counts))[total // 2]
        assert cut_beside(middle.value, total, *middle[1:]) == median_cut(own, counts)


def test_no_number_has_no_middle():
    assert middles(1, lambda prefixes, shift, width: np.zeros((1, 1 << width), np.int64), lambda *where: [])[1] == 0
