"""What the demo shows."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("examples", [0, 1, 3])
def test_survey_gives_as_many_examples_as_asked(examples):
    from relhash.show.demonstration import survey

    for found in survey(examples):
        assert len(found.related) == examples
        assert len(found.unrelated) == examples
