"""What ``relhash demo`` shows, computed on two excerpts of real corpora (``resources/demo``).

Text read by the shipped model; sixty labels of some papers, and what they change in others; four ways to find the bits of a
code, compared; sentences that say something like a given one.
"""

from __future__ import annotations

import csv
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import relhash
from relhash.biomed.assertion import Assertion
from relhash.candidates.evidence import Evidence
from relhash.candidates.pairs import candidates
from relhash.candidates.structure_set import build_structures
from relhash.corpus.document import Corpus, Document
from relhash.errors import RelHashWarning
from relhash.hashing.hamming import as_columns, search
from relhash.hashing.trace import Progress
from relhash.learn.metrics import Metrics, measure, precision_recall_curve
from relhash.model import FittedModel, Prediction, RelationExtractor
from relhash.model.tables.columns import marked_sentence_of
from relhash.show.pages import render
from relhash.show.plots import COLOURS, draw_curves
from relhash.show.significance import Difference, Sample, auc_sample, difference

TITLE = "RelHash demo: labels of BioInfer, text of BioNLP 2013"
NOTES = (
    "About 300 sentences each of BioInfer (CC BY 2.0; Pyysalo et al. 2007) and of BioNLP 2013 devel (CC BY 3.0; Kim et al. "
    "2013), events as pairs of proteins. So little text decides little: see docs/results.md for whole corpora.",
    "The rows of the comparison have the same views (path with dependencies, path with modifiers, words between), 200 bits and "
    "a random forest; they differ in how the bits are found. Brackets hold a 95 % interval over documents.",
    "No system of the comparison looked at a label of BioNLP, neither to learn nor to choose its threshold.",
)
LABELS = 60
READ = 3
"""Documents that the shipped model reads as raw text."""
WORDS = 2
"""Words on the path of the sentence whose like is looked for."""


VIEWS = ("path+edges", "path+context", "between")
_BITS = {"n_bits": 200}
_NEAREST = {**_BITS, "hash_function": "nearest"}  # settled, for the sake of time
_SMALL = {**_NEAREST, "n_cluster_bits": 5}  # 4,000 candidates in the paper's 2^10 clusters would be four a cluster
_SHARED = {"n_shared": 17, "n_candidates": 3}  # in each of three views, together about the 50 of the preset, which has one

DEMO_MODELS: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    "random": ("random", "references and splits by chance", _NEAREST),
    "supervised": ("KLSH-RF", "references chosen with the labels", {**_BITS, **_SHARED}),
    "nearly unsupervised, inductive": ("KLSH-NU-RF-inductive", "sees nothing of the text to be read", _SMALL),
    "nearly unsupervised, transductive": ("KLSH-NU-RF", "sees the text to be read, never its labels", _SMALL),
}
"""Preset, remark and parameters of the learner of each row: with the same views, as many bits and a random forest they differ
in how the bits are found."""


COLUMNS = ("precision", "recall", "f1", "average_precision", "auc")


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A row of the comparison, and its curve of ``(recall, precision)``, recall rising."""

    name: str
    precision: float
    recall: float
    f1: float
    average_precision: float
    auc: float
    seconds: float
    remark: str
    curve: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class FoundRelation:
    """A predicted relation with its evidence, and whether the gold labels have it."""

    evidence: Evidence
    probability: float
    type: str
    is_gold: bool


@dataclass(frozen=True)
class LabelGain:
    """What labels of one text changed in another: figures of the prior alone, and with the labels."""

    labels: int
    before: Metrics
    after: Metrics
    difference: Difference
    gained: tuple[Prediction, ...]
    lost: tuple[Prediction, ...]


@dataclass(frozen=True)
class Comparison:
    """Results on the target in the order of the models; the last model, and the relations of which it is surest."""

    source: Corpus
    target: Corpus
    results: tuple[ResultRow, ...]
    differences: tuple[Difference, ...]
    """AUC of each row minus that of the first."""
    relations: tuple[FoundRelation, ...]
    candidates: int
    positive: int
    seed: int
    model: RelationExtractor


def read_text(model: FittedModel, corpus: Corpus) -> list[Prediction]:
    """What a model finds in the text of some documents, of which it is given nothing else."""
    return model.predict([Document(document.id, document.text) for document in corpus.documents[:READ]])


def write_text(corpus: Corpus, folder: Path) -> None:
    """Something to try commands on: every second document as plain text, some pairs of the others as a sheet of labels."""
    (folder / "text").mkdir(parents=True, exist_ok=True)
    for document in corpus.documents[1::2]:
        (folder / "text" / f"{document.id}.txt").write_text(document.text + "\n", encoding="utf-8")
    with (folder / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(["document", "text", "label"])
        for label in (1, 0):
            pairs = [pair for pair in candidates(corpus.documents[0::2]) if pair.is_positive == label]
            chosen = pairs[:: max(1, 2 * len(pairs) // LABELS)]
            sheet.writerows([pair.document.id, marked_sentence_of(pair), label] for pair in chosen)


def teach(corpus: Corpus, *, seed: int = 0, n_jobs: int | None = None) -> LabelGain:
    """The shipped model on every second document of a corpus, without and with some labels of the others.

    They must be labels that the shipped model has not learned from: on these its vote would be too good.
    """
    source, target = (Corpus(corpus.name, corpus.documents[start::2]) for start in (0, 1))
    runs = []
    for labelled, given in ((None, None), (source, LABELS)):
        model = RelationExtractor("best", random_state=seed, n_jobs=n_jobs, parses="embedded")
        runs.append(_judged(model.fit(labelled, adapt_to=target, labels=given), target))
    before, after = runs
    figures = [_metrics(run) for run in runs]
    pairs = list(zip(before, after, strict=True))
    return LabelGain(
        LABELS,
        figures[0],
        figures[1],
        difference([(_auc(after), _auc(before))]),
        tuple(new for old, new in pairs if new.is_relation and not old.is_relation),
        tuple(new for old, new in pairs if old.is_relation and not new.is_relation),
    )


def compare(
    source: Corpus,
    target: Corpus,
    models: Mapping[str, tuple[str, str, Mapping[str, Any]]] = DEMO_MODELS,
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
    runs: list[list[Prediction]] = []
    model = RelationExtractor()
    for name, (preset, remark, learner) in models.items():
        if on_model is not None:
            on_model(name)
        started = time.perf_counter()
        model = RelationExtractor(preset, views=VIEWS, learner=learner, random_state=seed, n_jobs=n_jobs)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RelHashWarning)  # that a forest on random bits accepts much, the table says
            runs.append(_judged(model.fit(source, adapt_to=target, callback=on_step), target))
        results.append(_result(name, remark, runs[-1], time.perf_counter() - started))
    samples = [_auc(run) for run in runs]
    differences = tuple(difference([(sample, samples[0])]) for sample in samples)
    gold = _gold(runs[-1])
    found = tuple(_most_confident(runs[-1], relations))
    return Comparison(source, target, tuple(results), differences, found, len(gold), int(gold.sum()), seed, model)


def alike(compared: Comparison, n: int = 3) -> tuple[Evidence, list[tuple[float, Evidence]]]:
    """The relation that takes some words to say and of which the last model is surest; the pairs most like it.

    Of a name like *A-B* there is nothing but the names to be like.
    """
    model = compared.model.fitted
    code = model.features.code
    assert code is not None  # every row of the comparison has one
    judged = _judged(compared.model, compared.target)
    pairs = [prediction.candidate for prediction in judged]
    X, codes = build_structures(pairs, list(code.learner.kernels_)), model.hashcodes(compared.target)
    words = [sum(station.kind == "word" for station in prediction.evidence.path) for prediction in judged]
    chosen = int(np.argmax([prediction.score * (n >= WORDS) for prediction, n in zip(judged, words, strict=True)]))
    asked = codes[[chosen]], X[[chosen]]
    ((values, rows),) = search(code.learner.kernels_, [as_columns(codes)], X.__getitem__, *asked, n=20)
    seen, found = {judged[chosen].evidence.text}, []
    for value, row in zip(values.tolist(), rows.tolist(), strict=True):
        shown = judged[row].evidence
        if shown.text not in seen:
            seen.add(shown.text)
            found.append((value, shown))
    return judged[chosen].evidence, found[:n]


def render_report(comparison: Comparison, title: str = TITLE, notes: Sequence[str] = NOTES) -> str:
    """The comparison as one HTML document that loads nothing and runs nothing; all text is escaped."""
    drawn = {one.name: (one.curve, (one.recall, one.precision)) for one in comparison.results}
    rate = comparison.positive / comparison.candidates if comparison.candidates else None
    return render(
        "report",
        title=title,
        compared=comparison,
        labelled=sum(len(document.relations) for document in comparison.source),
        best={name: max(getattr(one, name) for one in comparison.results) for name in COLUMNS},
        curves=draw_curves(drawn, rate),
        colours=COLOURS,
        notes=notes,
        version=relhash.__version__,
    )


def _judged(model: RelationExtractor, corpus: Corpus) -> list[Prediction]:
    """Every pair of the corpus, denied ones too, as ``relhash evaluate`` looks at them."""
    return list(model.fitted.keeping(*Assertion).predict(corpus, all_candidates=True))


def _gold(predictions: Sequence[Prediction]) -> NDArray[np.bool_]:
    return np.array([prediction.candidate.is_positive for prediction in predictions])


def _scores(predictions: Sequence[Prediction]) -> NDArray[np.float64]:
    return np.array([prediction.score for prediction in predictions])


def _metrics(predictions: Sequence[Prediction]) -> Metrics:
    return measure(_gold(predictions), _scores(predictions), [prediction.is_relation for prediction in predictions])


def _auc(predictions: Sequence[Prediction]) -> Sample:
    documents = [prediction.candidate.document.id for prediction in predictions]
    return auc_sample(_gold(predictions), [_scores(predictions)], documents)


def _result(name: str, remark: str, predictions: Sequence[Prediction], seconds: float) -> ResultRow:
    found = _metrics(predictions)
    precision, recall, _ = precision_recall_curve(_gold(predictions), _scores(predictions))
    curve = tuple(zip(recall.tolist(), precision.tolist(), strict=True))
    figures = (found.precision, found.recall, found.f1, found.average_precision, found.auc)
    return ResultRow(name, *figures, seconds, remark, curve)


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
