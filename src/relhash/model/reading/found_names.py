"""What raw text adds to a decision: how sure the tagger is of the names in a candidate, and how they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from relhash.biomed.names.heads import names_something_else
from relhash.biomed.names.surroundings import stands_for_something_else
from relhash.candidates.bystanders import are_bystanders
from relhash.candidates.candidate import Candidate
from relhash.candidates.symbols import entity_class
from relhash.corpus.document import Mention
from relhash.learn.end_to_end import CERTAIN, DOUBTED, KNOWN, UNKNOWN, EndToEnd

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]
FEWEST = 50
"""Rows of raw text that a threshold can be chosen on."""


class Names(NamedTuple):
    """What is known of the names of candidates, one row per candidate.

    ``certainties`` and ``standings`` have as many columns as the most names; ``bystanders`` says which pairs are only named
    together (:mod:`relhash.candidates.bystanders`).
    """

    certainties: Floats
    standings: NDArray[np.int64]
    bystanders: Labels


def names_of(found: Sequence[Candidate]) -> Names:
    """Certainty and standing of each name, and which names stand side by side."""
    width = max((len(candidate.mentions) for candidate in found), default=0)
    certainties, standings = np.ones((len(found), width)), np.full((len(found), width), UNKNOWN)
    known: dict[tuple[int, int, int], int] = {}
    for row, candidate in enumerate(found):
        text = candidate.document.text
        for column, mention in enumerate(candidate.mentions):
            key = id(candidate.document), mention.start, mention.end  # a name has many pairs
            if key not in known:
                known[key] = _standing(text, mention)
            certainties[row, column], standings[row, column] = mention.certainty, known[key]
    return Names(certainties, standings, np.fromiter(map(are_bystanders, found), bool, len(found)))


def _standing(text: str, mention: Mention) -> int:
    is_protein = entity_class(mention.type) == "protein"
    if is_protein and (_is_doubted(mention.text) or stands_for_something_else(text, mention.start, mention.end)):
        return DOUBTED
    return KNOWN if mention.ids else UNKNOWN


_is_doubted = lru_cache(4096)(names_something_else)


def judged_rows(rule: EndToEnd, found: Sequence[Candidate], pairs: Floats, labels: Labels) -> tuple[Floats, Labels]:
    """Probability and label of each row, from those of its pair."""
    return judged_names(rule, names_of(found), pairs, labels)


def judged_names(rule: EndToEnd, names: Names, pairs: Floats, labels: Labels) -> tuple[Floats, Labels]:
    """The same where the names are known already (:func:`names_of`)."""
    probabilities = rule.probabilities(pairs, *names)
    return probabilities, rule.accepted(labels, probabilities, names.certainties, names.standings)


def with_one_cut(rule: EndToEnd, found: Sequence[Candidate], pairs: Floats, labels: Labels) -> EndToEnd:
    """A rule without a threshold, given the one from which on it accepts as many rows of this text as it accepts of it now.

    Without one a row needs a pair that the classifier accepts and names that are more likely right than not. Then a row that
    is less probable than another can be accepted where the other is not, and its probability can be low. One cut of the
    probability of rows keeps their number; on raw text of AIMed, with sheets of 58 labels, it finds more and errs less
    (docs/results.md). Nothing changes where people annotated the names, or where the text accepts nothing or is short.
    """
    names = names_of(found)
    is_found = (names.certainties < CERTAIN).any(axis=1)
    if rule.threshold is not None or is_found.sum() < FEWEST:
        return rule
    probabilities, accepted = judged_names(rule, names, pairs, labels)
    n_accepted = int(accepted[is_found].sum())
    if not n_accepted:
        return rule
    return replace(rule, threshold=float(np.sort(probabilities[is_found])[::-1][n_accepted - 1]))
