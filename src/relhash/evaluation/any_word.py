"""Interactions whatever word says them: type and participants in their roles, the unit of the paper's judged candidates.

The figures over everything stated ask for the trigger as well, so that *TGF-beta induces expression of FOXP3* is wrong with
*expression* where the annotation has *induces*. Here it is right, and two words for one thing count once, among what is stated
and among what is found. It is another figure, and a higher one: never compare the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relhash.corpus.document import Document
from relhash.evaluation.stated import StatedCounts
from relhash.structures.candidate import Candidate
from relhash.structures.interactions import gold_interactions, interaction_type, participants
from relhash.structures.interactions.gold import GoldInteractions, Wordless


@dataclass(frozen=True, eq=False)
class AnyWord:
    """What the candidates of a data set are without their triggers.

    Attributes
    ----------
    numbers
        For each candidate the number of its interaction; candidates that differ in the trigger only have one.
    stated
        For each candidate whether that is stated, by whatever word.
    unreached
        Of each test set, by the number of its fold, what is stated and no candidate is.
    """

    numbers: NDArray[np.int64]
    stated: NDArray[np.bool_]
    unreached: Mapping[int, int]


def any_word(candidates: Sequence[Candidate], tested: Iterable[Document]) -> AnyWord:
    """The candidates of a data set with one test set, whose documents are ``tested``."""
    golds: dict[int, GoldInteractions] = {}
    numbers: dict[tuple[int, Wordless], int] = {}
    own, stated = [], []
    for candidate in candidates:
        document = candidate.document
        if id(document) not in golds:
            golds[id(document)] = gold_interactions(document)
        said = _said(candidate, golds[id(document)])
        own.append(numbers.setdefault((id(document), said), len(numbers)))
        stated.append(said in golds[id(document)].wordless)
    unreached = 0
    for document in tested:
        gold = golds.get(id(document)) or gold_interactions(document)
        unreached += sum((id(document), said) not in numbers for said in gold.wordless)
    return AnyWord(np.array(own, np.int64), np.array(stated, bool), {0: unreached})


def any_word_counts(document: Document, judged: Iterable[tuple[Candidate, bool]]) -> StatedCounts:
    """Counts of one document whose candidates, with whether they were accepted, are ``judged``; of two participants or more."""
    gold = gold_interactions(document)
    among, found = set(), set()
    for candidate, accepted in judged:
        said = _said(candidate, gold)
        if len(said[1]) > 1:
            among.add(said)
            if accepted:
                found.add(said)
    right = len(found & gold.wordless)
    return StatedCounts(len(gold.wordless), len(among & gold.wordless), right, len(found), right)


def _said(candidate: Candidate, gold: GoldInteractions) -> Wordless:
    roles = participants(candidate).items()
    return gold.without_word(interaction_type(candidate), ((role, mention.id) for role, mention in roles))
