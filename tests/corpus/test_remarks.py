"""A broken item ends the reading, or is reported and left out; a source that breaks off keeps what came before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.corpus import Document
from relhash.corpus.remarks import counts_left_out, left_out, without_broken
from relhash.errors import CorpusError


def _cut_off(items: list[str]) -> Iterator[str]:
    yield from items
    raise CorpusError("cut off")


def test_strict_reading_stops_at_the_first_error() -> None:
    read = without_broken(["1", "x", "2"], _number, None)
    assert next(read) == 1
    with pytest.raises(CorpusError, match="no number: x"):
        next(read)


def test_lenient_reading_reports_each_error_once_and_goes_on() -> None:
    reported: list[CorpusError] = []
    assert list(without_broken(["1", "x", "2", "y"], _number, reported.append)) == [1, 2]
    assert [str(error) for error in reported] == ["no number: x", "no number: y"]


def test_a_source_that_breaks_off_keeps_what_came_before() -> None:
    reported: list[CorpusError] = []
    assert list(without_broken(_cut_off(["1", "x", "2"]), _number, reported.append)) == [1, 2]
    assert [str(error) for error in reported] == ["no number: x", "cut off"]
    with pytest.raises(CorpusError, match="cut off"):
        list(without_broken(_cut_off(["1"]), _number, None))


def test_errors_of_our_own_are_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        list(without_broken([0], lambda item: 1 / item, lambda error: None))


def test_an_error_of_whoever_reads_the_result_is_none_of_the_items() -> None:
    reported: list[CorpusError] = []
    read = without_broken(["1", "2"], _number, reported.append)
    next(read)
    with pytest.raises(CorpusError, match="mine"):
        read.throw(CorpusError("mine"))  # type: ignore[attr-defined]
    assert not reported


def _number(item: str) -> int:
    if not item.isdecimal():
        raise CorpusError(f"no number: {item}")
    return int(item)


@given(st.dictionaries(st.text(max_size=20), st.integers(1, 10**6)))
def test_counts_come_back(counts: dict[str, int]) -> None:
    assert counts_left_out(Document("d", "", metadata={"pmid": "7", **left_out(counts)})) == counts


def test_metadata_of_others_is_no_count() -> None:
    assert counts_left_out(Document("d", "", metadata={"left out: words": "many", "pages": "7"})) == {}
