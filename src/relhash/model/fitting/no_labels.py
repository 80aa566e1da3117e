"""A model without a single label: the prior alone, its threshold and calibration brought to the text that it will read."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from relhash.candidates import CandidatePolicy, build_structures, candidates
from relhash.corpus import Document
from relhash.corpus.read_write import CorpusLike, documents_of
from relhash.errors import ParameterError
from relhash.hashing.trace import Progress
from relhash.kernels import WordVectors
from relhash.learn.calibration import Calibration
from relhash.learn.correction import PRIOR, CorrectionClassifier, corrected
from relhash.learn.decision import Decision
from relhash.learn.relation_types import RelationTypes
from relhash.learn.threshold import THRESHOLD_RULES, choose_threshold, parse_strategy
from relhash.model.adaptation import familiarity_of
from relhash.model.card import make_card
from relhash.model.fitted import FittedModel
from relhash.model.fitting.code_choice import fit_features
from relhash.model.fitting.target_sample import sampled_candidates
from relhash.model.fitting.training_text import TrainingText
from relhash.model.prior import AUTO_PRIOR, NO_PRIOR, SHIPPED_PRIOR, ChosenPrior, choose_prior, load_prior, prior_note
from relhash.model.reading.reader import Reader
from relhash.model.recipe import Recipe


def model_without_labels(
    preset: str,
    settings: Recipe,
    prior: str | os.PathLike[str] | FittedModel | None,
    adapt_to: CorpusLike | None,
    *,
    policy: CandidatePolicy | None,
    make_reader: Callable[..., Reader],
    vectors: WordVectors | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    callback: Callable[[Progress], object] | None = None,
    on_document: Callable[[Document], object] | None = None,
) -> FittedModel:
    """The prior with codes, calibration and threshold of the text in ``adapt_to``; parameters as of the extractor."""
    if prior is None or prior == NO_PRIOR:
        raise ParameterError("without labels there must be a prior (--prior MODEL, RelationExtractor(prior=…))")
    if adapt_to is None:
        raise ParameterError("without labels there must be text to adapt to (--adapt TEXT, adapt_to)")
    strategy = settings.decision.threshold
    if THRESHOLD_RULES[parse_strategy(strategy)[0]].needs_labels:
        raise ParameterError(f"threshold {strategy}: needs labels; without them say a probability (0.8) or --expect a share")
    asked = SHIPPED_PRIOR if prior == AUTO_PRIOR else prior
    model, _, _ = load_prior(asked)
    policy = policy or model.policy
    reader = make_reader(model.parses)
    found = sampled_candidates(
        documents_of(adapt_to),
        partial(reader, on_document=on_document),
        partial(candidates, policy=policy, allow=model.pair_types.allow),
    )
    if not found:
        raise ParameterError("the text to adapt to has no candidates: no sentence holds two entities that may relate")
    text = TrainingText([], found, model.parses, model.parse_source, model.pair_types, policy)
    chosen, _ = choose_prior(asked, text)
    if chosen is None:  # cannot be: what is asked for by name fits or is an error
        raise ParameterError("there is no prior")
    settings = replace(settings, parts=(*settings.parts, chosen.part))
    structures = build_structures(found, settings.all_views)
    nobody = np.full(len(found), None, object)
    made = fit_features(
        settings,
        structures,
        None,
        nobody,
        np.array([candidate.document.id for candidate in found]),
        vectors=vectors,
        random_state=random_state,
        n_jobs=n_jobs,
        callback=callback,
    )
    decision = _decision(chosen, made.features.columns, made.rows, strategy)
    card = make_card(
        preset, made.settings, decision, text, np.empty(0, np.int64), np.empty(0, bool), random_state, all_pairs=True
    )
    card |= {
        "entity_types": model.card.get("entity_types", []),
        "relation_types": list(model.relation_types.names[:1]),
        "prior": prior_note(chosen, decision, ""),
    }
    return FittedModel(
        preset=preset,
        settings=made.settings,
        features=made.features,
        decision=decision,
        relation_types=RelationTypes(model.relation_types.names[:1]),
        policy=policy,
        pair_types=model.pair_types,
        parses=model.parses,
        parse_source=model.parse_source,
        training_sentences=model.training_sentences,
        card=card,
        random_state=random_state,
        familiar=familiarity_of(made.features, structures, found),
        end_to_end=model.end_to_end if strategy == "fraction" else replace(model.end_to_end, threshold=None),
    )


def _decision(prior: ChosenPrior, columns: Mapping[str, slice], rows: Any, strategy: str | float) -> Decision:
    """The prior, which no label has corrected yet."""
    own = {name: part for name, part in columns.items() if name != PRIOR}
    features = rows[:, : columns[PRIOR].start]
    classifier = corrected(np.zeros(0), features[:0], np.zeros(0, bool), own, background=features)
    calibration, scores = Calibration.line(1.0, 0.0), classifier.scores(rows)
    nobody = np.zeros(scores.size, bool)
    threshold = choose_threshold(strategy, nobody, scores, target=scores, calibration=calibration, picked=True)
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
