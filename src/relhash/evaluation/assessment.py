"""A model on a gold corpus: figures with intervals, recall by type, mistakes, and what it shares with the training text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from relhash.corpus.corpora import CorpusLike
from relhash.errors import ParameterError
from relhash.evaluation.plots import precision_recall
from relhash.evaluation.significance import Interval, bootstrap_auc, bootstrap_f1
from relhash.language.assertion import Assertion
from relhash.learning.labels import has_label
from relhash.learning.metrics import Metrics, measure, precision_recall_curve, recall_by_type
from relhash.learning.typed_metrics import TypedMetrics, typed_metrics
from relhash.models import FittedModel, Prediction
from relhash.structures.sentence_keys import sentence_hashes

__all__ = ["Assessment", "assess"]


@dataclass(frozen=True, eq=False)
class Assessment:
    """What :func:`assess` found.

    ``by_assertion`` counts candidates, those that are relations by the gold, those found, and those rightly found, for each
    thing that a sentence may say of a relation. ``typed`` are figures in which a relation is right only if its type is;
    ``None`` for a model that knows one type, where ``by_type`` tells which gold types it finds.
    """

    predictions: list[Prediction]
    metrics: Metrics
    f1: Interval
    auc: Interval
    by_type: dict[str, dict[str, float]]
    by_assertion: dict[str, dict[str, int]]
    typed: TypedMetrics | None
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
        precision_recall({"model": (precision, recall)}, path, title=f"average precision {self.metrics.average_precision:.3f}")


def assess(model: FittedModel, corpus: CorpusLike, *, name: str = "the gold text") -> Assessment:
    """Run a model over a gold corpus; ``name`` is what errors call it.

    Denied relations are found like all others here: some corpora (BioInfer) label them as relations.
    """
    everything = model.keeping(*Assertion).predict(corpus, all_candidates=True)
    judged = has_label([p.candidate for p in everything])
    predictions = [prediction for prediction, labelled in zip(everything, judged, strict=True) if labelled]
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
        metrics=measure(y, scores, labels),
        f1=bootstrap_f1(y, labels, documents),
        auc=bootstrap_auc(y, scores, documents),
        by_type=recall_by_type([candidate.relations for candidate in candidates], labels),
        by_assertion=_by_assertion(predictions),
        typed=_typed(model, predictions),
        shared_sentences=int(np.unique(hashes[shared]).size),
        affected=int(shared.sum()),
    )


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
