"""What ``relhash demo`` shows, computed: the two embedded corpora, relations in them with their paths, and raw text read.

Several models on the same two corpora: labels from one, text of the other, and the report of what came out.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

import relhash
from relhash.biomed.assertion import Assertion
from relhash.candidates.candidate import Candidate
from relhash.candidates.evidence import Evidence
from relhash.candidates.inspection import Inspection, inspect_corpus
from relhash.candidates.pairs import candidates
from relhash.candidates.scene import scenes
from relhash.corpus.demo import demo_corpora
from relhash.corpus.document import Corpus, Document
from relhash.hashing.trace import Progress
from relhash.language import ParseCache
from relhash.learn.metrics import Metrics, measure, precision_recall_curve
from relhash.model.extractor import RelationExtractor
from relhash.model.prediction import Prediction
from relhash.model.reading.parses import EMBEDDED, ParseSettings
from relhash.model.reading.reader import Reader
from relhash.show.report import FoundRelation, ReportData, ResultRow


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


TITLE = "RelHash demo: from abstracts to full texts"
NOTES = (
    "Both corpora are synthetic, written by a small grammar: the figures show that the software works, not how well it does on "
    "real text. For that, see relhash benchmark.",
    "All rows have the same views (path with dependencies, path with modifiers, words between), 200 bits and a random forest; "
    "they differ in how the bits are found. Between seeds F1 and AUC move by about 0.03, which is more than most rows differ: "
    "run it with other seeds before ranking them.",
    "Views, bits and the size of the clusters were set after a look at a few settings on these very labels: do not take the "
    "level of the figures, or small differences between rows, for an estimate.",
    "No system looked at a label of the full texts, neither to learn nor to choose its threshold.",
    "Probabilities are calibrated on the abstracts; where relations are more or less frequent they are off by that shift.",
)

EXAMPLES_SEED = 17
RAW_TEXT = (
    "RAF1 binds to MEK1 in resting cells.",
    "Neither BRCA1 nor TP53 was found in the cytoplasm.",
    "The interaction of STAT3 with JAK2 was abolished by the mutation.",
)
"""Sentences that nobody has annotated, for the model to read at the end."""


@dataclass(frozen=True)
class DemoCorpus:
    """One embedded corpus: what is in it, and examples that say yes and no."""

    corpus: Corpus
    counts: Inspection
    related: tuple[Evidence, ...]
    unrelated: tuple[Evidence, ...]


def survey(examples: int = 2, *, on_document: Callable[[Document], object] | None = None) -> tuple[DemoCorpus, DemoCorpus]:
    """Read both corpora, count, and pick ``examples`` pairs of each kind whose paths are short and unlike each other.

    Raw text is to be read at the end, so the corpora come with parses as raw text gets them, of the embedded pipeline. Where
    this installation has another version of it, they are parsed now, and ``on_document`` is called with each document.

    >>> source, target = survey()
    >>> source.counts.documents, target.related[0].path[0].kind
    (145, 'participant')
    """
    reader = Reader(ParseSettings(EMBEDDED), cache=ParseCache())
    parsed = (Corpus.of(reader(one, tag=False, on_document=on_document), one.name) for one in demo_corpora("embedded"))
    first, second = (_look_at(corpus, examples) for corpus in parsed)
    return first, second


def read_raw_text(model: RelationExtractor, texts: Iterable[str] = RAW_TEXT) -> tuple[tuple[Prediction, Evidence], ...]:
    """Every pair of entities that ``model`` sees in the texts, related or not, with its evidence."""
    documents = [Document(f"raw text {number}", text) for number, text in enumerate(texts, 1)]
    predictions = model.predict(documents, all_candidates=True)
    return tuple((prediction, prediction.evidence) for prediction in predictions)


def _look_at(corpus: Corpus, examples: int) -> DemoCorpus:
    pairs = list(candidates(corpus))
    random.Random(EXAMPLES_SEED).shuffle(pairs)
    related = _telling((pair for pair in pairs if pair.is_positive), examples)
    unrelated = _telling((pair for pair in pairs if not pair.is_positive), examples)
    return DemoCorpus(corpus, inspect_corpus(corpus), related, unrelated)


def _telling(pairs: Iterable[Candidate], examples: int) -> tuple[Evidence, ...]:
    """The first pairs in short sentences whose path has two or three words, no word in two of them."""

    def tell() -> Iterator[Evidence]:
        seen: set[str] = set()
        for found in map(Evidence.of, scenes(pairs)):
            words = [station.text for station in found.path if station.kind == "word"]
            if 2 <= len(words) <= 3 and len(found.text) < 90 and seen.isdisjoint(words):
                seen.update(words)
                yield found

    return tuple(islice(tell(), examples))
