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
from relhash.models import FittedModel, Prediction
from relhash.structures.sentence_keys import sentence_hashes

__all__ = ["Assessment", "assess"]


@dataclass(frozen=True, eq=False)
class Assessment:
    """What :func:`assess` found.

    ``by_assertion`` counts candidates, those that are relations by the gold, those found, and those rightly found, for each
    thing that a sentence may say of a relation.
    """

    predictions: list[Prediction]
    metrics: Metrics
    f1: Interval
    auc: Interval
    by_type: dict[str, dict[str, float]]
    by_assertion: dict[str, dict[str, int]]
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
        wrong = [p for p in self.predictions if p.is_relation != p.candidate.is_positive]
        wrong.sort(key=lambda p: -p.score if p.is_relation else p.score - 1)
        kinds = {True: "wrongly found", False: "missed"}
        return [
            {"kind": kinds[p.is_relation], **p.as_row(), "gold": list(p.candidate.relations)} for p in wrong
        ]

    def as_dict(self, *, errors: bool = False) -> dict[str, Any]:
        report = {
            **self.metrics.as_dict(),
            "f1_interval": [self.f1.low, self.f1.high],
            "auc_interval": [self.auc.low, self.auc.high],
            "by_type": self.by_type,
            "by_assertion": self.by_assertion,
            "leakage": {"shared_sentences": self.shared_sentences, "affected_candidates": self.affected},
        }
        return {**report, "errors": self.errors()} if errors else report

    def draw(self, path: Path) -> None:
        """Precision against recall as PNG."""
        y = [p.candidate.is_positive for p in self.predictions]
        precision, recall, _ = precision_recall_curve(y, [p.score for p in self.predictions])
        precision_recall({"model": (precision, recall)}, path, title=f"average precision {self.metrics.average_precision:.3f}")


def assess(model: FittedModel, corpus: CorpusLike) -> Assessment:
    """Run a model over a gold corpus.

    Denied relations are found like all others here: some corpora (BioInfer) label them as relations.
    """
    everything = model.keeping(*Assertion).predict(corpus, all_candidates=True)
    judged = has_label([p.candidate for p in everything])
    predictions = [prediction for prediction, labelled in zip(everything, judged, strict=True) if labelled]
    if not predictions:
        raise ParameterError("the gold text has no labelled candidates: no sentence holds two entities that may relate")
    candidates = [p.candidate for p in predictions]
    y = np.array([candidate.is_positive for candidate in candidates])
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
        shared_sentences=int(np.unique(hashes[shared]).size),
        affected=int(shared.sum()),
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
