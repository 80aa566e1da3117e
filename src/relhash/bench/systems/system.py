"""The rows of a table: a system knows its published figures and what is left to do once its features are there.

Kinds of systems: a preset (what the product runs), a preset with the vote of a prior, the prior alone, a baseline of the
literature; those on the summed kernel stand in :mod:`relhash.bench.systems.kernel_machines`.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.bench.bench import Bench, Features
from relhash.bench.rivals import BASELINES, BaselineEntry
from relhash.blas import one_blas_thread
from relhash.candidates import Candidate
from relhash.candidates.descriptors import COLUMNS, DESCRIPTORS
from relhash.candidates.encoded import ENCODER
from relhash.corpus import Document
from relhash.corpus.document import without_answers
from relhash.errors import DataMissingError, ParameterError
from relhash.language.encoder import OTHER_FILE, shared_encoder
from relhash.learn.codes import stack
from relhash.learn.correction import OTHER_TEXT, PRIOR
from relhash.learn.decision import Decision, DecisionSettings
from relhash.learn.labels import draw_labelled
from relhash.learn.threshold import CUT, choose_threshold
from relhash.model.recipe import Recipe, for_interactions


class Outcome(NamedTuple):
    """Scores and labels of the test candidates, the seconds it took, features included whoever computed them, and the
    classifier that the training side chose, where there was a choice."""

    scores: NDArray[np.float64]
    labels: NDArray[np.bool_]
    seconds: float
    chosen: str = ""


Work = Callable[..., Outcome]
"""``work(n_labels, n_jobs=1)`` learns from so many labels (``None``: all) and labels the test candidates; it can be sent to
another process."""


@dataclass(frozen=True, eq=False)
class System(ABC):
    """A row of a table.

    ``name`` is as it stands in tables and in ``--systems``; it means the same in every protocol: what differs is how it
    looks at the candidates (:meth:`for_interactions`). Where a seed changes nothing (``deterministic``) one run is enough.
    """

    name: str
    deterministic: bool = False
    uses_prior = False
    """Whether it needs the prior of the protocol (:mod:`relhash.bench.systems.prior_votes`)."""
    uses_baselines = False
    """Whether its results depend on the room :mod:`relhash.bench.rivals`."""
    needs_labels = True
    """Whether labels make a difference; without, a curve over numbers of labels has one point, at 0."""
    has_codes = False
    """Whether something in it is drawn by the seed of a bench, so that draws of labels on one bench share it."""
    needs = ""
    """The extra that must be installed."""

    @property
    @abstractmethod
    def summary(self) -> str:
        """One line for people."""

    @property
    def paper_f1(self) -> Mapping[str, float]:
        """F1 in the literature by direction: ``"A→B"``, ``"B→A"``, ``"train→devel13"`` (BioNLP), ``"subsets"`` (PubMed45)."""
        return {}

    @property
    def identity(self) -> str:
        """What a finished cell of this system depends on."""
        return repr(self)

    def for_interactions(self) -> System:
        """The system as it looks at candidates with a trigger and roles; an error where there is no such thing."""
        return self

    @abstractmethod
    def work(self, bench: Bench, draw: int = 0) -> Work:
        """What is left to do on the training and test set of ``bench``, with the labels of draw number ``draw``."""


def labelled_rows(y: NDArray[np.bool_], n_labels: int | None, draw: int) -> NDArray[np.int64]:
    """The training rows whose labels may be looked at: all of them, or a draw.

    >>> labelled_rows(np.array([True, False, True]), None, 0)
    array([0, 1, 2])
    """
    return np.arange(y.size) if n_labels is None else draw_labelled(y, n_labels, draw)


@dataclass(frozen=True, eq=False)
class BaselineSystem(System):
    """A baseline of the literature; it makes its own features of any candidates."""

    uses_baselines = True

    @classmethod
    def called(cls, name: str) -> BaselineSystem:
        """The baseline of this name in :data:`relhash.bench.rivals.BASELINES`."""
        return cls(name, BASELINES[name].deterministic)

    @property
    def summary(self) -> str:
        return BASELINES[self.name].summary

    @property
    def paper_f1(self) -> Mapping[str, float]:
        return BASELINES[self.name].paper_f1

    @property
    def identity(self) -> str:
        return f"{self.name} {BASELINES[self.name].revision}"

    @property
    def needs(self) -> str:  # type: ignore[override]
        return BASELINES[self.name].needs

    def work(self, bench: Bench, draw: int = 0) -> Work:
        train, test = bench.candidates()
        # a transductive baseline is given all of the test set, so nothing in it may tell its labels
        return partial(_by_baseline, self.name, train, bench.y, without_gold(test), bench.seed, draw)


def _by_baseline(
    name: str,
    train: Sequence[Candidate],
    y: NDArray[np.bool_],
    test: Sequence[Candidate],
    seed: int,
    draw: int,
    n_labels: int | None,
    n_jobs: int | None = 1,
) -> Outcome:
    start, entry = time.perf_counter(), BASELINES[name]
    rows = labelled_rows(y, n_labels, draw)
    with _one_thread(entry):
        estimator = entry.made(seed if n_labels is None else draw, n_jobs)
        estimator.fit([train[row] for row in rows], y[rows], target=test if entry.transductive else None)
        scores = np.asarray(estimator.predict_proba(test)[:, 1], np.float64)
    if scores.shape != (len(test),) or not np.isfinite(scores).all():
        raise ParameterError(f"{name}: not every candidate has got a finite score (seed {seed})")
    # as every other row: the share of candidates that is best on the training side
    threshold = choose_threshold("fraction", estimator.held_out_labels_, estimator.held_out_scores_, target=scores)
    return Outcome(scores, threshold.labels(scores), time.perf_counter() - start)


def without_gold(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates with all that tells their labels taken out, of themselves and of their documents.

    >>> from relhash.corpus import Mention
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> known = Candidate(Document("d", "Ras binds Raf", mentions=names), 0, names, ("e1", "e2"), ("binds",))
    >>> without_gold([known])
    [Candidate(d: e1='Ras', e2='Raf'; no relation)]
    """
    blind: dict[int, Document] = {}
    for candidate in candidates:
        document = candidate.document
        if id(document) not in blind:
            blind[id(document)] = without_answers(document)
    return [replace(candidate, document=blind[id(candidate.document)], relations=()) for candidate in candidates]


@contextmanager
def _one_thread(entry: BaselineEntry) -> Iterator[None]:
    """One thread for what a baseline computes with, so that as many cells as there are cores run side by side."""
    with one_blas_thread():
        if entry.needs != "neural" or not entry.is_installed:
            yield
            return
        from relhash.bench.rivals.network import one_thread

        with one_thread():
            yield


@dataclass(frozen=True, eq=False, kw_only=True)
class PresetSystem(System):
    """Views, codes, feature parts, classifier and threshold of a preset, its features shared with other systems of the bench.

    Attributes
    ----------
    pairs_only
        Whether the system is a statement about views or parts that only pairs have, so that there is none for interactions.
    paper
        Figures of the literature that the preset does not have: those on interactions.
    threshold_adapted
        Whether the threshold is put on the scores of the target (never on its labels); if not, it comes from the training side.
    """

    preset: Recipe
    pairs_only: bool = False
    paper: Mapping[str, float] = field(default_factory=dict, repr=False)
    threshold_adapted: bool = True

    @property
    def summary(self) -> str:
        return self.preset.summary

    @property
    def paper_f1(self) -> Mapping[str, float]:
        return {**self.preset.paper_f1, **self.paper}

    @property
    def identity(self) -> str:
        """What the descriptors are belongs to it where they are used, and so does the version of the encoder."""
        views = self.preset.all_views
        own = f"{self!r} {COLUMNS}" if DESCRIPTORS in views else repr(self)
        return f"{own} {shared_encoder().version}" if ENCODER in views else own

    @property
    def has_codes(self) -> bool:  # type: ignore[override]
        return self.preset.has_codes

    @property
    def needs(self) -> str:  # type: ignore[override]
        return "neural" if self.preset.learner.get("hash_function") == "neural" else ""

    def for_interactions(self) -> Self:
        if self.pairs_only:
            raise ParameterError(f"systems: {self.name} is about pairs ({self.summary}); there is none for interactions")
        return replace(self, preset=for_interactions(self.preset))

    def work(self, bench: Bench, draw: int = 0) -> Work:
        return decision_on(bench, self.preset.decision, self._features(bench), draw, threshold_adapted=self.threshold_adapted)

    def _features(self, bench: Bench) -> Features:
        if ENCODER in self.preset.all_views:
            _refuse_what_the_encoder_knows(bench)
        return bench.features(self.preset)


@dataclass(frozen=True, eq=False, kw_only=True)
class WithPrior(PresetSystem):
    """A preset with the vote of the protocol's prior.

    With ``as_feature`` its score is one more column for the classifier, as anybody would do it, instead of a vote of its own.
    """

    as_feature: bool = False
    pairs_only: bool = True
    uses_prior = True

    @classmethod
    def of(cls, base: PresetSystem, *, as_feature: bool = False) -> Self:
        """``base`` with the prior, called ``<base>+prior``."""
        preset = replace(base.preset, paper_f1={})
        return cls(f"{base.name}+prior", base.deterministic, preset=preset, as_feature=as_feature)

    @property
    def summary(self) -> str:
        how = "its score as one more feature" if self.as_feature else "its log-odds corrected by the labels"
        return f"{self.preset.summary}; with a prior from NERO and BioNLP, {how}"

    def work(self, bench: Bench, draw: int = 0) -> Work:
        own, votes = self._features(bench), bench.prior.log_odds
        train, test = (
            stack([rows, sparse.csr_matrix(votes[of][:, None])])
            for rows, of in ((own.train, bench.task.train), (own.test, bench.task.test))
        )
        width = own.train.shape[1]
        part = "prior-score" if self.as_feature else PRIOR
        features = Features(train, test, {**own.columns, part: slice(width, width + 1)}, own.seconds)
        return decision_on(bench, self.preset.decision, features, draw, corrects_prior=not self.as_feature)


@dataclass(frozen=True, eq=False)
class PriorAlone(System):
    """The prior without any label, at the usual cut."""

    uses_prior = True
    needs_labels = False

    @property
    def summary(self) -> str:
        return "the prior from NERO and BioNLP alone, no label of either corpus"

    def for_interactions(self) -> System:
        raise ParameterError("systems: the prior is about pairs; there is none for interactions")

    def work(self, bench: Bench, draw: int = 0) -> Work:
        probabilities = bench.prior.probabilities[bench.task.test]
        return lambda n_labels, n_jobs=1: Outcome(probabilities, probabilities >= CUT, 0.0)


def _refuse_what_the_encoder_knows(bench: Bench) -> None:
    """An error if the encoder has learned the labels of a corpus that is tested."""
    documents = {bench.dataset.candidates[row].document.id.lower() for row in bench.task.test}
    known = [source for source in shared_encoder().learned_from if any(name.startswith(source) for name in documents)]
    if known:
        raise DataMissingError(
            f"the encoder has learned from {known[0]}, which is tested: name one that has not with {OTHER_FILE} "
            "(tools/train_encoder.py export WORK --checkpoint stage1.pt --output FILE)"
        )


def decision_on(
    bench: Bench,
    settings: DecisionSettings,
    features: Features,
    draw: int,
    *,
    threshold_adapted: bool = True,
    corrects_prior: bool = False,
) -> Work:
    """Learn a decision from the labels of a bench on features that are there.

    ``corrects_prior``: the labels correct a prior, and are of other text than the test set.
    """
    given = settings, features, bench.y, bench.documents, bench.seed, draw
    return partial(_by_decision, *given, threshold_adapted, corrects_prior)


def _by_decision(
    settings: DecisionSettings,
    features: Features,
    y: NDArray[np.bool_],
    documents: NDArray[Any],
    seed: int,
    draw: int,
    threshold_adapted: bool,
    corrects_prior: bool,
    n_labels: int | None,
    n_jobs: int | None = 1,
) -> Outcome:
    start = time.perf_counter()
    choice = None
    if n_labels is not None:
        settings = replace(settings, n_folds=min(settings.n_folds, 3))
    elif features.choice is not None and features.choice[0] == settings:
        choice = features.choice[1]
    labelled = labelled_rows(y, n_labels, draw)
    decision = Decision.fit(
        settings,
        features.train[labelled],
        y[labelled],
        documents[labelled],
        columns=features.columns,
        choice=choice,
        target=features.test if threshold_adapted else None,
        picked=corrects_prior,
        origins=np.full(len(labelled), OTHER_TEXT) if corrects_prior else None,
        random_state=seed if n_labels is None else draw,
        n_jobs=n_jobs,
    )
    scores, _, labels = decision.decide(features.test)
    chosen = decision.chosen if len(settings.choices(len(labelled))) > 1 else ""
    return Outcome(scores, labels, features.seconds + time.perf_counter() - start, chosen)
