from __future__ import annotations

from numpy.testing import assert_array_equal

from relhash.candidates import PathSet
from relhash.kernels import PathKernel, WordSimilarity


def test_the_cache_of_word_similarities_is_bounded(monkeypatch):
    from relhash.kernels.subsequence import ReferenceTables

    X = PathSet.from_sequences([[f"w{i}", f"w{i + 1}"] for i in range(200)])
    bound = PathKernel(WordSimilarity()).bind(X)
    expected = [bound.similarities(bound.unique([i, i + 1])) for i in range(0, 190, 7)]
    monkeypatch.setattr(bound, "_tables", ReferenceTables(bound._tables.similarity, max_bytes=0))
    again = [bound.similarities(bound.unique([i, i + 1])) for i in range(0, 190, 7)]
    assert_array_equal(expected, again)
    assert len(bound._tables._places) <= 64
