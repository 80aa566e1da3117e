"""What a fitted model says of text: its candidates, their relations, probabilities and hashcodes."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.corpus import Document
from relhash.corpus.corpora import CorpusLike, documents_of
from relhash.errors import ParameterError
from relhash.features.feature_map import FeatureMap
from relhash.hashing import HashcodeLearner
from relhash.language.entities import Lexicon
from relhash.language.parse_cache import ParseCache
from relhash.learning.decision import Head
from relhash.learning.labels import has_label
from relhash.learning.metrics import Metrics, measure
from relhash.learning.relation_types import RelationTypes
from relhash.models.pair_types import PairTypes
from relhash.models.parses import check_parse_source
from relhash.models.prediction import Prediction
from relhash.models.presets import Preset
from relhash.models.reading import AUTO, ParseSettings, Reader
from relhash.structures import Candidate, PairPolicy, StructureSet, build_structures, candidates
from relhash.structures.candidates import CandidatePolicy

__all__ = ["Predictor"]

Floats = NDArray[np.float64]

BATCH = 256
"""Documents that are predicted at a time; it changes the memory, never the result."""
BATCH_OF_PARSED = 32
"""The same where documents are parsed first: that takes longer, and people want to see something."""


class Predictor(ABC):
    """The half of :class:`~relhash.models.RelationExtractor` that reads text with what was learned.

    Fitting, or a model file, sets the attributes that end in ``_``.
    """

    preset: str
    parses: str | ParseSettings
    lexicon: Lexicon | str | os.PathLike[str] | None
    cache: bool | ParseCache
    policy_: CandidatePolicy | None
    parses_: ParseSettings
    parse_source_: str
    pair_types_: PairTypes
    features_: FeatureMap
    head_: Head
    relation_types_: RelationTypes

    @property
    @abstractmethod
    def settings(self) -> Preset:
        """What the model is made of."""

    def read(self, corpus: CorpusLike) -> Iterator[Document]:
        """The documents as this model reads them: parsed and tagged, if it does so by itself, else as they are."""
        if hasattr(self, "parses_"):
            settings = self.parses_
        elif isinstance(self.parses, ParseSettings):
            settings = self.parses
        else:
            settings = ParseSettings() if self.parses == AUTO else ParseSettings(self.parses)
        return self._reader(settings)(documents_of(corpus))

    def candidates(self, corpus: CorpusLike) -> list[Candidate]:
        """The candidates of a corpus, in order: what every other method gives a value for."""
        return list(candidates(self.read(corpus), self.policy_, allow=self._may_relate))

    def predict(self, corpus: CorpusLike, *, all_candidates: bool = False) -> list[Prediction]:
        """The relations found; with ``all_candidates`` every candidate, related or not."""
        return list(self.stream(documents_of(corpus), all_candidates=all_candidates))

    def stream(self, documents: Iterable[Document], *, all_candidates: bool = False) -> Iterator[Prediction]:
        """The same for a stream of documents of any length."""
        for _, found in self.annotate(documents, all_candidates=all_candidates):
            yield from found

    def annotate(
        self, documents: Iterable[Document], *, all_candidates: bool = False
    ) -> Iterator[tuple[Document, list[Prediction]]]:
        """Each document of a stream as the model read it (with the entities it found in raw text), and its relations."""
        self._check_fitted()
        for batch in self._batches(documents):
            predictions = iter(self._predictions([candidate for _, own in batch for candidate in own]))
            for document, own in batch:
                judged = list(islice(predictions, len(own)))
                yield document, [prediction for prediction in judged if prediction.is_relation or all_candidates]

    def _batches(self, documents: Iterable[Document]) -> Iterator[list[tuple[Document, list[Candidate]]]]:
        """Documents as they are read, each with its candidates, some at a time."""
        self._check_fitted()
        readable = self.read(documents)
        while batch := list(islice(readable, BATCH_OF_PARSED if self.parses_.uses_pipeline else BATCH)):
            yield [(document, list(candidates([document], self.policy_, allow=self._may_relate))) for document in batch]

    def _predictions(self, found: Sequence[Candidate]) -> list[Prediction]:
        if not found:
            return []
        X = self._features(found)
        relations = self.relation_types_.predict(X)
        policy = self.policy_ or PairPolicy()
        return [
            Prediction(
                candidate, policy.given_type(candidate) or relation, float(probability), float(score), bool(label)
            )
            for candidate, relation, score, probability, label in zip(found, relations, *self.head_.decide(X), strict=True)
        ]

    def predict_proba(self, corpus: CorpusLike) -> Floats:
        """Calibrated probability of a relation for each candidate of :meth:`candidates`.

        It holds for text like the training text; where relations are more or less frequent, it is off by that shift.
        """
        return self._decide(corpus)[1]

    def scores(self, corpus: CorpusLike) -> Floats:
        """The classifier's own scores, which the threshold refers to."""
        return self._decide(corpus)[0]

    @property
    def n_bits(self) -> int:
        """Length of the hashcodes."""
        return len(self._learner.functions_)

    def hashcodes(self, corpus: CorpusLike) -> NDArray[np.uint64]:
        """Packed hashcodes of the candidates, 64 bits a column (see :mod:`relhash.hashing.codes`)."""
        blocks = [codes for _, codes in self.hash_stream(documents_of(corpus))]
        return np.concatenate([np.empty((0, -(-self.n_bits // 64)), np.uint64), *blocks])

    def hash_stream(self, documents: Iterable[Document]) -> Iterator[tuple[list[Candidate], NDArray[np.uint64]]]:
        """The same for a stream of any length: batches of candidates with their codes."""
        for batch in self._batches(documents):
            found = [candidate for _, own in batch for candidate in own]
            if found:
                yield found, self._learner.codes(self._structures(found))

    @property
    def _learner(self) -> HashcodeLearner:
        self._check_fitted()
        if self.features_.learner is None:
            raise ParameterError(f"preset {self.preset!r} has no hash functions")
        return self.features_.learner

    def evaluate(self, corpus: CorpusLike) -> Metrics:
        """Precision, recall, F1 of the positive class, AUC, … on the labelled candidates of a corpus."""
        self._check_fitted()
        found = self.candidates(corpus)
        found = [candidate for candidate, judged in zip(found, has_label(found), strict=True) if judged]
        if not found:
            raise ParameterError("the gold text has no labelled candidates: no sentence holds two entities that may relate")
        scores, _, labels = self.head_.decide(self._features(found))
        return measure([candidate.is_positive for candidate in found], scores, labels)

    def _decide(self, corpus: CorpusLike) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        self._check_fitted()
        found = self.candidates(corpus)
        if not found:
            return np.empty(0), np.empty(0), np.empty(0, bool)
        return self.head_.decide(self._features(found))

    def _features(self, found: Sequence[Candidate]) -> Any:
        return self.features_.transform(self._structures(found))

    def _structures(self, found: Sequence[Candidate]) -> StructureSet:
        if not self.parses_.uses_pipeline:
            check_parse_source(found, self.parse_source_)
        return build_structures(found, self.settings.all_views)

    def _reader(self, settings: ParseSettings) -> Reader:
        lexicon = self.lexicon
        if lexicon is not None and not isinstance(lexicon, Lexicon):
            lexicon = Lexicon.read(Path(lexicon))
        cache = self.cache if isinstance(self.cache, ParseCache) else ParseCache() if self.cache else None
        return Reader(settings, lexicon=lexicon, cache=cache)

    def _may_relate(self, candidate: Candidate) -> bool:
        return not hasattr(self, "pair_types_") or self.pair_types_.allow(candidate)

    def _check_fitted(self) -> None:
        if not hasattr(self, "head_"):
            raise ParameterError("this RelationExtractor is not fitted; call fit, or load a model file")
