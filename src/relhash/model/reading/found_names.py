"""What raw text adds to a decision: how sure the tagger is of the names in a candidate, and how they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from relhash.biomed.names.hints import hints_at, hints_of_names, hints_of_pairs, pair_hints
from relhash.candidates.candidate import TRIGGER, Candidate
from relhash.candidates.symbols import entity_class
from relhash.corpus.document import Mention
from relhash.learn.end_to_end import CERTAIN, ID, EndToEnd, Names

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]
FEWEST = 50
"""Rows of raw text that a threshold can be chosen on."""


def names_of(found: Sequence[Candidate]) -> Names:
    """Certainty and hints of each name, and of the two together."""
    of_names, of_pairs = (ID, *hints_of_names()), hints_of_pairs()
    place = {hint: number for number, hint in enumerate(of_names)}
    width = max((len(candidate.mentions) for candidate in found), default=0)
    certainties, hints = np.ones((len(found), width)), np.zeros((len(found), width, len(of_names)), bool)
    together = np.zeros((len(found), len(of_pairs)), bool)
    known: dict[tuple[int, int, int], tuple[int, ...]] = {}
    for row, candidate in enumerate(found):
        for column, mention in enumerate(candidate.mentions):
            if mention.certainty >= CERTAIN:
                continue
            key = id(candidate.document), mention.start, mention.end  # a name has many pairs
            if key not in known:
                known[key] = tuple(place[hint] for hint in _hints(candidate.document.text, mention) if hint in place)
            certainties[row, column] = mention.certainty
            hints[row, column, list(known[key])] = True
        if (certainties[row] < CERTAIN).any() and len(candidate.mentions) == 2 and TRIGGER not in candidate.roles:
            first, second = candidate.mentions
            said = pair_hints(candidate.document.text, (first.start, first.end), (second.start, second.end))
            together[row] = [hint in said for hint in of_pairs]
    return Names(certainties, hints, together, of_names, of_pairs)


def _hints(text: str, mention: Mention) -> Iterator[str]:
    if mention.ids:
        yield ID
    if entity_class(mention.type) == "protein":
        yield from hints_at(text, mention.start, mention.end)


def judged_rows(rule: EndToEnd, found: Sequence[Candidate], pairs: Floats, labels: Labels) -> tuple[Floats, Labels]:
    """Probability and label of each row, from those of its pair."""
    return judged_names(rule, names_of(found), pairs, labels)


def judged_names(rule: EndToEnd, names: Names, pairs: Floats, labels: Labels) -> tuple[Floats, Labels]:
    """The same where the names are known already (:func:`names_of`)."""
    probabilities = rule.probabilities(pairs, names)
    return probabilities, rule.accepted(labels, probabilities, names)


def with_one_cut(rule: EndToEnd, found: Sequence[Candidate], pairs: Floats, labels: Labels) -> EndToEnd:
    """A rule without a threshold, given the one from which on it accepts as many rows of this text as it accepts of it now.

    Without one a row needs a pair that the classifier accepts and names that are more likely right than not. Then a row that
    is less probable than another can be accepted where the other is not, and its probability can be low. One cut of the
    probability of rows keeps their number; on raw text of AIMed, with sheets of 58 labels, it finds more and errs less
    (docs/results.md). Nothing changes where people annotated the names, or where the text accepts nothing or is short.
    """
    names = names_of(found)
    is_found = names.are_found
    if rule.threshold is not None or is_found.sum() < FEWEST:
        return rule
    probabilities, accepted = judged_names(rule, names, pairs, labels)
    n_accepted = int(accepted[is_found].sum())
    if not n_accepted:
        return rule
    return replace(rule, threshold=float(np.sort(probabilities[is_found])[::-1][n_accepted - 1]))
