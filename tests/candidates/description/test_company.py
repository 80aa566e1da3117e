from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from relhash.candidates import PairPolicy, candidates, descriptors
from relhash.candidates.descriptors import COLUMNS
from relhash.candidates.scene import scenes
from tests.candidates.any_sentences import documents
from tests.candidates.description.described import describe
from tests.candidates.drawn_sentences import draw


def test_a_name_that_stands_nearer_a_second_time():
    document = draw("Ras was seen and ras binds Raf", names=["Ras", "ras", "Raf"])
    far, near = describe(document, 1), describe(document, 2)
    assert (far["same_name_closer"], near["same_name_closer"]) == (1, 0)
    assert far["log_same_name_elsewhere"] == near["log_same_name_elsewhere"] == pytest.approx(np.log1p(1))
    assert far["log_names"] == pytest.approx(np.log1p(2))


@given(documents())
def test_closer_entities_are_those_that_one_counts(document):
    found = list(candidates([document], PairPolicy(self_pairs=True)))
    for scene, row in zip(scenes(found), descriptors(found), strict=True):
        stage, value = scene.stage, dict(zip(COLUMNS, row.tolist(), strict=True))
        pair = scene.candidate.mentions

        def gap(one, two, stage=stage):
            return max(
                stage.tokens_of(two)[0] - stage.tokens_of(one)[-1], stage.tokens_of(one)[0] - stage.tokens_of(two)[-1], 0
            )

        closer = sorted(sum(gap(own, m) < gap(*pair) for m in stage.mentions if m.id != own.id) for own in pair)
        assert value["log_closer_to_either"] == pytest.approx(np.log1p(closer[0]))
        assert value["log_closer_to_one"] == pytest.approx(np.log1p(closer[1]))
        if stage.is_parsed:
            steps = stage.graph.distances(stage.tokens_of(pair[0]))
            reached = [steps[token] for token in stage.tokens_of(pair[1]) if steps[token] >= 0]
            assert value["log_path_distance"] == pytest.approx(np.log1p(min(reached, default=30)))
