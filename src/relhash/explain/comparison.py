"""Several systems on the same two corpora: labels from one, text of the other, and the report of what came out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import relhash
from relhash.corpus.document import Corpus
from relhash.explain.evidence import evidence
from relhash.explain.report import FoundRelation, ReportData, SystemResult
from relhash.models.extractor import RelationExtractor
from relhash.models.metrics import Metrics, measure, precision_recall_curve
from relhash.models.prediction import Prediction
from relhash.models.presets import preset

__all__ = ["DEMO_SYSTEMS", "Comparison", "compare", "report_of"]

DEMO_SYSTEMS: Mapping[str, str] = {
    "random": "random",
    "supervised": "KLSH-RF",
    "nearly unsupervised, inductive": "KLSH-NU-RF-inductive",
    "nearly unsupervised, transductive": "KLSH-NU-RF",
    "all parts together": "best",
}
"""Rows of ``relhash demo``: what people call the setting, and the preset that it is."""


@dataclass(frozen=True)
class Comparison:
    """Results on the target in the order of the systems, and the last system's most confident relations."""

    source: Corpus
    target: Corpus
    results: tuple[SystemResult, ...]
    relations: tuple[FoundRelation, ...]
    candidates: int
    positive: int
    seed: int


def compare(
    source: Corpus,
    target: Corpus,
    systems: Mapping[str, str] = DEMO_SYSTEMS,
    *,
    relations: int = 5,
    seed: int = 0,
    n_jobs: int | None = None,
    on_system: Callable[[str], object] | None = None,
    on_step: Callable[[Any], object] | None = None,
) -> Comparison:
    """Fit each system on ``source``, adapted to the text of ``target``, and test it on the labels of ``target``.

    ``on_system`` is called with the name of each system before its turn, ``on_step`` after each step of its learner.
    """
    results: list[SystemResult] = []
    predictions: list[Prediction] = []
    for name, preset_name in systems.items():
        if on_system is not None:
            on_system(name)
        started = time.perf_counter()
        model = RelationExtractor(preset_name, random_state=seed, n_jobs=n_jobs)
        model.fit(source, adapt_to=target, callback=on_step)
        predictions = model.predict(target, all_candidates=True)
        results.append(_result(name, preset(preset_name).summary, predictions, time.perf_counter() - started))
    gold = [prediction.candidate.is_positive for prediction in predictions]
    found = tuple(_most_confident(predictions, relations))
    return Comparison(source, target, tuple(results), found, len(gold), sum(gold), seed)


def report_of(comparison: Comparison, title: str, notes: Sequence[str] = ()) -> ReportData:
    """The comparison as the content of an HTML report."""
    source, target = comparison.source, comparison.target
    labelled = sum(len(document.relations) for document in source)
    return ReportData(
        title=title,
        summary=f"Learned from labelled {source.name}, adapted to the text of {target.name}, tested on its labels.",
        facts=[
            ("Labels from", f"{source.name}: {len(source):,} documents, {labelled:,} relations"),
            (
                "Adapted to and tested on",
                f"{target.name}: {len(target):,} documents, {comparison.candidates:,} candidate pairs",
            ),
        ],
        results=comparison.results,
        positive_rate=comparison.positive / comparison.candidates if comparison.candidates else None,
        relations=comparison.relations,
        notes=notes,
        footer=f"relhash {relhash.__version__}, seed {comparison.seed}",
    )


def _result(name: str, remark: str, predictions: Sequence[Prediction], seconds: float) -> SystemResult:
    gold = np.array([prediction.candidate.is_positive for prediction in predictions])
    scores = np.array([prediction.score for prediction in predictions])
    measured: Metrics = measure(gold, scores, [prediction.is_relation for prediction in predictions])
    precision, recall, _ = precision_recall_curve(gold, scores)
    return SystemResult(
        name,
        measured.precision,
        measured.recall,
        measured.f1,
        measured.average_precision,
        measured.auc,
        seconds,
        remark,
        tuple(zip(recall.tolist(), precision.tolist(), strict=True)),
    )


def _most_confident(predictions: Sequence[Prediction], count: int) -> list[FoundRelation]:
    """The highest scores, one relation a sentence."""
    chosen: dict[tuple[str, int], Prediction] = {}
    for prediction in sorted(predictions, key=lambda p: (-p.score, p.candidate.key)):
        place = (prediction.candidate.document.id, prediction.candidate.sentence)
        if prediction.is_relation and len(chosen) < count:
            chosen.setdefault(place, prediction)
    shown = evidence(prediction.candidate for prediction in chosen.values())
    return [
        FoundRelation(found, prediction.probability, prediction.relation, prediction.candidate.is_positive)
        for found, prediction in zip(shown, chosen.values(), strict=True)
    ]
