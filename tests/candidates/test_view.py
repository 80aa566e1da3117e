"""The contract of views."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates import VIEWS, PathSet, SequenceView, TableView, View, candidates, scenes, view
from relhash.candidates.view import CompactTable
from tests.candidates.drawn_sentences import draw

DOCUMENT = draw("Ras binds Raf", "binds nsubj Ras, binds dobj Raf", ["Ras", "Raf"])
OWN = (
    SequenceView("names", lambda scene: [mention.text for mention in scene.candidate.mentions]),
    TableView("starts", lambda scene: [mention.start for mention in scene.candidate.mentions], ("first", "second")),
)
WITHOUT_ENCODER = [name for name in VIEWS if name not in ("window", "role", "interaction", "encoder")]


@pytest.mark.parametrize("one", [*OWN, *map(view, [*WITHOUT_ENCODER, "window(1,1)"])], ids=lambda one: one.name)
def test_every_view_keeps_the_contract(one: View):
    (scene,) = scenes(candidates([DOCUMENT]))
    collector, other = one.collector(), one.collector()
    collector.add(scene)
    collector.add(scene)
    built, empty = collector.build(), other.build()
    assert (built.shape[0], empty.shape[0]) == (2, 0), "collectors share nothing"
    assert isinstance(built, CompactTable | np.ndarray if one.is_dense else PathSet)
    if one.columns is not None:
        assert one.is_dense
        assert built.shape[1] == empty.shape[1] == len(one.columns)
    with pytest.raises(AttributeError):
        one.name = "another"  # threads share views: they do not change


def test_a_view_of_sequences_takes_a_candidate_or_a_scene():
    (candidate,) = candidates([DOCUMENT])
    (scene,) = scenes([candidate])
    between = view("between")
    assert between(candidate) == between(scene) == ["<E1>", "binds", "<E2>"]
