"""Both sides read the same way."""

from __future__ import annotations

import pytest

from relhash.corpus import Document
from relhash.errors import ParameterError
from relhash.models.fitting.training_text import read_training_text
from relhash.models.reading.reader import Reader
from relhash.structures import PairPolicy

VIEWS = ("path+edges", "between")


def read(corpus, adapt_to=None, policy=None):
    return read_training_text(
        corpus, adapt_to, parses="file", views=VIEWS, policy=policy or PairPolicy(), make_reader=Reader
    )  # fmt: skip


def test_both_sides_and_what_is_to_be_remembered_of_them(abstracts, fulltext):
    text = read(abstracts, fulltext)
    assert {candidate.document.id for candidate in text.train} <= {document.id for document in abstracts}
    assert {candidate.document.id for candidate in text.target} <= {document.id for document in fulltext}
    assert text.pair_types.as_list() == [["protein", "protein"]]
    assert text.parse_source != "none"
    assert read(abstracts).target == []


@pytest.mark.parametrize("side", ["train", "target"])
def test_a_side_without_candidates_is_named(side, abstracts):
    empty = [Document("raw", "Nothing here.")]
    with pytest.raises(ParameterError, match="adapt" if side == "target" else "training text"):
        read(*((empty, None) if side == "train" else (abstracts, empty)))
