"""How good is the model now? F1 on text with gold labels that nobody is asked about, measured after each refit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relhash.corpus.corpora import CorpusLike
from relhash.errors import ParameterError
from relhash.learning.labels import has_label
from relhash.learning.metrics import measure
from relhash.models.fitted import FittedModel
from relhash.models.judging import judged
from relhash.structures import Candidate
from relhash.structures.sentence_keys import sentence_hashes


@dataclass(frozen=True, slots=True)
class HeldOutScore:
    """F1, precision and recall on the held-out candidates, and how many these are."""

    value: float
    precision: float
    recall: float
    n: int


class HeldOut:
    """Gold text, read once; a model that was taught elsewhere has the same features."""

    def __init__(self, model: FittedModel, corpus: CorpusLike) -> None:
        found = model.candidates(corpus)
        self.candidates = [one for one, is_labelled in zip(found, has_label(found), strict=True) if is_labelled]
        if not self.candidates:
            raise ParameterError("--gold: no labelled candidates; give annotated text with relations")
        self._labels = [candidate.is_positive for candidate in self.candidates]
        self._features = model._features(self.candidates)

    def score(self, model: FittedModel) -> HeldOutScore:
        """The figures of a model."""
        scores, _, labels = judged(model, self.candidates, self._features)
        found = measure(self._labels, scores, labels)
        return HeldOutScore(float(found.f1), float(found.precision), float(found.recall), len(self.candidates))

    def shared_with(self, candidates: list[Candidate]) -> int:
        """How many held-out candidates stand in sentences of the text that people answer on: the figures flatter by these."""
        return int(np.isin(sentence_hashes(self.candidates), sentence_hashes(candidates)).sum())
