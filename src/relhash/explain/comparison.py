"""Several models on the same two corpora: labels from one, text of the other, and the report of what came out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import relhash
from relhash.corpus.document import Corpus
from relhash.explain.report import FoundRelation, ReportData, ResultRow
from relhash.hashing.trace import Progress
from relhash.language.assertion import Assertion
from relhash.learning.metrics import Metrics, measure, precision_recall_curve
from relhash.models.extractor import RelationExtractor
from relhash.models.prediction import Prediction


@dataclass(frozen=True)
class ComparedModel:
    """A row of the comparison: a preset, with views and learner parameters replaced so that rows are comparable."""

    preset: str
    remark: str
    learner: Mapping[str, Any]
    views: tuple[str, ...] = ("path+edges", "path+context", "between")


_BITS = {"n_bits": 200}
_NEAREST = {**_BITS, "hash_function": "nearest"}  # settled, for the sake of time
_SMALL = {**_NEAREST, "n_cluster_bits": 5}  # 3,000 candidates in the paper's 2^10 clusters would be three a cluster
_SHARED = {"n_shared": 17, "n_candidates": 3}  # in each of three views, together about the 50 of the preset, which has one

DEMO_MODELS: Mapping[str, ComparedModel] = {
    "random": ComparedModel("random", "references and splits by chance", _NEAREST),
    "supervised": ComparedModel("KLSH-RF", "references chosen with the labels", {**_BITS, **_SHARED}),
    "nearly unsupervised, inductive": ComparedModel("KLSH-NU-RF-inductive", "abstracts in the place of the full texts", _SMALL),
    "nearly unsupervised, transductive": ComparedModel("KLSH-NU-RF", "sees the text to be read, never its labels", _SMALL),
}
"""Rows of ``relhash demo``: the same views, as many bits and a random forest; they differ in how the bits are found."""


@dataclass(frozen=True)
class Comparison:
    """Results on the target in the order of the models; the last model, and the relations of which it is surest."""

    source: Corpus
    target: Corpus
    results: tuple[ResultRow, ...]
    relations: tuple[FoundRelation, ...]
    candidates: int
    positive: int
    seed: int
    model: RelationExtractor


def compare(
    source: Corpus,
    target: Corpus,
    models: Mapping[str, ComparedModel] = DEMO_MODELS,
    *,
    relations: int = 5,
    seed: int = 0,
    n_jobs: int | None = None,
    on_model: Callable[[str], object] | None = None,
    on_step: Callable[[Progress], object] | None = None,
) -> Comparison:
    """Fit each model on ``source``, adapted to the text of ``target``, and test it on the labels of ``target``.

    ``on_model`` is called with the name of each model before its turn, ``on_step`` after each step of its learner.
    """
    results: list[ResultRow] = []
    predictions: list[Prediction] = []
    model = RelationExtractor()
    for name, row in models.items():
        if on_model is not None:
            on_model(name)
        started = time.perf_counter()
        model = RelationExtractor(row.preset, views=row.views, learner=row.learner, random_state=seed, n_jobs=n_jobs)
        model.fit(source, adapt_to=target, callback=on_step)
        predictions = model.fitted.keeping(*Assertion).predict(target, all_candidates=True)  # as relhash evaluate does
        results.append(_result(name, row.remark, predictions, time.perf_counter() - started))
    gold = [prediction.candidate.is_positive for prediction in predictions]
    found = tuple(_most_confident(predictions, relations))
    return Comparison(source, target, tuple(results), found, len(gold), sum(gold), seed, model)


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


def _result(name: str, remark: str, predictions: Sequence[Prediction], seconds: float) -> ResultRow:
    gold = np.array([prediction.candidate.is_positive for prediction in predictions])
    scores = np.array([prediction.score for prediction in predictions])
    measured: Metrics = measure(gold, scores, [prediction.is_relation for prediction in predictions])
    precision, recall, _ = precision_recall_curve(gold, scores)
    return ResultRow(
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


def _most_confident(predictions: Sequence[Prediction], count: int) -> Iterator[FoundRelation]:
    """The highest scores, one relation per sentence and per path: five times the same words would show nothing new."""
    ranked = sorted((p for p in predictions if p.is_relation), key=lambda p: (-p.score, p.candidate.key))
    seen: set[object] = set()
    for prediction in ranked:
        found = prediction.evidence
        place = (found.document, prediction.candidate.sentence)
        words = tuple(station.text for station in found.path if station.kind == "word")
        if seen.isdisjoint((place, words)):
            seen |= {place, words}
            yield FoundRelation(found, prediction.probability, prediction.relation, prediction.candidate.is_positive)
            count -= 1
        if count <= 0:
            return
