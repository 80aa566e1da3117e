"""What raw text adds to a decision: how sure the tagger is of the names in a candidate, and how they stand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from relhash.corpus.document import Mention
from relhash.language.names.heads import names_something_else
from relhash.learning.end_to_end import DOUBTED, KNOWN, UNKNOWN, EndToEnd
from relhash.structures.candidate import Candidate
from relhash.structures.symbols import entity_class

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]


Names = tuple[Floats, NDArray[np.int64]]


def names_of(found: Sequence[Candidate]) -> Names:
    """Certainty and standing of each name: one row per candidate, as many columns as the most names."""
    width = max((len(candidate.mentions) for candidate in found), default=0)
    certainties, standings = np.ones((len(found), width)), np.full((len(found), width), UNKNOWN)
    for row, candidate in enumerate(found):
        for column, mention in enumerate(candidate.mentions):
            certainties[row, column], standings[row, column] = mention.certainty, _standing(mention)
    return certainties, standings


def _standing(mention: Mention) -> int:
    if entity_class(mention.type) == "protein" and _is_doubted(mention.text):
        return DOUBTED
    return KNOWN if mention.ids else UNKNOWN


_is_doubted = lru_cache(4096)(names_something_else)


def judged_rows(rule: EndToEnd, found: Sequence[Candidate], pairs: Floats, labels: Labels) -> tuple[Floats, Labels]:
    """Probability and label of each row, from those of its pair."""
    return judged_names(rule, names_of(found), pairs, labels)


def judged_names(rule: EndToEnd, names: Names, pairs: Floats, labels: Labels) -> tuple[Floats, Labels]:
    """The same where the names are known already (:func:`names_of`)."""
    probabilities = rule.probabilities(pairs, *names)
    return probabilities, rule.accepted(labels, probabilities, *names)
