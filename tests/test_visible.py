"""Characters that cannot be seen."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from relhash.visible import visible

TURNS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


@given(st.text())
def test_what_is_shown_can_be_seen_and_stands_in_any_file(text):
    shown = visible(text)
    assert not [one for one in shown if unicodedata.category(one) in ("Cc", "Cs")]
    assert not [one for one in shown if unicodedata.bidirectional(one) in TURNS]
    etree.Element("a").text = shown  # XML takes it


def test_ordinary_text_stays():
    assert visible("TNF-α ≥ 5 µM – naïve 中文") == "TNF-α ≥ 5 µM – naïve 中文"
