"""The stages of a fit, one function each: labels, structures, codes and features, the decision, the model.

:class:`FitPlan` says what is to be done, settled and checked before any text is read; :func:`learned_model` does it. Reading
and parsing come first and stand in :mod:`relhash.model.fitting.training_text`.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

import relhash
from relhash.candidates import StructureSet, build_structures
from relhash.candidates.shared_sentences import sentence_hashes
from relhash.codec import plain
from relhash.hashing.trace import Progress, Step
from relhash.kernels import WordVectors
from relhash.learn import FeatureMap
from relhash.learn.calibration import Calibration
from relhash.learn.classifier import Fitting
from relhash.learn.correction import PRIOR, CorrectionClassifier, corrected
from relhash.learn.decision import Decision
from relhash.learn.end_to_end import AT_THEIR_WORD, EndToEnd
from relhash.learn.metrics import measure, oracle_threshold
from relhash.learn.relation_types import RelationTypes
from relhash.learn.threshold import CUT, choose_threshold
from relhash.model.adaptation import familiarity_of
from relhash.model.card import counts_of
from relhash.model.fitted import FittedModel
from relhash.model.fitting.code_choice import FittedFeatures, fit_features
from relhash.model.fitting.gained import gained, probability_cut
from relhash.model.fitting.training_labels import TrainingLabels
from relhash.model.fitting.training_text import TrainingText
from relhash.model.judging import paths_and_kinds, rows_accepted
from relhash.model.prior import ChosenPrior, choose_prior, prior_note
from relhash.model.reading.found_names import with_one_cut
from relhash.model.recipe import Recipe
from relhash.model.seen import UNLABELLED, Seen
from relhash.today import today


@dataclass(frozen=True, eq=False)
class FitPlan:
    """What a fit is to do.

    Attributes
    ----------
    preset, settings
        The name of the system, and everything that it stands for here.
    prior
        The model that is asked for as the prior.
    chooses_threshold
        Whether the rule of the threshold is the user's own, so that neither prior nor picked labels may bend it.
    negated_are_negative, vectors, random_state, n_jobs
        As of :class:`~relhash.model.RelationExtractor`.
    """

    preset: str
    settings: Recipe
    prior: FittedModel | str | os.PathLike[str] | None
    chooses_threshold: bool
    negated_are_negative: bool
    vectors: WordVectors | None
    random_state: int
    n_jobs: int | None


@dataclass(frozen=True, eq=False)
class _Structures:
    """What is learned from: of the training text, and of the text to adapt to."""

    train: StructureSet
    target: StructureSet | None


def learned_model(
    plan: FitPlan,
    text: TrainingText,
    labels: int | Mapping[str, bool] | None,
    callback: Callable[[Progress], object] | None = None,
) -> FittedModel:
    """All stages after the reading, in their order; without any label the prior alone decides."""
    told = TrainingLabels.of(text, labels, negated_are_negative=plan.negated_are_negative, random_state=plan.random_state)
    prior, why = choose_prior(plan.prior, text, told.candidates)
    settings = plan.settings if prior is None else replace(plan.settings, parts=(*plan.settings.parts, prior.part))
    structures = _structures(settings, text)
    made = _features(plan, settings, structures, told, callback)
    decision = _decision(plan, made, structures, told, prior)
    return _model(plan, made, decision, structures, told, prior, why)


def _structures(settings: Recipe, text: TrainingText) -> _Structures:
    views = settings.all_views
    target = build_structures(text.target, views) if text.train and text.target else None
    return _Structures(build_structures(text.learned_from, views), target)


def _features(
    plan: FitPlan,
    settings: Recipe,
    structures: _Structures,
    told: TrainingLabels,
    callback: Callable[[Progress], object] | None,
) -> FittedFeatures:
    """The codes, function by function, and the other features; their rows of both texts."""
    made = fit_features(
        settings,
        structures.train,
        structures.target if settings.use_target else None,
        told.visible,
        told.documents,
        vectors=plan.vectors,
        random_state=plan.random_state,
        n_jobs=plan.n_jobs,
        callback=callback,
    )
    if structures.target is None or made.target_rows is not None:
        return made
    return replace(made, target_rows=made.features.transform(structures.target))


def _decision(
    plan: FitPlan, made: FittedFeatures, structures: _Structures, told: TrainingLabels, prior: ChosenPrior | None
) -> Decision:
    """Classifier, calibration and threshold."""
    if prior is not None and not told.rows.size:
        return _prior_alone(prior, made)
    how: Fitting = {
        "columns": made.features.columns, "random_state": plan.random_state, "n_jobs": plan.n_jobs, **told.sources,
    }  # fmt: skip
    return Decision.fit(
        made.settings.decision,
        made.rows[told.rows],
        told.gold,
        told.documents[told.rows],
        target=made.target_rows,
        choice=made.choice,
        picked=not plan.chooses_threshold and (prior is not None or not told.are_all_pairs),
        groups=told.text.policy.groups(told.candidates),
        origins=told.origins,
        examples=told.examples,
        prior_cut=CUT if prior is None else probability_cut(prior.model.decision),
        **how,
    )


def _prior_alone(prior: ChosenPrior, made: FittedFeatures) -> Decision:
    """The prior, which no label has corrected yet."""
    columns, rows = dict(made.features.columns), made.rows
    features = rows[:, : columns.pop(PRIOR).start]
    classifier = corrected(np.zeros(0), features[:0], np.zeros(0, bool), columns, background=features)
    calibration, scores = Calibration.line(1.0, 0.0), classifier.scores(rows)
    unknown = np.zeros(scores.size, bool)
    threshold = choose_threshold(
        made.settings.decision.threshold, unknown, scores, target=scores, calibration=calibration, cut=CUT
    )
    if threshold.expected is not None:
        calibration = calibration.moved_to(threshold.expected, scores)
    return Decision(
        classifier=classifier,
        kind=CorrectionClassifier.kind,
        calibration=calibration,
        threshold=threshold,
        chosen=f"the prior {prior.name} alone",
        accepted=float(threshold.labels(scores).mean()),
    )


def _model(
    plan: FitPlan,
    made: FittedFeatures,
    decision: Decision,
    structures: _Structures,
    told: TrainingLabels,
    prior: ChosenPrior | None,
    why: str,
) -> FittedModel:
    """Everything that was learned, in one object, with its card."""
    text = told.text
    positive = told.rows[told.gold]
    rule = _end_to_end(plan, made, decision, text, prior)
    read_later = structures.train if structures.target is None else structures.target
    later = made.text if structures.target is None else made.target_text
    later_codes = None if later is None else later.known_codes
    trace = _trace(made.features) if told.rows.size else None
    card = _card(plan, made.settings, decision, told, prior_note(prior, decision, why), trace)
    if prior is not None and not told.rows.size:
        types = RelationTypes(prior.model.relation_types.names[:1])
        card |= {"entity_types": prior.model.card.get("entity_types", []), "relation_types": list(types.names)}
    else:
        types = _types(made, text, positive)
    model = FittedModel(
        preset=plan.preset,
        settings=made.settings,
        features=made.features,
        decision=decision,
        relation_types=types,
        policy=text.policy,
        pair_types=text.pair_types,
        parses=text.parses,
        parse_source=text.parse_source,
        training_sentences=_sentences(told, prior),
        card=card | gained(made, decision, rule, told, prior),
        random_state=plan.random_state,
        familiar=familiarity_of(made.features, read_later, text.target or text.train, later_codes),
        end_to_end=rule,
        seen=_seen(made, structures.train, told.visible),
    )
    if made.target_rows is None or not text.target:
        return model
    return replace(model, card={**model.card, "rows": rows_accepted(model, text.target, made.target_rows)})


def _end_to_end(
    plan: FitPlan, made: FittedFeatures, decision: Decision, text: TrainingText, prior: ChosenPrior | None
) -> EndToEnd:
    """What rows of raw text need: as the prior has it, if it was calibrated there; else by the text to adapt to."""
    rule = AT_THEIR_WORD if prior is None else prior.model.end_to_end
    if rule.knows_pairs and plan.settings.decision.threshold == "fraction":
        return rule
    rule = replace(rule, threshold=None)  # a person has chosen another
    if made.target_rows is None or not text.target or decision.threshold.fraction is None:
        return rule
    _, pairs, labels = decision.decide(made.target_rows, text.policy.groups(text.target))
    return with_one_cut(rule, text.target, pairs, labels)


def _seen(made: FittedFeatures, structures: StructureSet, labels: NDArray[Any]) -> Seen | None:
    """The codes of the training text with its labels, as far as the model may know them."""
    if made.features.code is None or all(label is None for label in labels):
        return None
    told = np.array([UNLABELLED if label is None else int(label) for label in labels], np.int8)
    known = None if made.text is None else made.text.known_codes
    return Seen.of(made.features.code.learner.codes(structures) if known is None else known, told)


def _sentences(told: TrainingLabels, prior: ChosenPrior | None) -> NDArray[np.uint64]:
    """Hashes of all sentences whose labels the model has learned from, also those of its prior."""
    own = sentence_hashes(told.candidates)
    return np.unique(own if prior is None else np.concatenate([own, prior.model.training_sentences]))


def _types(made: FittedFeatures, text: TrainingText, positive: NDArray[np.int64]) -> RelationTypes:
    """What names the type of a relation; nothing where the candidates suppose theirs already."""
    found = [text.train[number] for number in positive]
    types = [candidate.relations for candidate in found]
    if all(text.policy.given_type(candidate) is not None for candidate in found) or len({*chain(*types)}) < 2:
        return RelationTypes([*chain(*types)][:1] or ["relation"])
    rows = made.rows[positive]
    return RelationTypes.fit(
        rows, types, made.features.columns, *paths_and_kinds(found, made.settings.all_views), background=made.rows
    )


def _card(
    plan: FitPlan,
    settings: Recipe,
    decision: Decision,
    told: TrainingLabels,
    prior: Mapping[str, Any],
    trace: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Plain data for JSON: what was to be done, with which recipe in the end, and what came of it."""
    text, labelled = told.text, told.rows
    train, target = text.train, text.target
    gold, scores = told.gold, decision.out_of_fold
    training_side = None
    if scores is not None:
        measured = measure(gold, scores, scores >= oracle_threshold(gold, scores)[0])
        training_side = {
            "auc": measured.auc,
            "average_precision": measured.average_precision,
            "f1_at_best_threshold": measured.f1_oracle,
            "how": "cross-validation on the training text, whole documents held out",
        }
    return {
        "made": today(),
        "relhash": relhash.__version__,
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scikit-learn": version("scikit-learn")},
        "preset": plan.preset,
        "summary": settings.summary,
        "training": {
            **counts_of(train),
            "labelled": int(labelled.size),
            "positive": int(gold.sum()),
            "all_pairs": told.are_all_pairs,
        },
        "adapted_to": counts_of(target) if target else None,
        "relation_types": sorted({name for i in labelled for name in train[i].relations}),
        "entity_types": sorted({mention.type for one in train for mention in one.mentions if mention is not one.trigger}),
        "parses": text.parse_source,
        "classifier": decision.chosen,
        "classifiers_compared": {name: dict(values) for name, values in decision.table.items()},
        "threshold": decision.threshold.to_dict(),
        "accepted": decision.accepted,
        "calibration": decision.calibration.kind,
        "training_side": training_side,
        "views": list(settings.views) if settings.has_codes else [],
        "parts": list(settings.part_names),
        "learner": plain(settings.learner),
        "prior": dict(prior),
        "trace": None if trace is None else dict(trace),
        "few_labels": settings.decision.few_labels,
        "n_folds": settings.decision.n_folds,
        "seed": plan.random_state,
    }


def _trace(features: FeatureMap) -> dict[str, Any] | None:
    """How the hash functions were learned, trial by trial: the objective, and which functions were not kept."""
    learner = None if features.code is None else features.code.learner
    steps = [step for step in getattr(learner, "trace_", ()) if isinstance(step, Step)]  # with labels there is no such trace
    if not steps:
        return None
    return {
        "objective": [round(step.objective, 4) for step in steps],
        "rejected": [step.trial for step in steps if not step.accepted],
        "deleted": [step.trial for step in steps if step.deleted_at is not None],
    }
