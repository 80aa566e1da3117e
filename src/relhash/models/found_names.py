"""What raw text adds to a decision: how sure the tagger is of the names in a candidate, and whether they have ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from relhash.learning.end_to_end import EndToEnd
from relhash.structures.candidate import Candidate

__all__ = ["judged_rows", "names_of"]

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]


def names_of(found: Sequence[Candidate]) -> tuple[Floats, Labels]:
    """Certainty of each name, and whether it has an id: one row per candidate, as many columns as the most names."""
    width = max((len(candidate.mentions) for candidate in found), default=0)
    certainties, have_ids = np.ones((len(found), width)), np.zeros((len(found), width), bool)
    for row, candidate in enumerate(found):
        for column, mention in enumerate(candidate.mentions):
            certainties[row, column], have_ids[row, column] = mention.certainty, bool(mention.ids)
    return certainties, have_ids


def judged_rows(rule: EndToEnd, found: Sequence[Candidate], pairs: Floats, labels: Labels) -> tuple[Floats, Labels]:
    """Probability and label of each row, from those of its pair."""
    certainties, have_ids = names_of(found)
    probabilities = rule.probabilities(pairs, certainties, have_ids)
    return probabilities, rule.accepted(labels, probabilities, certainties, have_ids)
