"""Words and walks of the rich feature vector."""

from __future__ import annotations

from relhash.bench.rivals.rich_features import path_walks, placed_words
from tests.bench.rivals.toy_scenes import scene_of


def test_words_and_walks_of_the_rich_vector():
    scene = scene_of("thus Ras binds the Raf here")
    assert list(placed_words(scene)) == ["before thus", "between binds", "between the", "after here"]
    assert list(path_walks(scene)) == ["v <E1> <nsubj binds", "v binds dobj> <E2>", "e <nsubj binds dobj>"]
    apart = scene_of("Ras binds Raf", [(1, 0, "nsubj")])
    assert list(path_walks(apart)) == ["disconnected"]
