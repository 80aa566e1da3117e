"""The whole way from corpora to a model, as an estimator; what the model then says of text stands in ``fitted.py``."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from relhash.blas import one_blas_thread
from relhash.candidates import Candidate, CandidatePolicy, PairPolicy, candidates
from relhash.corpus import Document
from relhash.corpus.read_write import CorpusLike, documents_of
from relhash.errors import ParameterError
from relhash.hashing.trace import Progress, each_document
from relhash.kernels import WordVectors
from relhash.language.entities import Lexicon
from relhash.language.parse_cache import ParseCache
from relhash.learn import FeaturePart
from relhash.learn.classifier import Classifier
from relhash.learn.metrics import Metrics
from relhash.learn.threshold import THRESHOLD_RULES, parse_strategy
from relhash.model.fitted import FittedModel
from relhash.model.fitting import learned_model
from relhash.model.judging import warn_of_many
from relhash.model.prediction import Prediction, Predictions
from relhash.model.prior import AUTO_PRIOR, NO_PRIOR, SHIPPED_PRIOR, load_prior
from relhash.model.reading.reader import AUTO, ParseSettings, Reader, choose_parses, parsed_views, to_cache, to_lexicon
from relhash.model.recipe import Recipe, is_ours, to_recipe
from relhash.model.training_text import read_as, read_training_text

logger = logging.getLogger(__name__)


class RelationExtractor(BaseEstimator):
    """Finds relations between the entities of a corpus, learned from few labels and adapted to the text it will read.

    Parameters
    ----------
    preset
        A system by name (see :data:`relhash.model.PRESETS`), or a :class:`~relhash.model.Recipe` of your own; ``views``,
        ``parts``, ``learner``, ``kernel``, ``classifier`` and ``threshold`` replace what it says
        (:meth:`Recipe.adjusted <relhash.model.Recipe.adjusted>`).
    expect
        In place of ``threshold``: how many of all pairs of a text are related, by your guess (0.2: one in five). Labels that
        were picked, as those of a spreadsheet, do not tell it.
    vectors
        Word vectors; those that ship with RelHash by default.
    prior
        A model that has learned about such relations elsewhere: a :class:`~relhash.model.FittedModel`, a file, or the name of
        one that ships. The labels correct it (see :mod:`relhash.learn.correction`). ``"auto"``: the shipped
        ``ppi`` where preset, entity types and parses fit it; ``None`` or ``"none"``: no prior.
    policy
        Which mentions may relate (:class:`~relhash.candidates.PairPolicy`), or an
        :class:`~relhash.candidates.statements.policy.InteractionPolicy` for interactions with types and roles.
    parses
        ``"file"``: the parses that the corpora carry; other text is refused. ``"embedded"``: everything, also what is predicted
        later, is parsed by the pipeline that ships with RelHash, and text without entities is tagged. ``"auto"``:
        ``"embedded"`` as soon as any text given to ``fit`` has no parses. Also the name of a spaCy model, or
        :class:`~relhash.model.reading.reader.ParseSettings`.
    lexicon, ground, cache
        How text is read, see :meth:`FittedModel.load <relhash.model.FittedModel.load>`.
    negated_are_negative
        Count training pairs as negative where their sentence denies the relation (*A does not bind B*): for corpora that label
        these as relations, as BioInfer does.
    random_state, n_jobs
        Seed; processes that parse text and threads of the kernels. The same seed gives the same model for any number.

    Attributes
    ----------
    model_
        What was learned, a frozen :class:`~relhash.model.FittedModel`, assigned once, at the very end of :meth:`fit`.

    Examples
    --------
    >>> from relhash.corpus.read_write import demo_corpora
    >>> abstracts, fulltexts = demo_corpora()
    >>> extractor = RelationExtractor("KLSH-NU-RF", learner={"n_bits": 20}).fit(abstracts, adapt_to=fulltexts)
    >>> found = extractor.predict(fulltexts)
    >>> found[0].is_relation, 0 <= found[0].probability <= 1
    (True, True)
    """

    model_: FittedModel

    def __init__(
        self,
        preset: str | Recipe = "best",
        *,
        views: Sequence[str] | None = None,
        parts: Sequence[str | FeaturePart] | None = None,
        learner: Mapping[str, Any] | None = None,
        kernel: Mapping[str, Any] | None = None,
        classifier: str | Classifier | Sequence[Classifier] | None = None,
        threshold: str | float | None = None,
        expect: float | None = None,
        vectors: WordVectors | None = None,
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
    def settings(self) -> Recipe:
        """The preset with everything that was replaced."""
        names = ("views", "parts", "learner", "kernel", "classifier", "threshold", "expect")
        return to_recipe(self.preset, self.policy).adjusted(**{name: getattr(self, name) for name in names})

    def fit(
        self,
        corpus: CorpusLike | None,
        adapt_to: CorpusLike | None = None,
        labels: int | Mapping[str, bool] | None = None,
        *,
        callback: Callable[[Progress], object] | None = None,
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
            Called with the progress: ``phase``, ``done`` out of ``wanted`` (``None``: not known), ``remark``. It is a
            :class:`~relhash.hashing.trace.DocumentRead` after each document that had to be parsed, a
            :class:`~relhash.hashing.Step` (:class:`~relhash.hashing.SharedReference`) after each step of the learner.
        """
        recipe, policy = self.settings.checked(), self.policy or PairPolicy()
        policy.to_dict()  # an error for candidates that a model file cannot hold, before anything is learned
        make_reader, prior = self._make_reader, self._wanted_prior
        on_document = None if callback is None else each_document(callback)
        if corpus is None:
            prior = self._check_without_labels(recipe, adapt_to)
            text = read_as(load_prior(prior)[0], adapt_to, policy=self.policy, make_reader=make_reader, on_document=on_document)
        else:
            text = read_training_text(
                corpus,
                adapt_to,
                parses=self.parses,
                views=recipe.all_views,
                policy=policy,
                make_reader=make_reader,
                on_document=on_document,
            )
        with one_blas_thread():
            model = learned_model(self, recipe, prior, text, labels, callback)
        logger.info("fitted %r", model)
        self.model_ = replace(model, **make_reader.keywords)
        if corpus is not None:
            warn_of_many(model.decision.accepted)
        return self

    def _check_without_labels(self, recipe: Recipe, adapt_to: CorpusLike | None) -> FittedModel | str | os.PathLike[str]:
        """The prior that is the model in a fit without labels; an error if there is none, or no text."""
        if self.prior is None or self.prior == NO_PRIOR:
            raise ParameterError("without labels there must be a prior (--prior MODEL, RelationExtractor(prior=…))")
        if adapt_to is None:
            raise ParameterError("without labels there must be text to adapt to (--adapt TEXT, adapt_to)")
        strategy = recipe.decision.threshold
        if THRESHOLD_RULES[parse_strategy(strategy)[0]].needs_labels:
            remedy = "without them say a probability (0.8) or --expect a share"
            raise ParameterError(f"threshold {strategy}: needs labels; {remedy}")
        return SHIPPED_PRIOR if self.prior == AUTO_PRIOR else self.prior

    @property
    def _make_reader(self) -> partial[Reader]:
        names, kept = to_lexicon(self.lexicon), to_cache(self.cache)
        return partial(Reader, lexicon=names, cache=kept, ground=self.ground, n_jobs=self.n_jobs)

    @property
    def _wanted_prior(self) -> FittedModel | str | os.PathLike[str] | None:
        """What to look for; systems of the literature, and parts that were named, are left as they are."""
        takes_prior = is_ours(self.preset) and self.parts is None and self.classifier is None
        return NO_PRIOR if self.prior == AUTO_PRIOR and not takes_prior else self.prior

    def candidates(self, corpus: CorpusLike) -> list[Candidate]:
        """The candidates of a corpus; before the fit, those that it would see (to choose labels by :attr:`Candidate.key`)."""
        if hasattr(self, "model_"):
            return self.model_.candidates(corpus)
        documents = list(documents_of(corpus))
        settings, policy = self.settings, self.policy or PairPolicy()
        walks = bool(parsed_views(settings.all_views))
        parses = choose_parses(self.parses, documents, [], needs_parse=walks, needs_split=policy.needs_sentences)
        return list(candidates(self._make_reader(parses)(documents, tag=False), policy))

    @property
    def fitted(self) -> FittedModel:
        """The model, or an error that says how to get one."""
        if not hasattr(self, "model_"):
            raise ParameterError("this RelationExtractor is not fitted; call fit, or relhash.load a model file")
        return self.model_

    def predict(self, corpus: CorpusLike, *, all_candidates: bool = False, **more: Any) -> Predictions:
        """See :meth:`FittedModel.predict <relhash.model.fitted.FittedModel.predict>`, as for all methods below."""
        return self.fitted.predict(corpus, all_candidates=all_candidates, **more)

    def predict_proba(self, corpus: CorpusLike) -> NDArray[np.float64]:
        return self.fitted.predict_proba(corpus)

    def scores(self, corpus: CorpusLike) -> NDArray[np.float64]:
        return self.fitted.scores(corpus)

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
