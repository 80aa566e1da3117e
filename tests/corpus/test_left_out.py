"""Counts of what a reader could not use travel in the metadata."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from relhash.corpus import Document
from relhash.corpus.left_out import counts_left_out, left_out


@given(st.dictionaries(st.text(max_size=20), st.integers(1, 10**6)))
def test_counts_come_back(counts: dict[str, int]) -> None:
    assert counts_left_out(Document("d", "", metadata={"pmid": "7", **left_out(counts)})) == counts


def test_metadata_of_others_is_no_count() -> None:
    assert counts_left_out(Document("d", "", metadata={"left out: words": "many", "pages": "7"})) == {}
