"""The whole way from corpora to a model: set up here, fitted here; what it then says of text stands in ``fitted.py``."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from relhash.blas import one_blas_thread
from relhash.corpus import Document
from relhash.corpus.corpora import CorpusLike, documents_of
from relhash.errors import ParameterError, RelHashWarning
from relhash.features import FeatureMap, FeaturePart
from relhash.hashing.trace import Progress
from relhash.kernels import WordVectors
from relhash.language.entities import Lexicon
from relhash.language.parse_cache import ParseCache
from relhash.learning.classifier import Classifier, Fitting, both_classes
from relhash.learning.decision import Decision
from relhash.learning.labels import are_all_pairs, training_labels
from relhash.learning.metrics import Metrics
from relhash.learning.relation_types import RelationTypes
from relhash.models.adaptation import familiarity_of
from relhash.models.adjustment import adjusted
from relhash.models.card import make_card, trace_note
from relhash.models.code_choice import fit_features
from relhash.models.fitted import FittedModel, to_cache, to_lexicon
from relhash.models.interaction_presets import preset_for
from relhash.models.negated_labels import without_negated
from relhash.models.no_labels import model_without_labels
from relhash.models.parses import parsed_views
from relhash.models.prediction import Prediction
from relhash.models.presets import Preset
from relhash.models.prior import AUTO_PRIOR, NO_PRIOR, ChosenPrior, choose_prior, prior_note
from relhash.models.reading import AUTO, ParseSettings, Reader, choose_parses
from relhash.models.seen import UNLABELLED, Seen
from relhash.models.shared_codes import SharedCodes, to_codes
from relhash.models.training_text import TrainingText, read_training_text
from relhash.structures import Candidate, CandidatePolicy, PairPolicy, StructureSet, build_structures, candidates
from relhash.structures.sentence_keys import sentence_hashes

__all__ = ["RelationExtractor"]

SOURCE = "source"
"""Metadata of documents that says which corpus they come from, for classifiers that learn from several."""
SUSPICIOUS = 0.5
"""Share of candidates above which a model accepts more than text like ours ever states."""


class RelationExtractor(BaseEstimator):
    """Finds relations between the entities of a corpus, learned from few labels and adapted to the text it will read.

    Parameters
    ----------
    preset
        A system by name (see :data:`relhash.models.presets.PRESETS`); everything below replaces a part of it.
    views, parts
        What the hash functions compare; the feature parts of the classifier (see :mod:`relhash.features`).
    learner, kernel
        Parameters of the hashcode learner and of the path kernel, by name.
    classifier
        ``"forest"``, ``"linear"``, ``"neighbours"``, or objects such as ``LinearClassifier(C=0.1)`` of
        :mod:`relhash.learning`; of several the training side chooses one.
    threshold
        ``"fraction"``, ``"precision:0.8"``, a probability, … (see :mod:`relhash.learning.threshold`).
    expect
        In place of ``threshold``: how many of all pairs of a text are related, by your guess (0.2: one in five). Labels that
        were picked, as those of a spreadsheet, do not tell it.
    vectors
        Word vectors; those that ship with RelHash by default.
    codes
        Hash functions that were learned before (:class:`~relhash.models.SharedCodes`, or their file): only what the classifier
        needs is then learned here. They must fit the preset, and bring their learner, kernel and word vectors along.
    prior
        A model that has learned about such relations elsewhere: a :class:`~relhash.models.FittedModel`, a file, or the name of
        one that ships. The labels decide how much it is heard (see :mod:`relhash.learning.blend`). ``"auto"``: the shipped
        ``ppi`` where preset, entity types and parses fit it; ``None`` or ``"none"``: no prior.
    policy
        Which mentions may relate (:class:`~relhash.structures.PairPolicy`), or an
        :class:`~relhash.structures.interactions.candidates.InteractionPolicy` for interactions with types and roles (the views
        of the preset are then those of interactions).
    parses
        ``"file"``: the parses that the corpora carry; other text is refused. ``"embedded"``: everything, also what is predicted
        later, is parsed by the pipeline that ships with RelHash, and text without entities is tagged. ``"auto"``:
        ``"embedded"`` as soon as any text given to ``fit`` has no parses. Also the name of a spaCy model, or
        :class:`~relhash.models.reading.ParseSettings`.
    lexicon
        Names → ids (a :class:`~relhash.language.Lexicon`, or a file) to find in text without entities.
    ground
        Give ids to entities that have none, by the list of names that ships (see :mod:`relhash.language.grounding`).
    negated_are_negative
        Count training pairs as negative where their sentence denies the relation (*A does not bind B*): for corpora that label
        these as relations, as BioInfer does.
    cache
        Keep parses in the user's cache folder between runs; or a :class:`~relhash.language.ParseCache` of your own.
    random_state, n_jobs
        Seed and threads; the same seed gives the same model for any number of threads.

    Attributes
    ----------
    model_
        What was learned, a frozen :class:`~relhash.models.fitted.FittedModel`. It is assigned once, at the very end of
        :meth:`fit`: an interrupted second fit leaves the first model whole. Everything below ``fit`` asks it.

    Examples
    --------
    >>> from relhash.corpus.demo import demo_corpora
    >>> abstracts, fulltexts = demo_corpora()
    >>> extractor = RelationExtractor("KLSH-NU-RF", learner={"n_bits": 20}).fit(abstracts, adapt_to=fulltexts)
    >>> found = extractor.predict(fulltexts)
    >>> found[0].is_relation, 0 <= found[0].probability <= 1
    (True, True)
    """

    def __init__(
        self,
        preset: str = "best",
        *,
        views: Sequence[str] | None = None,
        parts: Sequence[str | FeaturePart] | None = None,
        learner: Mapping[str, Any] | None = None,
        kernel: Mapping[str, Any] | None = None,
        classifier: str | Classifier | Sequence[Classifier] | None = None,
        threshold: str | float | None = None,
        expect: float | None = None,
        vectors: WordVectors | None = None,
        codes: SharedCodes | str | os.PathLike[str] | None = None,
        prior: FittedModel | str | os.PathLike[str] | None = AUTO_PRIOR,
        policy: CandidatePolicy | None = None,
        parses: str | ParseSettings = AUTO,
        lexicon: Lexicon | str | os.PathLike[str] | None = None,
        ground: bool = True,
        negated_are_negative: bool = False,
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
        self.expect = expect
        self.vectors = vectors
        self.codes = codes
        self.prior = prior
        self.policy = policy
        self.parses = parses
        self.lexicon = lexicon
        self.ground = ground
        self.negated_are_negative = negated_are_negative
        self.cache = cache
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def settings(self) -> Preset:
        """The preset with everything that was replaced."""
        return adjusted(
            preset_for(self.preset, self.policy),
            views=self.views,
            parts=self.parts,
            learner=self.learner,
            kernel=self.kernel,
            classifier=self.classifier,
            threshold=self.threshold,
            expect=self.expect,
        )

    def fit(
        self,
        corpus: CorpusLike | None,
        adapt_to: CorpusLike | None = None,
        labels: int | Mapping[str, bool] | None = None,
        *,
        callback: Callable[[Progress], object] | None = None,
        on_document: Callable[[Document], object] | None = None,
    ) -> Self:
        """Learn the codes without labels, then the classifier.

        Parameters
        ----------
        corpus
            Labelled text: a corpus, documents, a path, or several corpora or paths. ``None``: there are no labels, and the
            prior is the model, its threshold and calibration those of ``adapt_to``.
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
        policy = self.policy or PairPolicy()
        codes, settings = self._shared_codes(), self.settings
        settings = (settings if codes is None else codes.applied_to(settings, policy)).checked()
        policy.to_dict()  # an error for candidates that a model file cannot hold, before anything is learned
        lexicon, cache = to_lexicon(self.lexicon), to_cache(self.cache)
        if corpus is None:
            if codes is not None:
                raise ParameterError("codes: without labels they are learned from the text to adapt to; leave out codes")
            with one_blas_thread():
                model = model_without_labels(
                    self.preset,
                    settings,
                    self.prior,
                    adapt_to,
                    policy=self.policy,
                    make_reader=lambda parses: Reader(parses, lexicon=lexicon, cache=cache, ground=self.ground),
                    vectors=self.vectors,
                    random_state=self.random_state,
                    n_jobs=self.n_jobs,
                    callback=callback,
                    on_document=on_document,
                )
            self.model_ = replace(model, lexicon=lexicon, cache=cache, ground=self.ground)
            return self
        text = read_training_text(
            corpus,
            adapt_to,
            parses=self.parses if codes is None or self.parses != AUTO else codes.parses,
            views=settings.all_views,
            policy=policy,
            make_reader=lambda parses: Reader(parses, lexicon=lexicon, cache=cache, ground=self.ground),
            on_document=on_document,
        )
        if codes is not None:
            codes.check_source(text.parse_source)
        with one_blas_thread():
            self.model_ = self._learned(settings, codes, text, labels, lexicon, cache, callback)
        accepted = self.model_.decision.accepted
        if accepted is not None and accepted > SUSPICIOUS:
            warnings.warn(
                f"the model accepts {accepted:.0%} of all candidates, which is suspiciously many; a sheet of picked rows does "
                "not tell how common relations are: say what you expect (--expect 0.2, RelationExtractor(expect=0.2)), or "
                "choose a threshold (precision:0.8, or a probability such as 0.5)",
                RelHashWarning,
                stacklevel=2,
            )
        return self

    def _shared_codes(self) -> SharedCodes | None:
        """The codes, read if a file was named; refused beside parameters that they bring along."""
        for name in ("learner", "kernel", "vectors"):
            if self.codes is not None and getattr(self, name) is not None:
                raise ParameterError(f"{name}: the codes have been learned with their own; leave out codes or {name}")
        own_parses = self.parses.source if isinstance(self.parses, ParseSettings) else self.parses
        return to_codes(self.codes, self.n_jobs, own_parses)

    def _learned(
        self,
        settings: Preset,
        codes: SharedCodes | None,
        text: TrainingText,
        labels: int | Mapping[str, bool] | None,
        lexicon: Lexicon | None,
        cache: ParseCache | None,
        callback: Callable[[Progress], object] | None,
    ) -> FittedModel:
        train, target = text.train, text.target
        labelled, y = training_labels(train, labels, self.random_state)
        if self.negated_are_negative:
            y = without_negated(train, y)
        both_classes(y[labelled])
        prior, why = choose_prior(self._wanted_prior, text, [train[number] for number in labelled])
        if prior is not None:
            settings = replace(settings, parts=(*settings.parts, prior.part))
        X = build_structures(train, settings.all_views)
        T = build_structures(target, settings.all_views) if target else None

        documents = np.array([candidate.document.id for candidate in train])
        visible = np.full(len(train), None, object)
        visible[labelled] = y[labelled]
        made = fit_features(
            settings,
            X,
            T if settings.use_target else None,
            visible,
            documents,
            vectors=self.vectors,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
            callback=callback,
            learned=None if codes is None else codes.code,
        )
        target_rows = made.target_rows
        if T is not None and target_rows is None:
            target_rows = made.features.transform(T)
        all_pairs = are_all_pairs(train, labelled, text.policy, text.pair_types.allow)
        picked = not all_pairs and self.threshold is None
        how: Fitting = {
            "columns": made.features.columns, "random_state": self.random_state, "n_jobs": self.n_jobs,
            **_sources([train[number] for number in labelled]),
        }  # fmt: skip
        decision = Decision.fit(
            made.settings.decision,
            made.rows[labelled],
            y[labelled],
            documents[labelled],
            target=target_rows,
            choice=made.choice,
            picked=picked,
            expected_share=None if prior is None or T is None or self.threshold is not None else prior.expected_share(T),
            **how,
        )
        positive = labelled[y[labelled]]
        return FittedModel(
            preset=self.preset,
            settings=made.settings,
            features=made.features,
            decision=decision,
            relation_types=RelationTypes.fit(made.rows[positive], [train[i].relations for i in positive]),
            policy=text.policy,
            pair_types=text.pair_types,
            parses=text.parses,
            parse_source=text.parse_source,
            training_sentences=_sentences([train[number] for number in labelled], prior),
            card=make_card(
                self.preset,
                made.settings,
                decision,
                text,
                labelled,
                y,
                self.random_state,
                all_pairs=all_pairs,
                codes=None if codes is None else codes.card,
                prior=prior_note(prior, decision, why),
                trace=None if codes is not None else trace_note(made.features),
            ),
            random_state=self.random_state,
            lexicon=lexicon,
            cache=cache,
            familiar=familiarity_of(made.features, X if T is None else T, target or train),
            seen=_seen(made.features, X, visible),
            ground=self.ground,
        )

    @property
    def _wanted_prior(self) -> FittedModel | str | os.PathLike[str] | None:
        """What to look for; systems of the literature, and parts that somebody named, are left as they are."""
        is_ours = self.preset.startswith("best") and self.parts is None and self.classifier is None
        return NO_PRIOR if self.prior == AUTO_PRIOR and not is_ours else self.prior

    @property
    def fitted(self) -> FittedModel:
        """The model, or an error that says how to get one."""
        if not hasattr(self, "model_"):
            raise ParameterError("this RelationExtractor is not fitted; call fit, or relhash.load a model file")
        return self.model_

    def predict(self, corpus: CorpusLike, *, all_candidates: bool = False) -> list[Prediction]:
        """See :meth:`FittedModel.predict <relhash.models.fitted.FittedModel.predict>`, as for all methods below."""
        return self.fitted.predict(corpus, all_candidates=all_candidates)

    def predict_proba(self, corpus: CorpusLike) -> NDArray[np.float64]:
        return self.fitted.predict_proba(corpus)

    def scores(self, corpus: CorpusLike) -> NDArray[np.float64]:
        return self.fitted.scores(corpus)

    def candidates(self, corpus: CorpusLike) -> list[Candidate]:
        """The candidates of a corpus; before the fit, those that it would see (to choose labels by :attr:`Candidate.key`)."""
        if hasattr(self, "model_"):
            return self.model_.candidates(corpus)
        documents = list(documents_of(corpus))
        settings, policy = self.settings, self.policy or PairPolicy()
        parses = choose_parses(
            self.parses,
            documents,
            [],
            needs_parse=bool(parsed_views(settings.all_views)),
            needs_split=policy.needs_sentences,
        )
        reader = Reader(parses, lexicon=to_lexicon(self.lexicon), cache=to_cache(self.cache), ground=self.ground)
        return list(candidates(reader(documents, tag=False), policy))

    def annotate(
        self, documents: Iterable[Document], *, all_candidates: bool = False
    ) -> Iterator[tuple[Document, list[Prediction]]]:
        return self.fitted.annotate(documents, all_candidates=all_candidates)

    def hashcodes(self, corpus: CorpusLike) -> NDArray[np.uint64]:
        return self.fitted.hashcodes(corpus)

    def evaluate(self, corpus: CorpusLike) -> Metrics:
        return self.fitted.evaluate(corpus)

    def save(self, path: str | os.PathLike[str]) -> None:
        self.fitted.save(path)


def _seen(features: FeatureMap, structures: StructureSet, labels: NDArray[Any]) -> Seen | None:
    """The codes of the training text with its labels, as far as the model may know them."""
    if features.code is None:
        return None
    told = np.array([UNLABELLED if label is None else int(label) for label in labels], np.int8)
    return Seen.of(features.code.learner.codes(structures), told)


def _sources(labelled: Sequence[Candidate]) -> Fitting:
    """The corpus of each candidate, where there are several."""
    found = np.array([candidate.document.metadata.get(SOURCE, "") for candidate in labelled])
    return {"sources": found} if np.unique(found).size > 1 else {}


def _sentences(labelled: Sequence[Candidate], prior: ChosenPrior | None) -> NDArray[np.uint64]:
    """Hashes of all sentences whose labels the model has learned from, also those of its prior."""
    own = sentence_hashes(labelled)
    return np.unique(own if prior is None else np.concatenate([own, prior.model.training_sentences]))
