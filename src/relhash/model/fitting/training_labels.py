"""The labels that a fit may see: which candidates of the training text have one, and what they tell besides.

Labels of a corpus that calls a denied relation a relation, made those of one that does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from relhash.biomed.assertion import Assertion
from relhash.candidates.candidate import Candidate
from relhash.candidates.scene import scenes
from relhash.candidates.shared_sentences import sentence_hashes
from relhash.candidates.statement import assertion_of_scene
from relhash.learn.classifier import Fitting, both_classes
from relhash.learn.correction import DRAWN, OTHER_TEXT
from relhash.learn.labels import are_all_pairs, example_of, training_labels
from relhash.model.fitting.training_text import TrainingText


def without_negated(candidates: Sequence[Candidate], y: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """``y``, but false wherever the sentence denies the relation.

    BioInfer labels *A does not bind B* like *A binds B*: a model that learns from that finds relations where there are none.
    """
    positive = [int(number) for number in np.flatnonzero(y)]
    denied = [
        number
        for number, scene in zip(positive, scenes([candidates[i] for i in positive]), strict=True)
        if assertion_of_scene(scene) is Assertion.NEGATED
    ]
    changed = y.copy()
    changed[denied] = False
    return changed


SOURCE = "source"
"""Metadata of documents that says which corpus they come from, for classifiers that learn from several."""


@dataclass(frozen=True, eq=False)
class TrainingLabels:
    """Labels of the training candidates.

    Attributes
    ----------
    text
        Where the candidates are from.
    rows
        The candidates that have a label, by their number.
    y
        The label of every candidate; meaningless for those without one.
    """

    text: TrainingText
    rows: NDArray[np.int64]
    y: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        text: TrainingText,
        labels: int | Mapping[str, bool] | None,
        *,
        negated_are_negative: bool = False,
        random_state: int = 0,
    ) -> TrainingLabels:
        """So many labels, or those given by :attr:`Candidate.key`; both classes must be among them.

        Text without a labelled side has none.
        """
        if not text.train:
            return cls(text, np.empty(0, np.int64), np.zeros(len(text.target), bool))
        rows, y = training_labels(text.train, labels, random_state)
        if negated_are_negative:
            y = without_negated(text.train, y)
        both_classes(y[rows])
        return cls(text, rows, y)

    @property
    def candidates(self) -> list[Candidate]:
        """Those that have a label."""
        return [self.text.train[number] for number in self.rows]

    @property
    def gold(self) -> NDArray[np.bool_]:
        """Their labels."""
        return self.y[self.rows]

    @cached_property
    def documents(self) -> NDArray[np.str_]:
        """The document of every candidate."""
        return np.array([candidate.document.id for candidate in self.text.learned_from])

    @cached_property
    def visible(self) -> NDArray[np.object_]:
        """The label of every candidate, None where there is none."""
        seen = np.full(len(self.text.learned_from), None, object)
        seen[self.rows] = self.gold
        return seen

    @cached_property
    def are_all_pairs(self) -> bool:
        """Whether all pairs of their sentences have a label, so that the labels tell how common relations are."""
        text = self.text
        return not text.train or are_all_pairs(text.train, self.rows, text.policy, text.pair_types.allow, text.grounded)

    @cached_property
    def origins(self) -> NDArray[np.int64]:
        """Which labels are of other text than that to adapt to."""
        if not self.text.target:
            return np.full(self.rows.size, DRAWN)
        is_here = np.isin(sentence_hashes(self.candidates), sentence_hashes(self.text.target))
        return np.where(is_here, DRAWN, OTHER_TEXT)

    @property
    def examples(self) -> list[str]:
        """The labelled pairs as an explanation names them."""
        return [example_of(one, gold) for one, gold in zip(self.candidates, self.gold.tolist(), strict=True)]

    @property
    def sources(self) -> Fitting:
        """The corpus of each labelled candidate, where there are several."""
        found = np.array([candidate.document.metadata.get(SOURCE, "") for candidate in self.candidates])
        return {"sources": found} if np.unique(found).size > 1 else {}
