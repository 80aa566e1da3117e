"""What a model says of candidates: the same for rows that are shown and for bare numbers, block by block."""

from __future__ import annotations

from itertools import pairwise

import pytest

from relhash.model import judging
from relhash.model.judging import candidates_of, decisions, predictions


@pytest.fixture
def found(small_model, fulltext):
    return list(candidates_of(small_model.model_, list(fulltext)[:6]))


def test_numbers_are_those_of_the_rows(small_model, found):
    rows = predictions(small_model.model_, found)
    scores, probabilities, labels = decisions(small_model.model_, found)
    assert [one.candidate.key for one in rows] == [one.key for one in found]
    assert [one.score for one in rows] == scores.tolist()
    assert [one.probability for one in rows] == probabilities.tolist()
    assert all(label for label, one in zip(labels, rows, strict=True) if one.is_relation)  # some are denied by their sentence


@pytest.mark.parametrize("size", [1, 3, 10_000])
def test_blocks_hold_whole_sentences_and_change_nothing(small_model, found, monkeypatch, size):
    whole = decisions(small_model.model_, found)[0].tolist()
    monkeypatch.setattr(judging, "CANDIDATES_AT_A_TIME", size)
    blocks = [[(one.document.id, one.sentence) for one in block] for block in judging._blocks(found)]
    assert sum(map(len, blocks)) == len(found)
    assert all(before[-1] != after[0] for before, after in pairwise(blocks))
    assert decisions(small_model.model_, found)[0].tolist() == whole


def test_nothing_is_judged_where_there_is_nothing(small_model):
    assert predictions(small_model.model_, []) == []
    assert [column.size for column in decisions(small_model.model_, [])] == [0, 0, 0]
