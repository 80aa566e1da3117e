"""Both sides read the same way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.candidates import PairPolicy
from relhash.corpus import CandidatePair, Document, Mention
from relhash.errors import ParameterError
from relhash.model.reading.reader import Reader
from relhash.model.training_text import read_training_text

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


def test_documents_get_ids_only_where_they_can_change_their_candidates():
    """Ids tell which names are of one thing; whoever lists the pairs of a text has settled that."""
    mentions = Mention("T1", "protein", ((0, 4),), "MEK1"), Mention("T2", "protein", ((11, 15),), "RAF1")
    unlisted = Document("unlisted", "MEK1 binds RAF1.", mentions=mentions)
    listed = replace(unlisted, id="listed", candidates=(CandidatePair("p", "T1", "T2"),))
    text = read_training_text(
        [listed],
        [listed, unlisted],
        parses="file",
        views=("between",),
        policy=PairPolicy(unsplit="document"),
        make_reader=lambda parses: Reader(parses, ground=True),
    )
    assert [(candidate.document.id, bool(candidate.mentions[0].ids)) for candidate in text.target] == [
        ("listed", False),
        ("unlisted", True),
    ]
    assert not text.train[0].mentions[0].ids
    assert text.grounded(listed).mentions[0].ids
