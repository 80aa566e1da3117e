"""Of much text to adapt to a sample is held: the same for any order, whole documents, everything where there is little."""

from __future__ import annotations

import random
import warnings

import pytest

from relhash.candidates import candidates
from relhash.corpus.read_write import demo_corpora
from relhash.errors import RelHashNote
from relhash.model.training_text import sampled_candidates

DOCUMENTS = demo_corpora()[1].documents
ALL = [candidate.key for candidate in candidates(DOCUMENTS)]


def sample(documents, most, read=iter):
    return [candidate.key for candidate in sampled_candidates(documents, read, candidates, most)]


def test_little_text_is_held_whole_and_in_order():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sample(iter(DOCUMENTS), len(ALL)) == ALL


@pytest.mark.parametrize("most", [1, 50, len(ALL) - 1])
def test_a_sample_is_whole_documents_and_the_same_in_any_order(most):
    with pytest.warns(RelHashNote, match=f"of {len(DOCUMENTS)} documents"):
        found = sample(DOCUMENTS, most)
    held = {key.split("|")[0] for key in found}
    assert found == [key for key in ALL if key.split("|")[0] in held]
    assert 0 < len(found) <= most or len(held) == 1
    for seed in range(5):
        shuffled = random.Random(seed).sample(DOCUMENTS, len(DOCUMENTS))
        with pytest.warns(RelHashNote):
            assert sorted(sample(shuffled, most)) == sorted(found)


@pytest.mark.filterwarnings("ignore::relhash.errors.RelHashNote")
def test_what_cannot_be_drawn_any_more_is_not_read_and_reading_ahead_changes_nothing():
    read = []

    def one_by_one(documents):
        for document in documents:
            read.append(document)
            yield document

    expected = sample(DOCUMENTS, 20, one_by_one)
    assert len(read) < len(DOCUMENTS) / 2
    assert sample(DOCUMENTS, 20, lambda documents: list(documents)) == expected
