"""Runs of tokens by numbers against runs of strings, one sequence at a time."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.candidates import PathSet
from relhash.learn.ngrams import RunIndex, shared_runs

SEQUENCES = st.lists(st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=6), max_size=7)
SIZES = st.lists(st.integers(1, 5), min_size=1, max_size=3, unique=True)


def runs(sequence, sizes):
    return {tuple(sequence[start : start + size]) for size in sizes for start in range(len(sequence) - size + 1)}


@given(SEQUENCES, st.none() | SEQUENCES, SIZES, st.integers(1, 3))
@settings(max_examples=150)
def test_runs_are_counted_once_per_candidate(text, target, sizes, least):
    counts = Counter(run for sequence in text for run in runs(sequence, sizes))
    elsewhere = set(counts) if target is None else {run for sequence in target for run in runs(sequence, sizes)}
    paths = PathSet.from_sequences(text), None if target is None else PathSet.from_sequences(target)
    found = shared_runs(*paths, sizes, least)
    assert len(found) == len(set(found))
    assert set(found) == {run for run, count in counts.items() if count >= least and run in elsewhere}


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(tuple), unique=True), SEQUENCES)
@settings(max_examples=150)
def test_columns_are_found_wherever_a_run_occurs(wanted, sequences):
    columns = {run: 3 * number for number, run in enumerate(wanted)}  # columns need not follow each other
    paths = PathSet.from_sequences([*sequences, ["z"], *sequences])[1:]
    indices, ends, rows = RunIndex(columns).columns_of(paths)
    sizes = range(1, 5)
    found = [indices[ends[row] : ends[row + 1]].tolist() for row in rows]
    assert found == [sorted(columns[run] for run in runs(sequence, sizes) if run in columns) for sequence in paths]
