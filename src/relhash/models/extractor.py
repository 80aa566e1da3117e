"""The whole way: corpora in, relations out. The only object that knows every room before this one.

Here it is set up, fitted and stored; what it then says of text stands in :mod:`relhash.models.predictor`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from relhash.corpus import Document
from relhash.corpus.corpora import CorpusLike
from relhash.hashing.trace import Event
from relhash.kernels import WordVectors
from relhash.language.entities import Lexicon
from relhash.language.parse_cache import ParseCache
from relhash.learning.classifier import both_classes
from relhash.learning.decision import ClassifierSpec, Head
from relhash.learning.labels import training_labels
from relhash.learning.relation_types import RelationTypes
from relhash.learning.threshold import Threshold
from relhash.models.adjustment import adjusted
from relhash.models.card import make_card
from relhash.models.code_choice import fit_features
from relhash.models.interaction_presets import preset_for
from relhash.models.predictor import Predictor
from relhash.models.presets import Preset
from relhash.models.reading import AUTO, ParseSettings
from relhash.models.training_text import read_training_text
from relhash.structures import StructureSet, build_structures
from relhash.structures.candidates import CandidatePolicy
from relhash.structures.sentence_keys import sentence_hashes

__all__ = ["RelationExtractor"]


class RelationExtractor(Predictor):
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
        ``"forest"``, ``"linear"``, ``"neighbours"``, or :class:`~relhash.learning.decision.ClassifierSpec` objects to choose
        from.
    threshold
        ``"fraction"``, ``"precision:0.8"``, a probability, … (see :mod:`relhash.learning.threshold`).
    vectors
        Word vectors; those that ship with RelHash by default.
    policy
        Which mentions may relate, or an :class:`~relhash.structures.interactions.InteractionPolicy` for
        interactions with types and roles (the views of the preset are then those of interactions).
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
        policy: CandidatePolicy | None = None,
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
        callback: Callable[[Event], object] | None = None,
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
            Called after each step of the hashcode learner (a :class:`~relhash.hashing.Step`, or of a supervised one a
            :class:`~relhash.hashing.SharedReference`).
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

    def accept_from(self, probability: float) -> Self:
        """Put the threshold at a calibrated probability, in place of the one chosen at fit."""
        self._check_fitted()
        threshold = Threshold(self.head_.calibration.score_of(probability), f"fixed:{probability:g}")
        self.head_ = replace(self.head_, threshold=threshold)
        return self

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file: plain arrays and JSON in a zip, no pickle."""
        from relhash.models.model_file import save_model

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
        from relhash.models.model_file import load_model
        from relhash.models.shipped import find_model

        model = load_model(cls, find_model(path), vectors, n_jobs)
        model.lexicon, model.cache = lexicon, cache
        return model


def _words(*structures: StructureSet | None) -> tuple[str, ...]:
    """Every label that occurs in the sequences: what a model file must know the vectors of."""
    found: set[str] = set()
    for one in structures:
        if one is not None:
            for name in one.names:
                found.update(getattr(one[name], "vocabulary", ()))
    return tuple(sorted(found))
