"""A model on a gold corpus: figures with intervals, recall by type, mistakes, and what it shares with the training text."""

from __future__ import annotations

import warnings
from copy import copy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from relhash.biomed.assertion import Assertion
from relhash.candidates import CandidatePolicy
from relhash.candidates.shared_sentences import sentence_hashes
from relhash.corpus import Document
from relhash.corpus.document import NO_ANSWERS
from relhash.corpus.read_write import CorpusLike, documents_of
from relhash.errors import ParameterError, RelHashWarning
from relhash.learn.labels import has_label
from relhash.learn.metrics import Metrics, Score, TypedMetrics, measure, precision_recall_curve, recall_by_type, typed_metrics
from relhash.model import FittedModel, Prediction
from relhash.model.judging import accepted_counts, keeps
from relhash.model.prediction import with_predictions
from relhash.show.plots import save_precision_recall
from relhash.show.significance import Interval, bootstrap_auc, bootstrap_f1
from relhash.show.stated import (
    StatedCounts,
    StatedScores,
    any_word_counts,
    event_score,
    on_gold_entities,
    stated_counts,
    stated_scores,
)


@dataclass(frozen=True, eq=False)
class Assessment:
    """What :func:`assess` found. In raw text only the figures over everything stated are fair (:mod:`relhash.show.stated`)."""

    predictions: list[Prediction]
    accepted: dict[str, Any]
    """The rows that ``predict`` would give, counted."""
    stated: StatedScores
    stated_any_word: StatedScores | None
    """Of interactions, whatever word says them; ``None`` for pairs."""
    events: dict[str, Score] | None
    """Interactions as a whole; ``None`` for pairs, and where the gold names no triggers (judged interactions)."""
    is_raw_text: bool
    without_answers: int
    metrics: Metrics
    """Over the candidates, a smaller denominator than everything stated."""
    f1: Interval
    auc: Interval
    by_type: dict[str, dict[str, float]]
    by_assertion: dict[str, dict[str, int]]
    """By what a sentence says of a relation: candidates, relations by the gold, those found, those rightly found."""
    typed: TypedMetrics | None
    """A relation is right only if its type is; ``None`` for a model that knows one type."""
    shared_sentences: int
    affected: int

    @property
    def leakage_text(self) -> str:
        if not self.shared_sentences:
            return "leakage: no sentence of this corpus was among the labelled training sentences"
        return (
            f"leakage: {self.shared_sentences} sentences of this corpus ({self.affected} candidates) were labelled training "
            "sentences; the figures are too good"
        )

    def errors(self) -> list[dict[str, Any]]:
        """The mistakes as rows, those of which the model was surest first."""
        wrong = [(kind, p) for p in self.predictions if (kind := self._mistake(p))]
        wrong.sort(key=lambda one: -one[1].score if one[1].is_relation else one[1].score - 1)
        return [{"kind": kind, **p.as_row(), "gold": list(p.candidate.relations)} for kind, p in wrong]

    def _mistake(self, prediction: Prediction) -> str:
        gold = prediction.candidate.relations
        if prediction.is_relation != bool(gold):
            return "wrongly found" if prediction.is_relation else "missed"
        has_wrong_type = self.typed is not None and prediction.is_relation and prediction.relation not in gold
        return "wrong type" if has_wrong_type else ""

    def as_dict(self, *, errors: bool = False) -> dict[str, Any]:
        report = {
            "rows": self.accepted,
            "stated": self.stated.as_dict(),
            "stated_any_word": None if self.stated_any_word is None else self.stated_any_word.as_dict(),
            "events": None if self.events is None else {name: asdict(score) for name, score in self.events.items()},
            "raw_text": self.is_raw_text,
            "documents_without_answers": self.without_answers,
            **self.metrics.as_dict(),
            "f1_interval": self.f1.bounds,
            "auc_interval": self.auc.bounds,
            "by_type": self.by_type,
            "by_assertion": self.by_assertion,
            "typed": None if self.typed is None else self.typed.as_dict(),
            "leakage": {"shared_sentences": self.shared_sentences, "affected_candidates": self.affected},
        }
        return {**report, "errors": self.errors()} if errors else report

    def draw(self, path: Path) -> None:
        """Precision against recall as PNG."""
        y = [p.candidate.is_positive for p in self.predictions]
        precision, recall, _ = precision_recall_curve(y, [p.score for p in self.predictions])
        curve = list(zip(recall.tolist(), precision.tolist(), strict=True))
        title = f"average precision {self.metrics.average_precision:.3f}"
        save_precision_recall(curve, (self.metrics.recall, self.metrics.precision), path, title=title)


def assess(model: FittedModel, corpus: CorpusLike, *, name: str = "the gold text", raw_text: bool = False) -> Assessment:
    """Run a model over a gold corpus; ``name`` is what errors call it.

    Denied relations are found like all others here: some corpora (BioInfer) label them as relations. ``raw_text`` hides the
    entities of the gold from the model; a relation is right then if its participants share text with those of a gold relation.
    """
    gold, missing = _with_answers(list(documents_of(corpus)), name)
    given = [Document(one.id, one.text, passages=one.passages) for one in gold] if raw_text else gold
    everything: list[Prediction] = []
    kept: list[bool] = []
    counts: list[StatedCounts] = []
    wordless: list[StatedCounts] = []
    events: dict[str, Score] = {}
    directed = bool(getattr(model.policy, "directed", False))
    for one, (document, found) in zip(gold, model.keeping(*Assertion).annotate(given, all_candidates=True), strict=True):
        kept += [one.is_relation and keeps(model, one.scene) for one in found]
        if raw_text:
            found = [_on_gold(prediction, one, directed=directed) for prediction in found]
        everything += found
        judged = [(p.candidate, p.is_relation) for p in found]
        counts.append(stated_counts(one, judged, directed=directed, has_roles=model.policy.has_roles))
        if model.policy.has_roles:
            wordless.append(any_word_counts(one, judged))
        if model.policy.has_roles and not raw_text:
            for kind, score in _event_scores(one, with_predictions(document, found), model.policy).items():
                events[kind] = events.get(kind, Score.of()) + score
    labelled = has_label([p.candidate for p in everything])
    predictions = [prediction for prediction, is_labelled in zip(everything, labelled, strict=True) if is_labelled]
    if not predictions:
        raise ParameterError(f"{name}: no labelled candidates: no sentence holds two entities that may relate")
    candidates = [p.candidate for p in predictions]
    y = np.array([candidate.is_positive for candidate in candidates])
    if not y.any():
        raise ParameterError(
            f"{name}: {len(candidates):,} candidates, but not one relation is annotated between them, so there is nothing to "
            "measure against; give the file with the gold relations (relhash inspect counts them)"
        )
    scores = np.array([p.score for p in predictions])
    labels = np.array([p.is_relation for p in predictions])
    documents = np.array([candidate.document.id for candidate in candidates])
    hashes = sentence_hashes(candidates)
    shared = np.isin(hashes, model.training_sentences)
    return Assessment(
        predictions=predictions,
        accepted=accepted_counts(np.array(kept, bool), np.array([p.probability for p in everything])),
        stated=stated_scores(counts),
        stated_any_word=stated_scores(wordless) if wordless else None,
        events=events if any(score.gold for score in events.values()) else None,  # judged interactions have no triggers
        is_raw_text=raw_text,
        without_answers=missing,
        metrics=measure(y, scores, labels),
        f1=bootstrap_f1(y, labels, documents),
        auc=bootstrap_auc(y, scores, documents),
        by_type=recall_by_type([candidate.relations for candidate in candidates], labels),
        by_assertion=_by_assertion(predictions),
        typed=_typed(model, predictions),
        shared_sentences=int(np.unique(hashes[shared]).size),
        affected=int(shared.sum()),
    )


def _with_answers(documents: list[Document], name: str) -> tuple[list[Document], int]:
    """The documents that have a file of answers, and how many have none; an error if no document has."""
    kept = [document for document in documents if NO_ANSWERS not in document.metadata]
    missing = len(documents) - len(kept)
    if not kept:
        raise ParameterError(
            f"{name}: none of the {len(documents):,} documents has a .a2 file, so there is nothing to measure against; put the "
            "answers beside the texts"
        )
    if missing:
        warnings.warn(
            f"{name}: {missing:,} of {len(documents):,} documents have no .a2 file; they are left out of all figures",
            RelHashWarning,
            stacklevel=3,
        )
    return kept, missing


def _on_gold(prediction: Prediction, gold: Document, *, directed: bool) -> Prediction:
    """The prediction of raw text with its candidate on the gold entities."""
    scene = copy(prediction.scene)
    scene.candidate = on_gold_entities(prediction.candidate, gold, directed=directed)
    return replace(prediction, scene=scene)


def _event_scores(gold: Document, found: Document, policy: CandidatePolicy) -> dict[str, Score]:
    """Of events about two entities or more; of a policy that makes others, too, also of all events."""
    scores = {}
    for prefix, alone in (("", False), ("all_", True)) if getattr(policy, "one_participant", False) else (("", False),):
        for name, nesting in (("nested", True), ("flat", False)):
            scores[prefix + name] = event_score(gold, found, nesting=nesting, one_participant=alone)
    return scores


def _typed(model: FittedModel, predictions: list[Prediction]) -> TypedMetrics | None:
    """Figures by type, if the model tells types apart."""
    named = {p.relation for p in predictions}.union(model.relation_types.names)
    if len(named) < 2:
        return None
    return typed_metrics(
        [p.candidate.relations for p in predictions], [p.relation if p.is_relation else None for p in predictions]
    )


def _by_assertion(predictions: list[Prediction]) -> dict[str, dict[str, int]]:
    rows = {str(kind): dict.fromkeys(("candidates", "gold", "found", "right"), 0) for kind in Assertion}
    for prediction in predictions:
        row, is_gold = rows[prediction.assertion], prediction.candidate.is_positive
        row["candidates"] += 1
        row["gold"] += is_gold
        row["found"] += prediction.is_relation
        row["right"] += prediction.is_relation and is_gold
    return {kind: row for kind, row in rows.items() if row["candidates"]}
