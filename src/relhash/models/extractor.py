"""The whole way: corpora in, relations out. The only object that knows every room before this one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from relhash.corpus import Document
from relhash.errors import ParameterError
from relhash.hashing import HashcodeLearner
from relhash.hashing.trace import Step
from relhash.kernels import WordVectors
from relhash.language.entities import Lexicon
from relhash.language.parse_cache import ParseCache
from relhash.models.adjustment import adjusted
from relhash.models.card import make_card
from relhash.models.classifier import both_classes
from relhash.models.code_choice import fit_features
from relhash.models.corpora import CorpusLike, documents_of
from relhash.models.features import FeatureMap
from relhash.models.head import ClassifierSpec, Head
from relhash.models.interaction_presets import preset_for
from relhash.models.labels import has_label, training_labels
from relhash.models.metrics import Metrics, measure
from relhash.models.parses import check_parse_source
from relhash.models.policies import given_type
from relhash.models.prediction import Prediction
from relhash.models.presets import Preset
from relhash.models.reading import AUTO, ParseSettings, Reader
from relhash.models.relation_types import RelationTypes
from relhash.models.sentences import sentence_hashes
from relhash.models.threshold import Threshold
from relhash.models.training_text import read_training_text
from relhash.structures import Candidate, CandidatePolicy, StructureSet, build_structures, candidates
from relhash.structures.candidates import CandidateMaker

__all__ = ["RelationExtractor"]

Floats = NDArray[np.float64]

BATCH = 256
"""Documents that are predicted at a time; it changes the memory, never the result."""
BATCH_OF_PARSED = 32
"""The same where documents are parsed first: that takes longer, and people want to see something."""


class RelationExtractor:
    """Finds relations between the entities of a corpus, learned from few labels and adapted to the text it will read.

    Parameters
    ----------
    preset
        A system by name (see :data:`relhash.models.presets.PRESETS`); everything below replaces a part of it.
    views, parts
        What the hash functions compare; the feature parts of the classifier.
    learner, kernel
        Parameters of the hashcode learner and of the path kernel, by name.
    classifier
        ``"forest"``, ``"linear"``, ``"neighbours"``, or :class:`~relhash.models.head.ClassifierSpec` objects to choose from.
    threshold
        ``"fraction"``, ``"precision:0.8"``, a probability, … (see :mod:`relhash.models.threshold`).
    vectors
        Word vectors; those that ship with RelHash by default.
    policy
        Which mentions may relate, or an :class:`~relhash.structures.interactions.InteractionPolicy` for interactions with types
        and roles (the views of the preset are then those of interactions).
    parses
        ``"file"``: the parses that the corpora carry; other text is refused. ``"embedded"``: everything, also what is predicted
        later, is parsed by the pipeline that ships with RelHash, and text without entities is tagged. ``"auto"``:
        ``"embedded"`` as soon as any text given to ``fit`` has no parses. Also the name of a spaCy model, or
        :class:`~relhash.models.reading.ParseSettings`.
    lexicon
        Names → ids (a :class:`~relhash.language.Lexicon`, or a file) to find in text without entities.
    cache
        Keep parses in the user's cache folder between runs; or a :class:`~relhash.language.ParseCache` of your own.
    random_state, n_jobs
        Seed and threads; the same seed gives the same model for any number of threads.

    Attributes
    ----------
    features_, head_
        The fitted feature parts, and the classifier with calibration and threshold.
    parses_, parse_source_
        How this model reads text, and where the parses of its training text came from.
    pair_types_, policy_
        Which types of entities were paired in the training text; the policy with what it learned there.
    card_
        What the model was made from and how.
    training_sentences_
        Hashes of the labelled sentences, to tell leakage into a test set.

    Examples
    --------
    >>> model = RelationExtractor("KLSH-NU-RF").fit("labelled.xml", adapt_to="other.xml")          # doctest: +SKIP
    >>> for found in model.predict("third.xml"):                                                  # doctest: +SKIP
    ...     print(found.relation, found.probability, found.evidence)
    """

    def __init__(
        self,
        preset: str = "best",
        *,
        views: Sequence[str] | None = None,
        parts: Sequence[str] | None = None,
        learner: Mapping[str, Any] | None = None,
        kernel: Mapping[str, Any] | None = None,
        classifier: str | ClassifierSpec | Sequence[ClassifierSpec] | None = None,
        threshold: str | float | None = None,
        vectors: WordVectors | None = None,
        policy: CandidatePolicy | CandidateMaker | None = None,
        parses: str | ParseSettings = AUTO,
        lexicon: Lexicon | str | os.PathLike[str] | None = None,
        cache: bool | ParseCache = True,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.preset = preset
        self.views = views
        self.parts = parts
        self.learner = learner
        self.kernel = kernel
        self.classifier = classifier
        self.threshold = threshold
        self.vectors = vectors
        self.policy = self.policy_ = policy
        self.parses = parses
        self.lexicon = lexicon
        self.cache = cache
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.stored_settings_: Preset | None = None

    @property
    def settings(self) -> Preset:
        """The preset with everything that was replaced; for a loaded model, what its file says."""
        if self.stored_settings_ is not None:
            return self.stored_settings_
        return adjusted(
            preset_for(self.preset, self.policy),
            views=self.views,
            parts=self.parts,
            learner=self.learner,
            kernel=self.kernel,
            classifier=self.classifier,
            threshold=self.threshold,
        )

    def fit(
        self,
        corpus: CorpusLike,
        adapt_to: CorpusLike | None = None,
        labels: int | Mapping[str, bool] | None = None,
        *,
        callback: Callable[[Step], object] | None = None,
        on_document: Callable[[Document], object] | None = None,
    ) -> Self:
        """Learn the codes without labels, then the classifier.

        Parameters
        ----------
        corpus
            Labelled text: a corpus, documents, a path, or several corpora or paths.
        adapt_to
            Text like that to be read; its labels, if it has any, are never looked at. Without it codes and threshold come
            from the training text alone (inductive).
        labels
            Use only so many labelled candidates, drawn at random, or exactly those given by :attr:`Candidate.key`; the
            others serve as unlabelled text.
        callback
            Called after each step of the hashcode learner.
        on_document
            Called with each document that had to be parsed.
        """
        settings = self.settings.checked()
        text = read_training_text(
            corpus,
            adapt_to,
            parses=self.parses,
            views=settings.all_views,
            policy=self.policy,
            make_reader=self._reader,
            on_document=on_document,
        )
        train, target = text.train, text.target
        labelled, y = training_labels(train, labels, self.random_state)
        both_classes(y[labelled])
        self.parses_, self.parse_source_, self.pair_types_ = text.parses, text.parse_source, text.pair_types
        self.policy_ = text.policy
        X = build_structures(train, settings.all_views)
        T = build_structures(target, settings.all_views) if target else None

        visible = np.full(len(train), None, object)
        visible[labelled] = y[labelled]
        self.features_: FeatureMap
        settings, self.features_, rows, target_rows = fit_features(
            settings,
            X,
            T if settings.use_target else None,
            visible,
            vectors=self.vectors,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
            callback=callback,
        )
        self.fitted_settings_ = settings
        if T is not None and target_rows is None:
            target_rows = self.features_.transform(T)
        documents = np.array([candidate.document.id for candidate in train])
        self.head_ = Head.fit(
            settings.head,
            rows[labelled],
            y[labelled],
            documents[labelled],
            target=target_rows,
            target_documents=np.array([candidate.document.id for candidate in target]) if target else None,
            blocks=self.features_.blocks_,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )
        positive = labelled[y[labelled]]
        self.relation_types_ = RelationTypes.fit(rows[positive], [train[i].relations for i in positive])
        self.vocabulary_ = _words(X, T)
        self.training_sentences_ = np.unique(sentence_hashes(train[number] for number in labelled))
        self.card_ = make_card(
            self.preset, settings, self.head_, train, target, labelled, y, self.parse_source_, self.random_state
        )
        return self

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
        found = candidates(self.read(corpus), self.policy_)
        return [candidate for candidate in found if self._may_relate(candidate)]

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
            yield [
                (document, [c for c in candidates([document], self.policy_) if self._may_relate(c)]) for document in batch
            ]  # fmt: skip

    def _predictions(self, found: Sequence[Candidate]) -> list[Prediction]:
        if not found:
            return []
        X = self._features(found)
        relations = self.relation_types_.predict(X)
        return [
            Prediction(
                candidate, given_type(candidate, self.policy_) or relation, float(probability), float(score), bool(label)
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

    def accept_from(self, probability: float) -> Self:
        """Put the threshold at a calibrated probability, in place of the one chosen at fit."""
        self._check_fitted()
        threshold = Threshold(self.head_.calibration.score_of(probability), f"fixed:{probability:g}")
        self.head_ = replace(self.head_, threshold=threshold)
        return self

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file: plain arrays and JSON in a zip, no pickle."""
        from relhash.models.store import save_model

        self._check_fitted()
        save_model(self, Path(path))

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        vectors: WordVectors | None = None,
        lexicon: Lexicon | str | os.PathLike[str] | None = None,
        cache: bool | ParseCache = True,
        n_jobs: int | None = None,
    ) -> Self:
        """Read a model file, or a model that ships with RelHash by its name (``"ppi"``).

        ``vectors`` are needed in full only if the model was fitted with vectors of your own and shall know words that
        neither its training nor its adaptation text had. ``lexicon`` and ``cache`` as for a new model.
        """
        from relhash.models.shipped import find_model
        from relhash.models.store import load_model

        model = load_model(cls, find_model(path), vectors, n_jobs)
        model.lexicon, model.cache = lexicon, cache
        return model

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


def _words(*structures: StructureSet | None) -> tuple[str, ...]:
    """Every label that occurs in the sequences: what a model file must know the vectors of."""
    found: set[str] = set()
    for one in structures:
        if one is not None:
            for name in one.names:
                found.update(getattr(one[name], "vocabulary", ()))
    return tuple(sorted(found))
