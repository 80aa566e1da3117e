from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from relhash.candidates.paths import pack_strings, unpack_strings

# a lone surrogate (a PDF that somebody decoded wrongly) must survive as well
strings = st.lists(st.text(st.characters(blacklist_categories=())))


@given(strings)
def test_packed_strings_come_back(given_strings):
    packed = pack_strings(given_strings)
    assert packed.dtype == np.uint8
    assert unpack_strings(packed) == tuple(given_strings)


def test_the_last_character_of_unicode_comes_back_too():
    strings = ("a\U0010ffffb", "", "c")
    assert unpack_strings(pack_strings(strings)) == strings
