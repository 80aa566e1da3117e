from __future__ import annotations

import numpy as np
import pytest

import relhash
from relhash.errors import ModelFileError
from relhash.model.adaptation import MOST_KEPT, OFTEN, UNLABELLED, Seen


def test_kinds_of_sentences_are_seen_often_rarely_or_never():
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 2**63, size=(3, 1), dtype=np.uint64)
    seen = Seen(np.repeat(kinds, [50, OFTEN, OFTEN - 1], axis=0), np.zeros(50 + 2 * OFTEN - 1, np.int8))
    assert seen.usual_distance == 0
    assert seen.how_often(np.vstack([kinds, ~kinds[:1]])).tolist() == ["often", "often", "rarely", "never"]


def test_at_most_so_many_are_kept():
    kept = Seen.of(np.arange(3 * MOST_KEPT, dtype=np.uint64)[:, None], np.zeros(3 * MOST_KEPT, np.int8))
    assert len(kept.codes) == len(kept.labels) == MOST_KEPT


def test_a_model_keeps_codes_and_labels_but_no_words(small_model, tmp_path):
    model = small_model.fitted
    training = model.card["training"]
    assert len(model.seen.codes) == training["candidates"]
    assert (model.seen.labels == 1).sum() == training["positive"]
    assert (model.seen.labels != UNLABELLED).sum() == training["labelled"]
    model.save(tmp_path / "m.relhash")
    again = relhash.load(tmp_path / "m.relhash").seen
    np.testing.assert_array_equal(again.codes, model.seen.codes)
    np.testing.assert_array_equal(again.labels, model.seen.labels)


@pytest.mark.parametrize(
    ("codes", "labels"),
    [(np.zeros((2, 1), np.uint64), np.zeros(3, np.int8)), (np.zeros((2, 1), np.int64), np.zeros(2, np.int8)),
     (np.zeros((0, 1), np.uint64), np.zeros(0, np.int8)), (np.zeros((1, 1), np.uint64), np.array([7], np.int8))],
)  # fmt: skip
def test_damaged_arrays_are_refused(codes, labels):
    with pytest.raises(ModelFileError, match=r"[Ss]een"):
        Seen.from_arrays({"codes": codes, "labels": labels})
